//! Captures first: a bonus for moves after which fewer facts are true, which fades with visits.
//!
//! On most boards a capture removes a piece, and with it a fact of the state.

use propnet::game::{Game, PlayError};

use super::{Adjustment, MakeAdjustment, NodeMoves, Terms};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{ColumnSpec, MoveId, NodeId, Tree};

/// The bonus of a capture, after one visit.
const BONUS: Parameter = Parameter::number(
    "capture_bonus",
    "what a capture is worth beyond its scores, divided by its visits",
    20.0,
    0.0,
    1e3,
);

/// The part with this name.
pub(super) const PART: Part<MakeAdjustment> = Part {
    name: "captures",
    help: "little-visited captures are preferred",
    paper: "",
    parameters: &[BONUS],
    make: MakeAdjustment {
        kind: "captures",
        plays_most_visited: false,
        make: |values| Box::new(Captures { bonus: values.get(&BONUS) }),
    },
};

/// By move: 1 if it is known to capture.
const IS_CAPTURE: ColumnSpec = ColumnSpec { name: "is_capture", initial: 0.0 };

struct Captures {
    bonus: f64,
}

impl Adjustment for Captures {
    fn columns(&self) -> &'static [ColumnSpec] {
        &[IS_CAPTURE]
    }

    fn link(
        &mut self,
        tree: &mut Tree,
        node: NodeId,
        joint: &[MoveId],
        child: NodeId,
        _: &mut dyn Game,
    ) -> Result<(), PlayError> {
        let is_capture = tree[child].state.len() < tree[node].state.len();
        if let Some(column) = tree.columns.get_mut(IS_CAPTURE) {
            joint.iter().for_each(|at| column[at.index()] = f64::from(is_capture));
        }
        Ok(())
    }

    fn adjust(&self, node: &NodeMoves, terms: &mut Terms) {
        let Some(column) = node.tree.columns.get(IS_CAPTURE) else { return };
        for (at, place) in node.span.clone().enumerate() {
            terms.bonuses[at] += self.bonus * column[place] / node.tree.moves[place].visits;
        }
    }
}
