//! Network -> cells: which gates are computed, and by which operation.
//!
//! A cover names, for each node that some output needs, the operation that makes it and the nodes
//! that it reads. What is only inside such an operation is not computed at all.

use super::cover_three::three_input_cells;
use crate::circuit::{Gate, Network, Signal};

/// The operations that a back end has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mapping {
    /// AND, OR, XOR and the like, of two words.
    TwoInputs,
    /// Any table of three words.
    ThreeInputs,
}

/// How a node is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Both signals are true.
    And(Signal, Signal),
    /// The signals differ.
    Xor(Signal, Signal),
    /// A table over three nodes, as [`super::Op`] has it.
    Table(u8, [u32; 3]),
}

impl Cell {
    /// The nodes that are read.
    pub(super) fn inputs(&self) -> impl Iterator<Item = u32> + use<> {
        let (nodes, count) = match *self {
            Cell::And(a, b) | Cell::Xor(a, b) => ([a.node(), b.node(), 0], 2),
            Cell::Table(_, nodes) => (nodes, 3),
        };
        nodes.into_iter().take(count)
    }
}

/// The cells of a network, as seen from these signals.
pub(super) fn cells(
    network: &Network,
    mapping: Mapping,
    roots: impl Iterator<Item = Signal>,
    proceed: &dyn Fn() -> bool,
) -> Vec<Option<Cell>> {
    match mapping {
        Mapping::TwoInputs => two_input_cells(network),
        Mapping::ThreeInputs => three_input_cells(network, roots, proceed),
    }
}

/// The cover by two-input operations: AND and, where its three gates are there, XOR.
fn two_input_cells(network: &Network) -> Vec<Option<Cell>> {
    (0..network.len() as u32).map(|node| two_input_cell(network, node)).collect()
}

fn two_input_cell(network: &Network, node: u32) -> Option<Cell> {
    if network.gate(node) != Gate::And {
        return None;
    }
    let [a, b] = pair(network, node);
    // NOT (p AND q) AND NOT (NOT p AND NOT q)
    let both_complements = a.is_complement() && b.is_complement();
    let are_gates = [a, b].iter().all(|input| network.gate(input.node()) == Gate::And);
    if both_complements && are_gates {
        let ([p, q], [r, s]) = (pair(network, a.node()), pair(network, b.node()));
        if (r, s) == (!p, !q) {
            return Some(Cell::Xor(p, q));
        }
    }
    Some(Cell::And(a, b))
}

/// The inputs of a gate, which are two.
pub(super) fn pair(network: &Network, node: u32) -> [Signal; 2] {
    let inputs = network.inputs(node);
    inputs.try_into().expect("gates of a step have two inputs")
}
