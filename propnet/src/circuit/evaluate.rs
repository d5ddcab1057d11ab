//! Plain evaluation of a circuit: 64 situations at once, one bit of a word each.
//!
//! Slow and obvious: the judge of the optimising passes and of the stages after the circuit.

use super::circuit::Circuit;
use super::network::Signal;
use super::schedule::{Schedule, Stretch};

/// What is true at each node in 64 situations.
#[derive(Clone, Debug)]
pub struct Values(Vec<u64>);

impl Values {
    /// Nothing is true.
    pub fn new(circuit: &Circuit) -> Self {
        Values(vec![0; circuit.network.len()])
    }

    /// Where a signal is true.
    pub fn of(&self, signal: Signal) -> u64 {
        self.0[signal.node() as usize] ^ complement(signal)
    }

    /// Says where an input is true. A constant stays what it is.
    pub fn set(&mut self, input: Signal, word: u64) {
        if input.node() != 0 {
            self.0[input.node() as usize] = word ^ complement(input);
        }
    }

    /// Computes the gates of a schedule; whatever it depends on must be there.
    pub fn compute(&mut self, circuit: &Circuit, schedule: &Schedule) {
        for stretch in &schedule.stretches {
            match stretch.repeats {
                None => self.compute_gates(circuit, stretch),
                Some(number) => self.repeat(circuit, stretch, number),
            }
        }
    }

    fn compute_gates(&mut self, circuit: &Circuit, stretch: &Stretch) {
        for &node in &stretch.gates {
            let inputs = circuit.network.inputs(node).iter();
            self.0[node as usize] = inputs.fold(!0, |word, &input| word & self.of(input));
        }
    }

    /// Sweeps over the block of a loop, from all-false, until nothing changes.
    fn repeat(&mut self, circuit: &Circuit, stretch: &Stretch, number: usize) {
        let block = &circuit.loops[number];
        for member in &block.members {
            self.set(member.feedback, 0);
        }
        for _ in 0..=block.sweeps {
            self.compute_gates(circuit, stretch);
            let mut changed = false;
            // All values before any feedback: a member may be the plain copy of another.
            let values: Vec<u64> =
                block.members.iter().map(|member| self.of(member.value)).collect();
            for (member, value) in block.members.iter().zip(values) {
                changed |= self.of(member.feedback) != value;
                self.set(member.feedback, value);
            }
            if !changed {
                return;
            }
        }
    }
}

fn complement(signal: Signal) -> u64 {
    0u64.wrapping_sub(signal.is_complement() as u64)
}
