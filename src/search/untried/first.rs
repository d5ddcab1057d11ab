//! Untried moves first: every move is tried once before selection chooses among all.
//!
//! Section 4.1 of the CadiaPlayer thesis: the playout policy chooses among them, or they are chosen
//! at random.

use super::{MakeUntried, Untried};
use crate::search::scheme::Part;
use crate::search::selection::NodeMoves;

/// The part with this name.
pub(crate) const PART: Part<MakeUntried> = Part {
    name: "first",
    help: "untried moves come first, chosen by the playout policy",
    paper: "Finnsson 2012, section 4.1",
    parameters: &[],
    make: |_| Box::new(First),
};

struct First;

impl Untried for First {
    fn urgency(&self, _: &NodeMoves, _: usize) -> f64 {
        f64::INFINITY
    }
}
