//! The bounds of a node by those of its children.
//!
//! A role secures the best of its moves, each at its worst over what the others may do; a move that
//! leads to unknown states secures nothing. Against an opponent it gets no more than it can be held to:
//! where one role chooses, this is minimax. Where others are no opponents, it gets at most the best of
//! all that can happen.

use super::shared::GoalSum;
use crate::search::tree::{
    MoveRange, NodeId, PRUNED, SOLVED, ScoreRange, ScoreRanges, Tree, move_ranges,
};

/// The score at which a role would rather have it over soon than late.
const HALF: i32 = ScoreRange::ANY.upper / 2;

/// What is known of the moves of one node after the other, in the same memory.
#[derive(Default)]
pub(super) struct Backing {
    /// By role and move.
    moves: Vec<Vec<MoveRange>>,
}

impl Backing {
    /// By role: the bounds of an open node by its children.
    pub(super) fn ranges(&mut self, tree: &Tree, node: NodeId, sum: GoalSum) -> ScoreRanges {
        move_ranges(tree, node, &mut self.moves);
        let is_held = sum != GoalSum::Varies && tree.chooser(node).is_some();
        let range = |own: &Vec<MoveRange>| {
            let lower = own.iter().map(|found| found.range().lower).max();
            let most = |found: &MoveRange| match is_held {
                true => found.held_to(),
                false => found.range().upper,
            };
            let upper = own.iter().map(most).max();
            let ScoreRange { lower: least, upper: most } = ScoreRange::ANY;
            ScoreRange { lower: lower.unwrap_or(least), upper: upper.unwrap_or(most) }
        };
        self.moves.iter().map(range).collect()
    }

    /// Flags the moves of the node that was just computed; how many became needless.
    pub(super) fn flag_moves(&self, tree: &mut Tree, node: NodeId, sum: GoalSum) -> u64 {
        // Where scores add up to the same, what is no better for a role cannot matter. Elsewhere it
        // may matter to the others which of two equal moves is played.
        let least_gain = i32::from(sum == GoalSum::Varies && tree.roles() > 1);
        let mut pruned = 0;
        for (role, own) in self.moves.iter().enumerate().filter(|(_, own)| own.len() > 1) {
            let flags = tree.flags_mut(node, role);
            let open = (0..own.len()).filter(|&at| flags[at] & PRUNED == 0);
            let merit = |at: &usize| {
                let range = own[*at].range();
                (range.lower, range.upper)
            };
            let Some(best) = open.max_by_key(merit) else { continue };
            let secured = own[best].range().lower;
            for (at, found) in own.iter().enumerate() {
                let is_needless = at != best && found.range().upper <= secured - least_gain;
                pruned += u64::from(is_needless && flags[at] & PRUNED == 0);
                flags[at] = flags[at] & PRUNED
                    | if found.plies().is_some() { SOLVED } else { 0 }
                    | if is_needless { PRUNED } else { 0 };
            }
        }
        pruned
    }

    /// The joint moves from the node that was just computed to the end, if it is solved: its chooser
    /// hurries to win and delays to lose.
    pub(super) fn plies(&self, tree: &Tree, node: NodeId, ranges: &[ScoreRange]) -> u16 {
        let Some(role) = tree.chooser(node) else {
            let plies = self.moves.iter().flatten().filter_map(MoveRange::plies);
            return plies.max().unwrap_or(0);
        };
        let score = ranges[role].lower;
        let secures = |found: &&MoveRange| found.range().lower >= score;
        let plies = self.moves[role].iter().filter(secures).filter_map(MoveRange::plies);
        let found = if score < HALF { plies.max() } else { plies.min() };
        found.unwrap_or(0)
    }
}
