//! Games for one role: the best line found so far, entered into the tree and followed.
//!
//! Without an opponent nothing unforeseen happens, so what counts is the highest score ever reached,
//! not the average. The line that reached it is kept with all its nodes.
//!
//! Single-player MCTS: Schadd et al. 2008, who also keep the best playout.

use propnet::game::{Game, JointMove, Move, PlayError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{MakeSolver, Solvers};
use crate::search::playout::new_node;
use crate::search::scheme::{Parameter, Part, Values};
use crate::search::tree::{BACKED_UP, BEST, ColumnSpec, MoveId, NodeId, Tree};
use crate::search::tree_search::Simulation;

/// Whether best lines are searched for.
pub(crate) const ONE_ROLE: Parameter = Parameter::switch(
    "one_role",
    "whether a game for one role is searched for its best line",
    true,
);

/// Whether the methods for puzzles search beside the tree.
pub(crate) const PORTFOLIO: Parameter = Parameter::switch(
    "portfolio",
    "whether players under a clock solve games for one role by all methods of ludens solve, too",
    true,
);

/// The part with this name.
pub(crate) const PART: Part<MakeSolver> = Part {
    name: "best_line",
    help: "in games for one role, the line with the highest score is kept and followed",
    paper: "Finnsson 2012, section 3.3.5",
    parameters: &[ONE_ROLE, PORTFOLIO],
    make: |values, roles| Solvers { best_line: for_roles(values, roles), score_bounds: None },
};

/// The best line of a game, if there is one to search for.
pub(super) fn for_roles(values: &Values, roles: usize) -> Option<BestLine> {
    (roles == 1 && values.is_on(&ONE_ROLE)).then(BestLine::new)
}

/// The highest score that a game can give.
const HIGHEST: f64 = 100.0;

/// Lines that equal the best enter in any case up to this number.
const FIRST_EQUALS: u64 = 16;

/// When lines have added this number of nodes, those that equal the best do not enter until the
/// clock is read: entering a move costs as much as playing a hundred.
const MOST_AT_ONCE: usize = 4000;

/// The best line so far.
pub(crate) struct BestLine {
    /// Its score; a score of 0 or less is not worth a best line.
    pub(crate) score: f64,
    /// Its joint moves from the root on.
    pub(crate) moves: Vec<JointMove>,
    /// Simulations since the first one as good, and how many of them were as good.
    simulations: u64,
    equals: u64,
    /// The nodes that lines added since the clock was read.
    added: usize,
}

impl BestLine {
    /// The statistics of moves that it needs.
    pub(crate) const COLUMNS: &[ColumnSpec] = &[BEST];

    pub(crate) fn new() -> Self {
        BestLine { score: 0.0, moves: Vec::new(), simulations: 0, equals: 0, added: 0 }
    }

    /// Whether there is nothing better to be found.
    pub(crate) fn is_solved(&self) -> bool {
        self.score >= HIGHEST
    }

    /// The joint move to follow the line from the root, if there is one.
    pub(crate) fn next(&self) -> Option<&JointMove> {
        self.moves.first()
    }

    /// Counts simulations.
    pub(crate) fn count(&mut self, simulations: usize) {
        self.simulations += simulations as u64;
    }

    /// The clock was read.
    pub(crate) fn begin_round(&mut self) {
        self.added = 0;
    }

    /// Whether a line with this score is to enter the tree: it beats the best or equals it.
    ///
    /// A line that is worth nothing does not, since there is nothing about it to remember. Nor does
    /// one that equals the best where most simulations do: the tree would be filled with what is
    /// found anyway, and there would be time for hardly any simulations.
    pub(crate) fn wants(&mut self, score: f64) -> bool {
        if score != self.score {
            return score > self.score;
        }
        self.equals += 1;
        let is_rare = self.equals <= FIRST_EQUALS || 2 * self.equals <= self.simulations;
        score > 0.0 && is_rare && self.added < MOST_AT_ONCE
    }

    /// Enters the playout after a simulation into the tree, as far as there is room, and takes it over if
    /// it is the best. Returns the moves that lead to a child only now, with their nodes and children.
    pub(crate) fn enter(
        &mut self,
        tree: &mut Tree,
        game: &mut dyn Game,
        simulation: &Simulation,
        moves: &[Move],
        score: f64,
        room: &Room,
    ) -> Result<Vec<(NodeId, MoveId, NodeId)>, PlayError> {
        let before = tree.nodes.len();
        let mut links = Vec::new();
        let mut passed = simulation.nodes.clone();
        // A node counts once for a simulation; those of the simulation are counted by it.
        let mut counted: FxHashSet<NodeId> = passed.iter().copied().collect();
        let mut node = *passed.last().expect("a simulation has the root");
        for (at, &chosen) in moves.iter().enumerate() {
            if !tree.is_open(node) && !room.is_left(tree) {
                break;
            }
            tree.open(node);
            let Some(places) = tree.places(node, &[chosen]) else { break };
            if at > 0 {
                passed.push(node);
                count(tree, node, places[0], score, counted.insert(node));
            }
            node = match tree.child(node, &places) {
                Some(child) => child,
                None if !room.is_left(tree) => break,
                None => {
                    let state = game.next_state(&tree[node].state, &[chosen])?;
                    let child = tree.add(new_node(game, state)?);
                    tree.link(node, &places, child);
                    links.push((node, places[0], child));
                    child
                }
            };
        }
        self.added += tree.nodes.len() - before;
        if score > self.score || self.moves.is_empty() {
            let above =
                (0..simulation.depth() - 1).map(|level| tree.joint(simulation.level(level)));
            let line = above.chain(moves.iter().map(|&chosen| vec![chosen])).collect();
            let moves = without_loops(&passed, line);
            *self = BestLine { score, moves, added: self.added, ..BestLine::new() };
        }
        Ok(links)
    }

    /// Goes on to the next state, or forgets a best line that was not followed.
    pub(crate) fn advance(&mut self, joint: &[Move]) {
        if self.moves.first().is_some_and(|planned| planned == joint) {
            self.moves.remove(0);
        } else {
            *self = BestLine::new();
        }
    }
}

/// What a line may add to a tree.
pub(crate) struct Room {
    /// The most nodes that the tree may have.
    pub(crate) nodes: usize,
    /// The most bytes that it may take, also while it is copied.
    pub(crate) bytes: usize,
}

impl Room {
    fn is_left(&self, tree: &Tree) -> bool {
        tree.nodes.len() < self.nodes && tree.bytes_with_copy() <= self.bytes
    }
}

/// Updates a node's move by a line that it is part of; a visit is counted only where the line
/// passes for the first time.
fn count(tree: &mut Tree, node: NodeId, at: MoveId, score: f64, is_visit: bool) {
    if is_visit {
        tree[node].visits += 1.0;
        tree[at].visits += 1.0;
        tree[at].total += score;
        tree.columns.add(BACKED_UP, &[at.index()], 1.0);
    }
    if let Some(best) = tree.columns.get_mut(BEST) {
        best[at.index()] = best[at.index()].max(score);
    }
}

/// The moves of a line, made in these nodes as far as they are known, without those that lead back:
/// a player that follows it need not leave a state to which it returns.
fn without_loops(nodes: &[NodeId], mut line: Vec<JointMove>) -> Vec<JointMove> {
    let last: FxHashMap<NodeId, usize> = (0..).zip(nodes).map(|(at, &node)| (node, at)).collect();
    let mut straight = Vec::new();
    let mut at = 0;
    while at < line.len() {
        at = nodes.get(at).map_or(at, |node| last[node]);
        straight.push(std::mem::take(&mut line[at]));
        at += 1;
    }
    straight
}

#[cfg(test)]
mod tests {
    use propnet::game::TableId;
    use propnet::lanes::Ending;

    use super::*;
    use crate::search::budget::Budget;
    use crate::search::playout::Simulator;
    use crate::search::tree_search::{CHOICE, Trial};

    /// Three states in a ring, and a way out of it that is worth 70. Going on gives 100 on the way,
    /// but not at the end.
    const RING: &str = "
        (role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 0)
        (legal walker on) (legal walker out)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does walker on))
        (<= (next out) (does walker out))
        (<= terminal (true out))
        (<= (goal walker 70) (true out)) (<= (goal walker 100) (true (at ?x)))";

    fn trial(sheet: &str) -> Trial {
        Trial::new(sheet, "uct", &["in_flight=1"])
    }

    /// The nodes after the root, in the order of their numbers.
    fn visits(tree: &Tree) -> Vec<f64> {
        tree.nodes.iter().map(|node| node.visits).collect()
    }

    #[test]
    fn a_line_counts_once_in_each_node_however_often_it_comes_by() {
        let mut trial = trial(RING);
        let moves = trial.moves(&[0, 0, 0, 0, 0, 0, 0, 1]);
        trial.simulate(&moves, 70, Ending::Terminal);
        let tree = &trial.search.tree;
        assert_eq!(tree.nodes.len(), 4);
        assert_eq!(visits(tree), [1.0, 1.0, 1.0, 0.0], "the end is not chosen from");
        let best_line = trial.search.parts.best_line.as_ref().expect("a game for one");
        assert_eq!((best_line.score, best_line.moves.len()), (70.0, 2), "{:?}", best_line.moves);
        let places = tree.places(tree.root, &moves[..1]).expect("a legal move");
        assert_eq!(tree.columns.get(BEST).expect("a column")[places[0].index()], 70.0);
        let children = (0..4).map(|node| tree.children(NodeId::new(node)).count());
        assert_eq!(children.collect::<Vec<_>>(), [1, 2, 1, 0], "a ring with a way out");
    }

    #[test]
    fn a_playout_that_was_cut_is_no_plan_and_solves_nothing() {
        let mut trial = trial(RING);
        trial.simulate(&trial.moves(&[0; 9]), 100, Ending::Limit);
        let best_line = trial.search.parts.best_line.as_ref().expect("a game for one");
        assert_eq!((best_line.score, best_line.moves.len()), (0.0, 0));
        let best = trial.search.tree.columns.get(BEST).expect("a column");
        assert!(best.iter().all(|best| best.is_infinite()));
        assert!(trial.launch(&Budget::simulations(100)), "there is something left to find");
    }

    #[test]
    fn lines_are_followed_without_their_loops() {
        let table = TableId::unique();
        let line = |moves: &[u32]| -> Vec<JointMove> {
            moves.iter().map(|&index| vec![Move::new(table, index)]).collect()
        };
        let straight = |nodes: &[usize], moves: &[u32]| {
            let nodes: Vec<NodeId> = nodes.iter().map(|&node| NodeId::new(node)).collect();
            without_loops(&nodes, line(moves))
        };
        assert_eq!(straight(&[5, 6, 7], &[1, 2, 3]), line(&[1, 2, 3]));
        assert_eq!(straight(&[5, 6, 7, 6, 8], &[1, 2, 3, 4, 5]), line(&[1, 4, 5]));
        assert_eq!(straight(&[5, 6, 5], &[1, 2, 3, 4]), line(&[3, 4]));
    }

    #[test]
    fn nodes_of_a_line_are_expansions() {
        for (most, expected) in [(None, 4), (Some(4), 4), (Some(3), 3), (Some(1), 1)] {
            let mut trial = trial(STAIRS);
            let budget = Budget { expansions: most, ..Budget::default() };
            trial.search.begin(&budget);
            trial.simulate(&trial.moves(&[0; 4]), 70, Ending::Terminal);
            let search = &trial.search;
            assert_eq!(search.counts.expansions, expected, "{most:?}");
            assert_eq!(search.tree.nodes.len() as u64, expected + 1, "{most:?}");
            assert_eq!(
                search.parts.best_line.as_ref().map(|best_line| best_line.moves.len()),
                Some(4)
            );
        }
    }

    #[test]
    fn a_line_takes_no_memory_where_there_is_none() {
        for (bytes, opens) in [(0, false), (usize::MAX, true)] {
            let mut trial = trial(CHOICE);
            // Its first move leads to a node that is not open yet; it is worth nothing itself.
            let moves = trial.moves(&[1; 8]);
            trial.simulate(&moves, 0, Ending::Terminal);
            let (tree, game) = (&mut trial.search.tree, trial.simulator.game());
            let places = tree.places(tree.root, &moves[..1]).expect("a legal move");
            let child = tree.child(tree.root, &places).expect("a child");
            let mut simulation = Simulation::default();
            simulation.reset(1, 1);
            simulation.nodes.push(tree.root);
            simulation.chosen.extend(places);
            let (mut best_line, room) = (BestLine::new(), Room { nodes: usize::MAX, bytes });
            let before = tree.bytes();
            best_line.enter(tree, game, &simulation, &moves, 80.0, &room).expect("states");
            assert_eq!((tree.is_open(child), tree.bytes() > before), (opens, opens));
            assert_eq!(
                (best_line.score, best_line.moves.len()),
                (80.0, 8),
                "it is followed all the same"
            );
        }
    }

    #[test]
    fn lines_that_equal_the_best_enter_unless_most_do() {
        let mut best_line = BestLine { score: 70.0, ..BestLine::new() };
        assert!(best_line.wants(71.0) && !best_line.wants(69.0));
        // One simulation of three is as good.
        for _ in 0..1000 {
            best_line.count(3);
            assert!(best_line.wants(70.0));
        }
        // Now all are, until most have been.
        let entered = (0..10_000).filter(|_| {
            best_line.count(1);
            best_line.wants(70.0)
        });
        assert_eq!(entered.count(), 1000);
        assert!(best_line.wants(80.0), "what is better always enters");
        assert!(!BestLine::new().wants(0.0), "nothing is gained");
    }

    #[test]
    fn few_lines_enter_at_once() {
        let mut best_line = BestLine { score: 70.0, added: MOST_AT_ONCE, ..BestLine::new() };
        assert!(!best_line.wants(70.0) && best_line.wants(71.0));
        best_line.begin_round();
        assert!(best_line.wants(70.0));
    }

    #[test]
    fn a_line_that_equals_the_best_enters_with_its_whole_path() {
        let mut trial = trial(RING);
        trial.simulate(&trial.moves(&[1]), 70, Ending::Terminal);
        assert_eq!(trial.search.tree.nodes.len(), 2);
        trial.simulate(&trial.moves(&[0, 0, 1]), 70, Ending::Terminal);
        assert_eq!(trial.search.tree.nodes.len(), 4);
        assert_eq!(visits(&trial.search.tree), [2.0, 0.0, 1.0, 1.0]);
        let best_line = trial.search.parts.best_line.as_ref().expect("a game for one");
        assert_eq!(best_line.moves, [trial.moves(&[1])], "the first of those that are equal");
    }

    /// Four steps up.
    const STAIRS: &str = "
        (role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (legal walker on) (legal walker hop)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= terminal (true (at 4)))
        (goal walker 70)";
}
