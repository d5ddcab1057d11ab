//! TO-MAST (tree-only MAST): as MAST, but only moves in the tree are learned from.
//!
//! Finnsson and Björnsson 2010; section 4.1.2 of the CadiaPlayer thesis. Moves in the tree are better
//! informed than those of playouts: there are fewer samples, of better quality.

use super::averages::MoveAverages;
use super::mast::{AVERAGES, Mast, TAU, UNSEEN_VALUE};
use super::value_source::MakeValues;
use crate::search::scheme::Part;

/// The part with this name.
pub(super) const PART: Part<MakeValues> = Part {
    name: "to_mast",
    help: "playouts prefer moves that did well on average in the tree",
    paper: "Finnsson and Björnsson 2010 (TO-MAST)",
    parameters: &[TAU, UNSEEN_VALUE],
    make: MakeValues {
        kind: AVERAGES,
        tau: TAU,
        weight: None,
        make: |values, moves| {
            let averages = MoveAverages::new(moves, values.get(&UNSEEN_VALUE));
            Box::new(Mast { averages, tree_only: true })
        },
    },
};
