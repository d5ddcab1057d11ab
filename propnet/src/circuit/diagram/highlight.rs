//! What is true in one state, as far as the state decides it.
//!
//! Nobody has moved yet, so what depends on moves may be open. A signal is therefore two truths:
//! whether it must hold whatever is done, and whether it may. A complement swaps them; AND treats
//! them alike, and so does the least fixpoint of a loop.

use super::diagram::Diagram;
use crate::circuit::circuit::Circuit;
use crate::circuit::network::{Gate, Signal};
use crate::circuit::schedule::{Schedule, Stretch};
use crate::game::{ForeignError, State};

/// Lights the elements of a diagram of the circuit: true, false, or open. The state must be one of
/// the circuit.
pub fn highlight(
    diagram: &mut Diagram,
    circuit: &Circuit,
    state: &State,
) -> Result<(), ForeignError> {
    circuit.names.table().check_state(state)?;
    let mut truths = Truths::inputs(circuit, state);
    truths.compute(circuit);
    for element in diagram.graph.node_weights_mut() {
        element.lit = element.signal.and_then(|signal| truths.of(signal).decided());
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Truth {
    must: bool,
    may: bool,
}

impl Truth {
    fn known(truth: bool) -> Self {
        Truth { must: truth, may: truth }
    }

    fn decided(self) -> Option<bool> {
        (self.must == self.may).then_some(self.must)
    }
}

/// By node.
struct Truths(Vec<Truth>);

impl Truths {
    fn inputs(circuit: &Circuit, state: &State) -> Self {
        let network = &circuit.network;
        let truth = |node| match network.gate(node) {
            Gate::Fluent(fluent) => Truth::known(state.contains(fluent as usize)),
            Gate::Move(..) => Truth { must: false, may: true },
            Gate::False | Gate::Feedback(..) | Gate::And => Truth::known(false),
        };
        Truths((0..network.len() as u32).map(truth).collect())
    }

    fn of(&self, signal: Signal) -> Truth {
        let Truth { must, may } = self.0[signal.node() as usize];
        if signal.is_complement() { Truth { must: !may, may: !must } } else { Truth { must, may } }
    }

    fn compute(&mut self, circuit: &Circuit) {
        for stretch in Schedule::new(circuit, |_| true).stretches {
            self.gates(circuit, &stretch);
            let Some(number) = stretch.repeats else { continue };
            let members = &circuit.loops[number].members;
            loop {
                let values: Vec<Truth> =
                    members.iter().map(|member| self.of(member.value)).collect();
                let old = members.iter().map(|member| self.of(member.feedback));
                // Both truths only ever grow, so this ends.
                if old.eq(values.iter().copied()) {
                    break;
                }
                for (member, value) in members.iter().zip(values) {
                    self.0[member.feedback.node() as usize] = value;
                }
                self.gates(circuit, &stretch);
            }
        }
    }

    fn gates(&mut self, circuit: &Circuit, stretch: &Stretch) {
        for &gate in &stretch.gates {
            let inputs = circuit.network.inputs(gate).iter().map(|&input| self.of(input));
            self.0[gate as usize] = inputs.fold(Truth::known(true), |all, input| Truth {
                must: all.must && input.must,
                may: all.may && input.may,
            });
        }
    }
}
