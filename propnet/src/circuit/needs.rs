//! What must be true of the fluents wherever a signal is true, as far as the shape of the gates
//! says it: all that the inputs of an AND need, and what all arms of an OR have in common.

use super::circuit::Circuit;
use super::network::{Gate, Signal};
use super::rebuild::mark;

/// By signal, inputs of fluents or their complements that are true wherever the signal is.
#[derive(Clone, Debug)]
pub struct Needs {
    /// Where the entries of each signal end in `literals`; they begin where the ones before end.
    ends: Vec<u32>,
    literals: Vec<Signal>,
}

/// No more than this many are kept for one signal; leaving some out loses only knowledge.
const KEPT: usize = 48;

impl Needs {
    /// The needs of all signals that the given ones depend on.
    pub fn new(circuit: &Circuit, signals: impl Iterator<Item = Signal>) -> Self {
        let network = &circuit.network;
        let mut wanted = vec![false; network.len()];
        mark(circuit, signals, &mut wanted);
        let mut needs = Needs { ends: Vec::with_capacity(2 * network.len()), literals: Vec::new() };
        for node in 0..network.len() as u32 {
            let is_wanted = wanted[node as usize];
            for signal in [Signal::of(node), !Signal::of(node)] {
                match network.gate(node) {
                    Gate::Fluent(_) if is_wanted => needs.literals.push(signal),
                    Gate::And if is_wanted && signal.is_complement() => {
                        let common = needs.common(network.inputs(node));
                        needs.literals.extend(common);
                    }
                    Gate::And if is_wanted => {
                        let all = needs.all(network.inputs(node));
                        needs.literals.extend(all);
                    }
                    _ => {}
                }
                needs.ends.push(needs.literals.len() as u32);
            }
        }
        needs
    }

    /// What the signal needs, ascending.
    pub fn of(&self, signal: Signal) -> &[Signal] {
        let at = signal.index();
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.literals[start..self.ends[at] as usize]
    }

    /// What the inputs of a true gate need.
    fn all(&self, inputs: &[Signal]) -> Vec<Signal> {
        let mut all: Vec<Signal> =
            inputs.iter().flat_map(|&input| self.of(input)).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.truncate(KEPT);
        all
    }

    /// What the arms of an OR, the complements of these, have in common.
    fn common(&self, inputs: &[Signal]) -> Vec<Signal> {
        let Some((&first, rest)) = inputs.split_first() else { return Vec::new() };
        let mut common = self.of(!first).to_vec();
        for &input in rest {
            if common.is_empty() {
                break;
            }
            let others = self.of(!input);
            common.retain(|literal| others.binary_search(literal).is_ok());
        }
        common
    }
}
