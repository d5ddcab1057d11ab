//! Unexplored action urgency: a good move is tried again before others are tried at all.
//!
//! Finnsson 2012, algorithm 2; algorithm 6 of the CadiaPlayer thesis. The urgency of untried moves is
//! `50 + c sqrt(ln N * untried / all)`: the bound of a move that was tried once and led to a draw,
//! which falls as fewer moves are left. The discount is under the root, as in the paper.

use super::{MakeUntried, Untried};
use crate::search::scheme::Part;
use crate::search::selection::{C, NodeMoves};

/// The part with this name.
pub(super) const PART: Part<MakeUntried> = Part {
    name: "urgency",
    help: "an untried move has to be more urgent than the best tried one is good",
    paper: "Finnsson 2012 (unexplored action urgency)",
    parameters: &[C],
    make: |values| Box::new(Urgency { c: values.get(&C) }),
};

/// The score of a draw.
const DRAW: f64 = 50.0;

struct Urgency {
    c: f64,
}

impl Untried for Urgency {
    fn urgency(&self, node: &NodeMoves, count: usize) -> f64 {
        let discount = count as f64 / node.span.len() as f64;
        DRAW + self.c * (node.visits.max(1.0).ln() * discount).sqrt()
    }
}
