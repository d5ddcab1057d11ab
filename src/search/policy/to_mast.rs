//! TO-MAST (tree-only MAST): as MAST, but only moves in the tree are learned from.
//!
//! Finnsson and Björnsson 2010; section 4.1.2 of the CadiaPlayer thesis. Moves in the tree are better
//! informed than those of playouts: there are fewer samples, of better quality.

use super::MakePolicy;
use super::averages::MoveAverages;
use super::mast::{Gibbs, TAU, UNSEEN_VALUE};
use crate::search::scheme::Part;

/// The part with this name.
pub(super) const PART: Part<MakePolicy> = Part {
    name: "to_mast",
    help: "playouts prefer moves that did well on average in the tree",
    paper: "Finnsson and Björnsson 2010 (TO-MAST)",
    parameters: &[TAU, UNSEEN_VALUE],
    make: |values, moves| {
        let averages = MoveAverages::new(moves, values.get(&UNSEEN_VALUE));
        Box::new(Gibbs { averages, tau: values.get(&TAU), tree_only: true })
    },
};
