//! What is proven of a role's moves in a node, over all that the other roles may do.

use propnet::game::Role;

use super::ids::{MoveId, NodeId};
use super::proofs::ScoreRange;
use super::tree::Tree;

/// What is proven of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveRange {
    /// The least and the most that the role gets in the children that are known.
    range: ScoreRange,
    /// The most that the others can hold it to.
    held_to: i32,
    /// The joint moves that the move is part of, those whose children are known, and those of them
    /// that are solved.
    joint_moves: u64,
    known: u64,
    solved: u64,
    /// The most joint moves from a solved child to the end.
    plies: u16,
}

impl MoveRange {
    /// Nothing is known yet.
    fn new(joint_moves: u64) -> Self {
        // Neutral for the least and the most.
        let range = ScoreRange { lower: i32::MAX, upper: i32::MIN };
        MoveRange {
            range,
            held_to: ScoreRange::ANY.upper,
            joint_moves,
            known: 0,
            solved: 0,
            plies: 0,
        }
    }

    fn add(&mut self, tree: &Tree, child: NodeId, role: Role) {
        let range = tree.range(child, role);
        self.range.lower = self.range.lower.min(range.lower);
        self.range.upper = self.range.upper.max(range.upper);
        self.held_to = self.held_to.min(range.upper);
        self.known += 1;
        if tree.is_solved(child) {
            self.solved += 1;
            self.plies = self.plies.max(tree.plies(child));
        }
    }

    /// What the role secures by the move, and gets by it at most.
    pub(crate) fn range(&self) -> ScoreRange {
        if self.known < self.joint_moves { ScoreRange::ANY } else { self.range }
    }

    /// What the others can hold the role to if it makes the move, and they know it.
    pub(crate) fn held_to(&self) -> i32 {
        self.held_to
    }

    /// Where everything after the move is solved: the joint moves from here to the end.
    pub(crate) fn plies(&self) -> Option<u16> {
        (self.solved >= self.joint_moves).then(|| self.plies.saturating_add(1))
    }
}

/// Finds what is proven of the moves in an open node, by role and move.
pub(crate) fn move_ranges(tree: &Tree, node: NodeId, ranges: &mut Vec<Vec<MoveRange>>) {
    let count = |role: Role| tree.span(node, role).len() as u64;
    let joint_moves = (0..tree.roles()).map(count).fold(1, u64::saturating_mul);
    ranges.resize(tree.roles(), Vec::new());
    for (role, own) in ranges.iter_mut().enumerate() {
        let count = tree.span(node, role).len();
        own.clear();
        own.resize(count, MoveRange::new(joint_moves / count.max(1) as u64));
    }
    let Some(chooser) = tree.chooser(node) else {
        for link in tree.children(node) {
            let indices = tree.indices(node, &link);
            for (role, (own, &at)) in ranges.iter_mut().zip(&indices).enumerate() {
                own[at].add(tree, link.child, role);
            }
        }
        return;
    };
    for (at, place) in tree.span(node, chooser).enumerate() {
        let Some(child) = tree.child_of(MoveId::new(place)) else { continue };
        for (role, own) in ranges.iter_mut().enumerate() {
            own[if role == chooser { at } else { 0 }].add(tree, child, role);
        }
    }
}
