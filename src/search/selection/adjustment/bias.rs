//! Knowledge bias: a prior for little-visited moves, from the rules of the goals.
//!
//! Björnsson 2011 ("Simulation Search Control in General Game Playing"): a heuristic values each new
//! node and gives first estimates for moves that are little explored, as progressive bias does
//! (Chaslot et al. 2008). Here the heuristic H is the mean of a role's goal values in the child's state,
//! weighted by the degree to which each is reached; see [`propnet::game::GoalDegrees`]. The prior counts
//! as k visits, so with n visits a value becomes `(k * H + n * value) / (k + n)`.
//!
//! A child is valued once, when it is linked. Where several roles choose, H is the mean over the
//! children that are known for a role's move. Where nothing follows, H is the goal itself. An engine
//! without ground rules cannot tell degrees: there a goal is reached fully or not at all.

use std::sync::Arc;

use propnet::game::{Game, GoalDegrees, PlayError};

use super::{Adjustment, MakeAdjustment, NodeMoves, Terms};
use crate::search::scheme::{Parameter, Part};
use crate::search::tree::{ColumnSpec, MoveId, NodeId, Tree};

/// The visits that a prior counts as.
const VISITS: Parameter = Parameter::number(
    "bias_visits",
    "visits of a move at which its prior and its own mean count the same",
    10.0,
    0.0,
    1e9,
);

/// The part with this name.
pub(super) const PART: Part<MakeAdjustment> = Part {
    name: "bias",
    help: "little-visited moves also count how far they lead towards the goals by the rules",
    paper: "Björnsson 2011 (knowledge bias)",
    parameters: &[VISITS],
    make: MakeAdjustment {
        kind: "priors",
        plays_most_visited: false,
        make: |values| {
            Box::new(Bias { visits: values.get(&VISITS), degrees: None, scratch: Vec::new() })
        },
    },
};

/// The sum of the values of the children that are known for a move, and how many there are.
const TOTAL: ColumnSpec = ColumnSpec { name: "prior_total", initial: 0.0 };
const COUNT: ColumnSpec = ColumnSpec { name: "prior_count", initial: 0.0 };

struct Bias {
    visits: f64,
    degrees: Option<Arc<GoalDegrees>>,
    scratch: Vec<f64>,
}

impl Adjustment for Bias {
    fn columns(&self) -> &'static [ColumnSpec] {
        &[TOTAL, COUNT]
    }

    fn prepare(&mut self, game: &mut dyn Game) {
        self.degrees = game.goal_degrees();
    }

    fn link(
        &mut self,
        tree: &mut Tree,
        _: NodeId,
        joint: &[MoveId],
        child: NodeId,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        for (&at, value) in joint.iter().zip(self.values(tree, child, game)?) {
            if let Some(value) = value {
                tree.columns.add(TOTAL, &[at.index()], value);
                tree.columns.add(COUNT, &[at.index()], 1.0);
            }
        }
        Ok(())
    }

    fn adjust(&self, node: &NodeMoves, terms: &mut Terms) {
        let columns = &node.tree.columns;
        let (Some(totals), Some(counts)) = (columns.get(TOTAL), columns.get(COUNT)) else { return };
        for (at, place) in node.span.clone().enumerate() {
            if counts[place] > 0.0 {
                let share = self.visits / (self.visits + node.tree.moves[place].visits);
                let prior = totals[place] / counts[place];
                terms.values[at] = share * prior + (1.0 - share) * terms.values[at];
            }
        }
    }
}

impl Bias {
    /// By role: the value of a node; none where the rules say nothing.
    fn values(
        &mut self,
        tree: &Tree,
        node: NodeId,
        game: &mut dyn Game,
    ) -> Result<Vec<Option<f64>>, PlayError> {
        if let Some(goals) = tree.goals(node) {
            return Ok(goals.iter().copied().map(Some).collect());
        }
        let (state, roles) = (&tree[node].state, 0..tree.roles());
        match &self.degrees {
            Some(degrees) => {
                let degrees = degrees.of(state, &mut self.scratch);
                Ok(roles.map(|role| degrees.expected(role)).collect())
            }
            None => roles.map(|role| Ok(game.proper_goal(state, role)?.map(f64::from))).collect(),
        }
    }
}
