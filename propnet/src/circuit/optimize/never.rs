//! Drops moves that are legal in no state.

use super::super::circuit::Circuit;
use super::super::network::{Gate, Signal};
use super::super::rebuild::rebuild;
use super::pass::PassWork;
use super::prove::find_never;

/// The circuit without the gates that such moves need. The moves keep their places.
pub(super) fn never(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let never = find_never(circuit, work);
    if !never.iter().flatten().any(|&never| never) {
        return circuit.clone();
    }
    let mut old = circuit.clone();
    for (ports, never) in old.moves.iter_mut().zip(&never) {
        for (port, _) in ports.iter_mut().zip(never).filter(|(_, never)| **never) {
            port.legal = Signal::FALSE;
        }
    }
    rebuild(&old, work.budget, |_, _, node| match circuit.network.gate(node) {
        Gate::Move(role, at) => never[role as usize][at as usize].then_some(Signal::FALSE),
        _ => None,
    })
}
