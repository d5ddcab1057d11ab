//! What signals of a circuit depend on.

use propnet::circuit::{Circuit, Gate, Signal};

use super::distance::nodes_below;

/// The inputs that a signal depends on.
pub(in super::super) struct Reads {
    /// Fluents, by their index.
    pub(in super::super) fluents: Vec<u32>,
    /// Moves of the only role, by their index.
    pub(in super::super) moves: Vec<u32>,
}

/// More steps than these are not worth to know what all ports depend on.
const MOST: usize = 200_000_000;

/// Whether it is quick to find what all ports depend on.
pub(in super::super) fn is_quick(circuit: &Circuit) -> bool {
    let ports = circuit.fluents.len() + circuit.moves.iter().map(Vec::len).sum::<usize>();
    ports.saturating_mul(circuit.network.len()) <= MOST
}

/// What a signal depends on.
pub(in super::super) fn reads(circuit: &Circuit, signal: Signal) -> Reads {
    let mut reads = Reads { fluents: Vec::new(), moves: Vec::new() };
    for node in nodes_below(circuit, &[signal]) {
        match circuit.network.gate(node) {
            Gate::Fluent(fluent) => reads.fluents.push(fluent),
            Gate::Move(_, at) => reads.moves.push(at),
            _ => {}
        }
    }
    reads
}
