//! Score bounds: what each role can secure in a node, and what it can get at most, proven from the ends
//! up.
//!
//! Cazenave and Saffidine 2011, "Score Bounded Monte-Carlo Tree Search"; chapter 6 of the CadiaPlayer
//! thesis. A lower bound is what a role secures whatever the others do, so it holds in any game. With
//! two roles whose scores always add up to the same, the other one is an opponent, and an upper bound is
//! what it can hold the role to. That they add up to the same is proven from the circuit where possible,
//! otherwise taken from the ends that were seen: an end that breaks it changes what an opponent wants,
//! not what can be secured. From then on, and in all other games, an upper bound is the best that could
//! still happen.
//!
//! Bounds belong to states. They only ever get tighter, each by bounds that were there before, so cycles
//! and states that are reached in several ways do not make them wrong.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use propnet::circuit::plan::GoalOutlook;
use propnet::game::{Game, Role};

use super::MakeSolver;
use super::asks::Asks;
use super::backing::Backing;
use super::best_line::{self, ONE_ROLE};
use super::matrices::{Matrices, is_matrix};
use super::shared::{GoalSum, SharedProofs};
use crate::matrix::POINT;
use crate::search::scheme::{Parameter, Part, Values};
use crate::search::solver::Solvers;
use crate::search::tree::{MoveId, NodeId, PRUNED, ScoreRange, ScoreRanges, Tree};
use crate::search::tree_search::Simulation;

/// Whether solved nodes are chosen.
const VARIANT: Parameter = Parameter::word(
    "solver_variant",
    "s_uct: solved moves are chosen, and their values count; e_uct: only moves that are not solved",
    &["s_uct", "e_uct"],
);

/// What is played where opponents choose at once.
const DECIDE: Parameter = Parameter::word(
    "decide",
    "where two choose at once and the score is proven: the best move, or by the mixed strategy",
    &["best", "mixed"],
);

/// The part with this name.
pub(crate) const PART: Part<MakeSolver> = Part {
    name: "solver",
    help: "bounds of scores are proven, moves that cannot be better are not searched",
    paper: "Cazenave and Saffidine 2011; Finnsson 2012, chapter 6",
    parameters: &[VARIANT, DECIDE, ONE_ROLE],
    make: |values, roles| Solvers {
        best_line: best_line::for_roles(values, roles),
        score_bounds: Some(ScoreBounds::new(values, roles)),
    },
};

/// The bounds of a tree.
pub(crate) struct ScoreBounds {
    only_unsolved: bool,
    /// Whether mixed strategies are played.
    is_mixed: bool,
    pub(crate) sum: GoalSum,
    /// Whether the sum is proven for all ends.
    is_sum_proven: bool,
    /// Whether a goal was seen that has no bounds: then nothing is proven any more.
    is_off: bool,
    /// Counts changes of bounds.
    now: u32,
    backing: Backing,
    matrices: Matrices,
    pub(crate) asks: Asks,
    /// What tells the goals that are left in a state, where that is known.
    pub(crate) outlook: Option<GoalOutlook>,
    /// Whether the last descent ended in a solved node.
    pub(crate) met_solved: bool,
    pub(crate) counts: SolverCounts,
    pub(crate) shared: Arc<SharedProofs>,
}

/// What a solver has done since the search began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolverCounts {
    /// Nodes whose score became known, terminal ones aside.
    pub(crate) solved: u64,
    /// Moves that became needless.
    pub(crate) pruned: u64,
    /// Simulations that ended in a node whose score was known, and proved nothing.
    pub(crate) known_visits: u64,
    /// In the last run.
    pub(crate) time: Duration,
}

impl ScoreBounds {
    fn new(values: &Values, roles: usize) -> Self {
        // Alone there is nobody to be held by, which comes to the same.
        let sum = if roles == 2 { GoalSum::Unknown } else { GoalSum::Varies };
        ScoreBounds {
            only_unsolved: values.show(&VARIANT) == "e_uct",
            is_mixed: values.show(&DECIDE) == "mixed",
            sum,
            is_sum_proven: false,
            is_off: false,
            now: 1,
            backing: Backing::default(),
            matrices: Matrices::default(),
            asks: Asks::default(),
            outlook: None,
            met_solved: false,
            counts: SolverCounts::default(),
            shared: Arc::new(SharedProofs::new()),
        }
    }

    /// Gets ready for a game, about which more may be known.
    pub(crate) fn prepare(&mut self, game: &mut dyn Game) {
        if let (GoalSum::Unknown, Some(sum)) = (self.sum, game.goal_sum()) {
            (self.sum, self.is_sum_proven) = (GoalSum::Constant(sum * POINT), true);
        }
    }

    /// A run begins.
    pub(crate) fn begin(&mut self, tree: &mut Tree) {
        self.counts.time = Duration::ZERO;
        self.take_over(tree);
    }

    /// Takes over what other trees have seen and this one has not.
    pub(crate) fn take_over(&mut self, tree: &mut Tree) {
        if self.shared.is_off.load(Ordering::Relaxed) {
            self.switch_off(tree);
        }
        if self.shared.sums_vary.load(Ordering::Relaxed) {
            self.give_up_sum(tree);
        }
    }

    /// The sum of the goals at all ends, in points, and whether that is proven; none where it is not
    /// known, or not the same.
    pub(crate) fn sum_of_goals(&self) -> Option<(i64, bool)> {
        match self.sum {
            GoalSum::Constant(sum) if !self.is_off => Some((sum / POINT, self.is_sum_proven)),
            _ => None,
        }
    }

    /// Whether the next descent keeps away from solved nodes: always, or after one that ended in such a
    /// node, so that at least half of them can learn something.
    pub(crate) fn avoids_solved(&self) -> bool {
        self.only_unsolved || self.met_solved
    }

    /// What cannot be used, for people; none if all can.
    pub(crate) fn notice(&self, roles: usize) -> Option<&'static str> {
        match self.sum {
            _ if self.is_off => Some("nothing is proven: goals are not between 0 and 100"),
            GoalSum::Varies if roles == 2 => Some(
                "goals do not add up to the same: an upper bound is the best that could happen",
            ),
            _ => None,
        }
    }

    /// A joint move of a node leads to a child from now on.
    pub(crate) fn link(&mut self, tree: &mut Tree, node: NodeId, child: NodeId) {
        if let Some(goals) = tree.goals(child) {
            let ranges: Option<Vec<ScoreRange>> =
                goals.iter().map(|&goal| ScoreRange::of_goal(goal)).collect();
            self.note_end(ranges.as_deref(), tree);
        }
        self.look_ahead(tree, child);
        if tree.goals(child).is_some() || tree.proof(child).is_some() {
            tree.proof_mut(node).computed_at = 0;
        }
    }

    /// Starts the bounds of a new node from the goals that are left.
    fn look_ahead(&mut self, tree: &mut Tree, child: NodeId) {
        let Some(outlook) = &mut self.outlook else { return };
        if tree.goals(child).is_some() || tree.proof(child).is_some() {
            return;
        }
        outlook.look(&tree[child].state);
        let ranges = (0..tree.roles()).map(|role| {
            let [lower, upper] = outlook.range(role)?.map(f64::from);
            let (lower, upper) = (ScoreRange::of_goal(lower)?, ScoreRange::of_goal(upper)?);
            Some(ScoreRange { lower: lower.lower, upper: upper.upper })
        });
        let ranges: Option<ScoreRanges> = ranges.collect();
        let is_news = |range: &ScoreRange| *range != ScoreRange::ANY;
        let Some(ranges) = ranges.filter(|ranges| ranges.iter().any(is_news)) else { return };
        let is_solved = ranges.iter().all(|range| range.is_exact());
        if is_solved {
            // Every end after it has these goals.
            self.note_end(Some(&ranges), tree);
        }
        self.now += 1;
        let proof = tree.proof_mut(child);
        (proof.changed_at, proof.is_solved) = (self.now, is_solved);
        tree.set_ranges(child, &ranges);
        self.counts.solved += u64::from(is_solved);
    }

    /// An end with these exact scores was seen.
    fn note_end(&mut self, ranges: Option<&[ScoreRange]>, tree: &mut Tree) {
        let Some(ranges) = ranges else { return self.switch_off(tree) };
        let sum = || ranges.iter().map(|range| i64::from(range.lower)).sum();
        match self.sum {
            GoalSum::Unknown if self.shared.has_sum(sum()) => self.sum = GoalSum::Constant(sum()),
            GoalSum::Unknown => self.give_up_sum(tree),
            GoalSum::Constant(known) if known != sum() => self.give_up_sum(tree),
            _ => {}
        }
    }

    /// The goals of two roles do not add up to the same: what followed from that is forgotten.
    fn give_up_sum(&mut self, tree: &mut Tree) {
        if self.sum != GoalSum::Varies {
            self.sum = GoalSum::Varies;
            tree.proofs.forget_upper_bounds();
            self.shared.sums_vary.store(true, Ordering::Relaxed);
            self.shared.is_decided.store(false, Ordering::Relaxed);
        }
    }

    /// A goal has no bounds: nothing is proven any more.
    fn switch_off(&mut self, tree: &mut Tree) {
        if !self.is_off {
            self.is_off = true;
            tree.proofs.forget_all_bounds();
            self.shared.is_off.store(true, Ordering::Relaxed);
            self.shared.is_decided.store(false, Ordering::Relaxed);
        }
    }

    /// Back-propagation of bounds along the path of a simulation, from its last node up; whether
    /// anything was proven. Scores are discounted by this factor from a node to its parent.
    pub(crate) fn update(
        &mut self,
        tree: &mut Tree,
        simulation: &Simulation,
        discount: f64,
    ) -> bool {
        let mut is_news = false;
        for level in (0..simulation.depth()).rev() {
            let node = simulation.nodes[level];
            let Some(child) = tree.child(node, simulation.level(level)) else { continue };
            if !self.wants(tree, node, child) {
                continue;
            }
            let (open, pruned) = (self.open_moves(tree, node), self.counts.pruned);
            is_news |= self.compute(tree, node);
            if self.counts.pruned > pruned && level > 0 {
                let above = simulation.level(level - 1);
                self.leave_mean(tree, node, &open, above, discount);
            }
        }
        is_news
    }

    /// The moves of the only role that chooses in a node that are not pruned; none where another
    /// role's scores do not follow from those of the chooser.
    fn open_moves(&self, tree: &Tree, node: NodeId) -> Vec<usize> {
        let role = tree.chooser(node).filter(|_| self.sum != GoalSum::Varies);
        let open = |role: Role| {
            let closed = tree.closed(node, role, PRUNED);
            tree.span(node, role).enumerate().filter(move |(at, _)| !closed.has(*at))
        };
        role.into_iter().flat_map(open).map(|(_, place)| place).collect()
    }

    /// Takes moves that were pruned just now out of the mean of the joint move that leads to a node: their
    /// visits count as if the others had been chosen. Winands, Björnsson and Saito 2008 found that
    /// means are misleading otherwise.
    fn leave_mean(
        &self,
        tree: &mut Tree,
        node: NodeId,
        before: &[usize],
        above: &[MoveId],
        discount: f64,
    ) {
        let Some(role) = tree.chooser(node) else { return };
        let first = tree.span(node, role).start;
        let closed = tree.closed(node, role, PRUNED);
        let (mut open, mut gone) = ((0.0, 0.0), (0.0, 0.0));
        for &place in before {
            let entry = &tree.moves[place];
            let sums = if closed.has(place - first) { &mut gone } else { &mut open };
            *sums = (sums.0 + entry.visits, sums.1 + entry.total);
        }
        if open.0 > 0.0 {
            let gain = discount * (gone.0 * open.1 / open.0 - gone.1);
            for (other, &at) in above.iter().enumerate() {
                let entry = &mut tree[at];
                let total = entry.total + if other == role { gain } else { -gain };
                entry.total = total.clamp(0.0, 100.0 * entry.visits);
            }
        }
    }

    /// Whether the bounds of a node are to be computed after a simulation through this child. Those of
    /// a matrix hardly change before a whole row or column has changed (section 6.5 of the thesis), so
    /// that many changes are waited for, unless everything after the child is solved.
    fn wants(&self, tree: &mut Tree, node: NodeId, child: NodeId) -> bool {
        let is_stale = self.is_stale(tree, node, child);
        if !is_matrix(tree, node, self.sum) {
            return is_stale;
        }
        if tree.is_solved(child) {
            let mut children = tree.children(node).map(|link| link.child);
            let is_waiting = tree.proof(node).is_some_and(|proof| proof.pending > 0);
            return is_waiting || children.any(|child| self.is_stale(tree, node, child));
        }
        if !is_stale {
            return false;
        }
        let enough = tree.span(node, 0).len().min(tree.span(node, 1).len());
        let proof = tree.proof_mut(node);
        proof.computed_at = self.now;
        proof.pending = proof.pending.saturating_add(1);
        usize::from(proof.pending) >= enough
    }

    /// Whether the bounds of a node are older than those of a child.
    fn is_stale(&self, tree: &Tree, node: NodeId, child: NodeId) -> bool {
        let changed_at = tree.proof(child).map_or(0, |proof| proof.changed_at);
        let computed_at = tree.proof(node).map(|proof| proof.computed_at);
        match computed_at {
            Some(computed_at) => computed_at == 0 || changed_at > computed_at,
            None => changed_at > 0,
        }
    }

    /// Computes the bounds of an open node by those of its children; whether they changed.
    pub(crate) fn compute(&mut self, tree: &mut Tree, node: NodeId) -> bool {
        if self.is_off {
            return false;
        }
        let was_solved = tree.is_solved(node);
        let before: Vec<ScoreRange> =
            (0..tree.roles()).map(|role| tree.range(node, role)).collect();
        tree.proof_mut(node).computed_at = self.now;
        let is_matrix = is_matrix(tree, node, self.sum);
        let mut ranges = self.backing.ranges(tree, node, self.sum);
        if is_matrix {
            ranges = self.matrices.ranges(tree, node, self.sum);
        }
        for (range, &before) in ranges.iter_mut().zip(&before) {
            *range = range.and(before);
        }
        tree.set_ranges(node, &ranges);
        let is_solved = ranges.iter().all(|range| range.is_exact());
        self.counts.pruned += match is_matrix {
            true => self.matrices.flag_moves(tree, node),
            false => self.backing.flag_moves(tree, node, self.sum),
        };
        let plies = if is_solved { self.backing.plies(tree, node, &ranges) } else { 0 };
        self.counts.solved += u64::from(is_solved && !was_solved);
        let is_changed = ranges[..] != before[..];
        self.now += u32::from(is_changed);
        let now = self.now;
        let proof = tree.proof_mut(node);
        (proof.is_solved, proof.plies) = (is_solved, plies);
        (proof.computed_at, proof.pending) = (now, 0);
        if is_changed {
            proof.changed_at = now;
        }
        is_changed
    }

    /// The matrix games and linear programs that were solved.
    pub(crate) fn solutions(&self) -> u64 {
        self.matrices.solutions()
    }

    /// If both opponents choose at the root and its score is known: weights of a role's moves by which
    /// it secures that, where such a strategy is to be played.
    pub(crate) fn strategy(&mut self, tree: &Tree, role: Role) -> Option<Vec<u64>> {
        let is_known =
            self.is_mixed && tree.is_solved(tree.root) && tree.goals(tree.root).is_none();
        let is_known = is_known && is_matrix(tree, tree.root, self.sum);
        is_known.then(|| self.matrices.strategy(tree, tree.root, role))
    }

    /// Whether the score of the root is known, and a move that secures it, in this tree or in another
    /// one of the search.
    pub(crate) fn is_decided(&self, tree: &Tree) -> bool {
        if is_decided(tree) {
            self.shared.is_decided.store(true, Ordering::Relaxed);
        }
        self.shared.is_decided.load(Ordering::Relaxed)
    }
}

/// Whether the score of the root is known, and a move that secures it.
fn is_decided(tree: &Tree) -> bool {
    let root = tree.root;
    if !tree.is_solved(root) || tree.goals(root).is_some() {
        return false;
    }
    // What secured it may have been thrown away when memory was short.
    let Some(role) = tree.chooser(root) else { return true };
    let secured = tree.range(root, role).lower;
    let secures = |child: NodeId| {
        let range = tree.range(child, role);
        range.lower >= secured || range.is_exact() && range.upper >= secured
    };
    tree.children(root).any(|link| secures(link.child))
}

#[cfg(test)]
mod tests {
    use propnet::game::{MoveSet, State, TableId};

    use super::*;
    use crate::search::tree::NewNode;

    #[test]
    fn what_is_pruned_leaves_the_mean_above() {
        let table = TableId::unique();
        let moves = |count: usize| MoveSet::new(table, 0..count);
        let node = |at: usize, counts: [usize; 2]| NewNode {
            state: State::new(table, [at]),
            legal: counts.map(moves).to_vec(),
            goals: None,
        };
        let mut tree = Tree::new(node(0, [2, 1]), 2, true, &[]);
        let child = tree.add(node(1, [1, 3]));
        tree.open(child);
        let above = [0, 1].map(|role| MoveId::new(tree.span(tree.root, role).start));
        for (at, total) in above.into_iter().zip([2300.0, 1700.0]) {
            (tree[at].visits, tree[at].total) = (40.0, total);
        }
        let replies: Vec<usize> = tree.span(child, 1).collect();
        for (&at, (visits, total)) in
            replies.iter().zip([(10.0, 0.0), (10.0, 500.0), (20.0, 1200.0)])
        {
            (tree.moves[at].visits, tree.moves[at].total) = (visits, total);
        }
        let mut bounds = ScoreBounds::new(&Values::default(), 2);
        bounds.sum = GoalSum::Constant(0);
        let open = bounds.open_moves(&tree, child);
        assert_eq!(open, replies);
        tree.flags_mut(child, 1)[0] = PRUNED;
        bounds.leave_mean(&mut tree, child, &open, &above, 1.0);
        // The mean of the other replies is 1700 / 30, and counts for all 40 visits.
        let totals = above.map(|at| tree[at].total.round());
        assert_eq!(totals, [1733.0, 2267.0]);
    }

    #[test]
    fn what_one_tree_has_seen_the_others_take_over() {
        let table = TableId::unique();
        let tree = || {
            let legal = vec![MoveSet::new(table, 0..2); 2];
            Tree::new(NewNode { state: State::new(table, [0]), legal, goals: None }, 2, true, &[])
        };
        let mut trees = [tree(), tree()];
        let mut bounds = [(); 2].map(|()| ScoreBounds::new(&Values::default(), 2));
        bounds[1].shared = bounds[0].shared.clone();
        let end = |goals: [f64; 2]| goals.map(|goal| ScoreRange::of_goal(goal).expect("a goal"));
        bounds[0].note_end(Some(&end([60.0, 40.0])), &mut trees[0]);
        assert_eq!(bounds[0].sum_of_goals(), Some((100, false)));
        let root = trees[0].root;
        trees[0].proof_mut(root).is_solved = true;
        trees[0].set_ranges(root, &end([60.0, 40.0]));
        assert!(bounds[0].is_decided(&trees[0]));
        // Each tree has seen a single sum, but not the same one.
        bounds[1].note_end(Some(&end([60.0, 30.0])), &mut trees[1]);
        bounds[0].take_over(&mut trees[0]);
        assert_eq!(bounds.each_ref().map(|own| own.sum), [GoalSum::Varies; 2]);
        let [first, second] = [0, 1].map(|role| trees[0].range(root, role).points());
        assert_eq!((first, second), ([60.0, 100.0], [40.0, 100.0]), "what is secured stays");
        assert!(!trees[0].is_solved(root) && !bounds[0].is_decided(&trees[0]));
        // A goal of -1 or 101 leaves nothing.
        bounds[1].note_end(None, &mut trees[1]);
        bounds[0].take_over(&mut trees[0]);
        assert_eq!(trees[0].range(root, 0), ScoreRange::ANY);
        assert!(bounds[0].notice(2).is_some_and(|notice| notice.starts_with("nothing is proven")));
    }
}
