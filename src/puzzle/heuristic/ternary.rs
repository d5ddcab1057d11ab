//! A circuit with inputs of which some are unknown, for 64 cases at once: what is certainly true,
//! and what is certainly false.
//!
//! Ternary simulation: Eichelberger 1965. Two bits for each signal; what depends on a loop of the
//! rules is unknown.

use propnet::circuit::{Circuit, Gate, Signal};

use super::distance::nodes_below;

/// What is known of a signal in 64 cases: where it is certainly true, and certainly false.
pub(super) type Known = [u64; 2];

/// Computes some signals of a circuit.
pub(super) struct Ternary {
    /// The gates below these signals, inputs first.
    gates: Vec<u32>,
    values: Vec<Known>,
}

impl Ternary {
    /// For these signals. All inputs are unknown.
    pub(super) fn new(circuit: &Circuit, signals: &[Signal]) -> Self {
        let below = nodes_below(circuit, signals);
        let is_gate = |&node: &u32| circuit.network.gate(node) == Gate::And;
        let mut values = vec![[0, 0]; circuit.network.len()];
        // The first node is never true.
        values[0] = [0, u64::MAX];
        Ternary { gates: below.into_iter().filter(is_gate).collect(), values }
    }

    /// Sets an input.
    pub(super) fn set(&mut self, input: Signal, known: Known) {
        self.values[input.node() as usize] =
            if input.is_complement() { [known[1], known[0]] } else { known };
    }

    /// Computes all gates.
    pub(super) fn compute(&mut self, circuit: &Circuit) {
        for &gate in &self.gates {
            let (mut all, mut any) = (u64::MAX, 0);
            for &input in circuit.network.inputs(gate) {
                let [is, is_not] = self.of(input);
                all &= is;
                any |= is_not;
            }
            self.values[gate as usize] = [all, any];
        }
    }

    /// What is known of a signal.
    pub(super) fn of(&self, signal: Signal) -> Known {
        let [is, is_not] = self.values[signal.node() as usize];
        if signal.is_complement() { [is_not, is] } else { [is, is_not] }
    }

    /// The gates that are computed.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }
}
