//! What is proven of nodes: a range for each role's score, and moves that need not be searched.
//!
//! A node has a proof only where something is known of it; any other one may still end with any
//! score. Where nothing follows, the goals are the proof. Bounds are whole numbers of a fraction of a
//! point, so that no rounding makes them wrong.

use std::ops::Range;

use propnet::game::Role;
use smallvec::SmallVec;

use super::ids::{MoveId, NodeId};
use super::lists::{ListBytes, grow};
use super::tree::Tree;
use crate::matrix::{POINT, SAME};

/// Bounds of a score, in units of [`POINT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScoreRange {
    /// The pessimistic bound.
    pub(crate) lower: i32,
    /// The optimistic bound.
    pub(crate) upper: i32,
}

/// By role.
pub(crate) type ScoreRanges = SmallVec<[ScoreRange; 4]>;

impl ScoreRange {
    /// The lowest and the highest goal of GDL.
    pub(crate) const ANY: ScoreRange = ScoreRange { lower: 0, upper: 100 * POINT as i32 };

    /// Exactly this goal; none if it is beyond those of GDL.
    pub(crate) fn of_goal(goal: f64) -> Option<ScoreRange> {
        let score = (goal * POINT as f64) as i32;
        let fits = (0.0..=100.0).contains(&goal);
        fits.then_some(ScoreRange { lower: score, upper: score })
    }

    /// Whether its bounds are the same value, but for rounding.
    pub(crate) fn is_exact(self) -> bool {
        i64::from(self.upper) - i64::from(self.lower) <= SAME
    }

    /// What both say.
    pub(crate) fn and(self, other: ScoreRange) -> ScoreRange {
        let (lower, upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        ScoreRange { lower, upper }
    }

    /// The bounds in points.
    pub(crate) fn points(self) -> [f64; 2] {
        [self.lower, self.upper].map(|bound| f64::from(bound) / POINT as f64)
    }
}

/// Whether it is known where the game ends right after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndsAsked {
    Unasked,
    Queued,
    Asked,
}

/// Numbers of proofs that stand for none.
const NO_PROOF: [(u32, EndsAsked); 3] = [
    (u32::MAX, EndsAsked::Unasked),
    (u32::MAX - 1, EndsAsked::Queued),
    (u32::MAX - 2, EndsAsked::Asked),
];

/// The number of a node without a proof that was not asked about.
pub(super) const UNASKED: u32 = NO_PROOF[0].0;

/// No moves have flags.
const NO_FLAGS: u32 = u32::MAX;

/// A move that no role needs: another one secures at least what this one could give.
pub(crate) const PRUNED: u8 = 1;

/// A move after which everything is proven.
pub(crate) const SOLVED: u8 = 2;

/// What is proven of a node besides the ranges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    /// When it was last computed, and when a range last changed; 0 for never.
    pub(crate) computed_at: u32,
    pub(crate) changed_at: u32,
    flags: u32,
    /// Changes of children that were not taken into account yet.
    pub(crate) pending: u16,
    /// Where it is solved: the joint moves to the end if each role plays for it.
    pub(crate) plies: u16,
    pub(crate) is_solved: bool,
    asking: EndsAsked,
}

/// The proofs of a tree.
#[derive(Default)]
pub(crate) struct Proofs {
    proofs: Vec<Proof>,
    /// By proof and role.
    ranges: Vec<ScoreRange>,
    /// By move of a node that has any.
    flags: Vec<u8>,
}

impl Proofs {
    /// How many nodes have one.
    pub(crate) fn len(&self) -> usize {
        self.proofs.len()
    }

    pub(super) fn list_bytes(&self) -> [ListBytes; 3] {
        [ListBytes::of(&self.proofs), ListBytes::of(&self.ranges), ListBytes::of(&self.flags)]
    }

    fn push(&mut self, proof: Proof, ranges: impl ExactSizeIterator<Item = ScoreRange>) -> u32 {
        grow(&mut self.proofs, 1);
        self.proofs.push(proof);
        grow(&mut self.ranges, ranges.len());
        self.ranges.extend(ranges);
        self.proofs.len() as u32 - 1
    }

    /// Forgets all upper bounds and what follows from them.
    pub(crate) fn forget_upper_bounds(&mut self) {
        for proof in &mut self.proofs {
            (proof.computed_at, proof.is_solved) = (0, false);
        }
        self.ranges.iter_mut().for_each(|range| range.upper = ScoreRange::ANY.upper);
        self.flags.fill(0);
    }

    /// Forgets all bounds and what follows from them.
    pub(crate) fn forget_all_bounds(&mut self) {
        self.forget_upper_bounds();
        self.ranges.fill(ScoreRange::ANY);
    }
}

/// Moves of a role that are not to be chosen.
#[derive(Clone, Copy, Default)]
pub(crate) struct Closed<'t> {
    flags: &'t [u8],
    mask: u8,
}

impl<'t> Closed<'t> {
    /// Moves with one of these flags; where all have, those that are pruned: there is always one that
    /// is not.
    pub(crate) fn of(flags: &'t [u8], mask: u8) -> Self {
        let has_open = flags.iter().any(|flags| flags & mask == 0);
        Closed { flags, mask: if has_open { mask } else { PRUNED } }
    }

    /// Whether nothing is known about any of them.
    pub(crate) fn is_empty(&self) -> bool {
        self.flags.is_empty()
    }

    /// Whether a move is closed.
    pub(crate) fn has(&self, at: usize) -> bool {
        self.flags.get(at).is_some_and(|flags| flags & self.mask != 0)
    }
}

impl Tree {
    /// The proof of a node, where it has one.
    pub(crate) fn proof(&self, node: NodeId) -> Option<&Proof> {
        self.proofs.proofs.get(self[node].proof as usize)
    }

    /// The same, to be changed; made where there is none.
    pub(crate) fn proof_mut(&mut self, node: NodeId) -> &mut Proof {
        if self.proof(node).is_none() {
            let asking = self.asking(node);
            let (computed_at, changed_at, flags) = (0, 0, NO_FLAGS);
            let proof = Proof {
                computed_at,
                changed_at,
                flags,
                pending: 0,
                plies: 0,
                is_solved: false,
                asking,
            };
            let roles = self.roles();
            let ranges = (0..roles).map(|_| ScoreRange::ANY);
            self[node].proof = self.proofs.push(proof, ranges);
        }
        let at = self[node].proof as usize;
        &mut self.proofs.proofs[at]
    }

    /// Whether a node was asked about.
    pub(crate) fn asking(&self, node: NodeId) -> EndsAsked {
        let without = NO_PROOF.iter().find(|(number, _)| *number == self[node].proof);
        let with = || self.proof(node).map_or(EndsAsked::Unasked, |proof| proof.asking);
        without.map_or_else(with, |(_, asking)| *asking)
    }

    pub(crate) fn set_asking(&mut self, node: NodeId, asking: EndsAsked) {
        if self.proof(node).is_some() {
            self.proof_mut(node).asking = asking;
        } else if let Some((number, _)) = NO_PROOF.iter().find(|(_, other)| *other == asking) {
            self[node].proof = *number;
        }
    }

    /// Whether the score of every role is known.
    pub(crate) fn is_solved(&self, node: NodeId) -> bool {
        self.proof(node).is_some_and(|proof| proof.is_solved) || self.goals(node).is_some()
    }

    /// The bounds of a role's score in a node.
    pub(crate) fn range(&self, node: NodeId, role: Role) -> ScoreRange {
        if let Some(goals) = self.goals(node) {
            return ScoreRange::of_goal(goals[role]).unwrap_or(ScoreRange::ANY);
        }
        self.ranges(node).map_or(ScoreRange::ANY, |ranges| ranges[role])
    }

    /// By role: the bounds in a node that has a proof.
    fn ranges(&self, node: NodeId) -> Option<&[ScoreRange]> {
        let places = self.range_places(node)?;
        Some(&self.proofs.ranges[places])
    }

    fn range_places(&self, node: NodeId) -> Option<Range<usize>> {
        self.proof(node)?;
        let first = self[node].proof as usize * self.roles();
        Some(first..first + self.roles())
    }

    /// Sets the bounds of a node that has a proof.
    pub(crate) fn set_ranges(&mut self, node: NodeId, ranges: &[ScoreRange]) {
        if let Some(places) = self.range_places(node) {
            self.proofs.ranges[places].copy_from_slice(ranges);
        }
    }

    /// By role: the score of a node whose score is known.
    pub(crate) fn known_scores(&self, node: NodeId) -> SmallVec<[f64; 4]> {
        match (self.goals(node), self.ranges(node)) {
            (Some(goals), _) => goals.into(),
            (None, Some(ranges)) => ranges.iter().map(|range| range.points()[0]).collect(),
            (None, None) => SmallVec::new(),
        }
    }

    /// The joint moves from a solved node to the end.
    pub(crate) fn plies(&self, node: NodeId) -> u16 {
        self.proof(node).map_or(0, |proof| proof.plies)
    }

    /// A role's moves with one of these flags.
    pub(crate) fn closed(&self, node: NodeId, role: Role, mask: u8) -> Closed<'_> {
        Closed::of(self.flags(node, role), mask)
    }

    /// The same for the last role that chooses, when the others have chosen: in nodes in which several
    /// choose, also moves that now lead to a solved child.
    pub(crate) fn last_flags(&self, node: NodeId, chosen: &[MoveId]) -> SmallVec<[u8; 64]> {
        let role = chosen.len();
        let mut joint: SmallVec<[MoveId; 4]> = chosen.into();
        joint.extend((role..self.roles()).map(|role| MoveId::new(self.span(node, role).start)));
        let flags = self.flags(node, role);
        let flag = |(at, place): (usize, usize)| {
            joint[role] = MoveId::new(place);
            let is_solved = self.child(node, &joint).is_some_and(|child| self.is_solved(child));
            flags.get(at).copied().unwrap_or(0) | if is_solved { SOLVED } else { 0 }
        };
        self.span(node, role).enumerate().map(flag).collect()
    }

    /// By move of a role: its flags; nothing where no move has any.
    pub(crate) fn flags(&self, node: NodeId, role: Role) -> &[u8] {
        match self.flag_places(node, role) {
            Some(places) => &self.proofs.flags[places],
            None => &[],
        }
    }

    fn flag_places(&self, node: NodeId, role: Role) -> Option<Range<usize>> {
        let first = self.proof(node)?.flags;
        let (start, span) = (self.span(node, 0).start, self.span(node, role));
        let place = |at: usize| first as usize + at - start;
        (first != NO_FLAGS).then(|| place(span.start)..place(span.end))
    }

    /// The same, to be changed, in a node that is open and has a proof.
    pub(crate) fn flags_mut(&mut self, node: NodeId, role: Role) -> &mut [u8] {
        if self.proof_mut(node).flags == NO_FLAGS {
            let first = self.proofs.flags.len();
            let count = self.span(node, self.roles() - 1).end - self.span(node, 0).start;
            grow(&mut self.proofs.flags, count);
            self.proofs.flags.resize(first + count, 0);
            self.proof_mut(node).flags = first as u32;
        }
        let places = self.flag_places(node, role).unwrap_or_default();
        &mut self.proofs.flags[places]
    }

    /// Copies what is known of another tree's node, which has its moves already.
    pub(super) fn copy_proof(&mut self, copy: NodeId, other: &Tree, node: NodeId) {
        self[copy].proof = other[node].proof;
        let (Some(&proof), Some(ranges)) = (other.proof(node), other.ranges(node)) else { return };
        let flags = if proof.flags == NO_FLAGS { NO_FLAGS } else { self.proofs.flags.len() as u32 };
        self[copy].proof = self.proofs.push(Proof { flags, ..proof }, ranges.iter().copied());
        for role in 0..self.roles() {
            let own = other.flags(node, role);
            grow(&mut self.proofs.flags, own.len());
            self.proofs.flags.extend(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::{MoveSet, State, TableId};

    use super::super::tree::NewNode;
    use super::*;

    #[test]
    fn proofs_are_copied_with_their_nodes() {
        let table = TableId::unique();
        let legal = || vec![MoveSet::new(table, [0, 1, 2]), MoveSet::new(table, [5])];
        let new = |at| NewNode { state: State::new(table, [at]), legal: legal(), goals: None };
        let mut tree = Tree::new(new(0), 2, true, &[]);
        let nodes = [tree.add(new(1)), tree.add(new(2))];
        nodes.iter().for_each(|&node| tree.open(node));
        tree.set_asking(nodes[0], EndsAsked::Queued);
        assert!(tree.proof(nodes[0]).is_none());
        tree.proof_mut(nodes[1]).plies = 7;
        let known = ScoreRange { lower: 5, upper: 9 };
        tree.set_ranges(nodes[1], &[known, ScoreRange::ANY]);
        tree.flags_mut(nodes[1], 0)[1] = PRUNED;
        tree.set_asking(nodes[1], EndsAsked::Asked);

        let mut copy = tree.empty_like();
        let copies = nodes.map(|node| copy.copy_node(&tree, node));
        assert_eq!(copies.map(|node| copy.asking(node)), [EndsAsked::Queued, EndsAsked::Asked]);
        assert_eq!((copy.range(copies[0], 0), copy.range(copies[1], 0)), (ScoreRange::ANY, known));
        assert_eq!((copy.plies(copies[1]), copy.proofs.len()), (7, 1));
        let closed = copy.closed(copies[1], 0, PRUNED);
        assert_eq!([0, 1, 2].map(|at| closed.has(at)), [false, true, false]);
        assert!(copy.closed(copies[0], 0, PRUNED).is_empty());
    }

    #[test]
    fn goals_beyond_those_of_gdl_are_no_bounds() {
        assert_eq!(ScoreRange::of_goal(101.0), None);
        assert_eq!(ScoreRange::of_goal(-1.0), None);
        let fifty = ScoreRange::of_goal(50.0).expect("a goal");
        assert!(fifty.is_exact() && !ScoreRange::ANY.is_exact());
        assert_eq!((fifty.points(), ScoreRange::ANY.points()), ([50.0; 2], [0.0, 100.0]));
    }
}
