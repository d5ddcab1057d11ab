//! Games for one role: the best line found so far, entered into the tree and followed.
//!
//! Without an opponent nothing unforeseen happens, so what counts is the highest score ever reached,
//! not the average. The line that reached it is kept with all its nodes.

use propnet::game::{Game, JointMove, Move, PlayError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::flight::Flight;
use super::simulator::situation;
use super::tree::Tree;

/// The highest score that a game can give.
pub(super) const HIGHEST: f64 = 100.0;

/// So many lines that equal the best enter in any case.
const FIRST_EQUALS: u64 = 16;

/// When lines have added so many nodes, those that equal the best do not enter before the clock was
/// looked at: entering a move costs as much as playing a hundred.
const MOST_AT_ONCE: usize = 4000;

/// The best line so far.
pub(super) struct Plan {
    /// Its score; nothing below 0 is worth a plan, and neither is 0.
    pub(super) score: f64,
    /// Its joint moves from the root on.
    pub(super) moves: Vec<JointMove>,
    /// Simulations since there was anything as good, and those of them that were.
    simulations: u64,
    equals: u64,
    /// The nodes that lines added since the clock was looked at.
    added: usize,
}

impl Plan {
    pub(super) fn new() -> Self {
        Plan { score: 0.0, moves: Vec::new(), simulations: 0, equals: 0, added: 0 }
    }

    /// Counts simulations.
    pub(super) fn count(&mut self, simulations: usize) {
        self.simulations += simulations as u64;
    }

    /// The clock was looked at.
    pub(super) fn begin_round(&mut self) {
        self.added = 0;
    }

    /// Whether a line with this score is to enter the tree: it beats the best or equals it.
    ///
    /// A line that is worth nothing does not, since there is nothing about it to remember. Nor does
    /// one that equals the best where most simulations do: the tree would be filled with what is
    /// found anyway, and hardly a simulation made in the time for it.
    pub(super) fn wants(&mut self, score: f64) -> bool {
        if score != self.score {
            return score > self.score;
        }
        self.equals += 1;
        let is_rare = self.equals <= FIRST_EQUALS || 2 * self.equals <= self.simulations;
        score > 0.0 && is_rare && self.added < MOST_AT_ONCE
    }

    /// Enters a playout behind a flight into the tree, as far as there is room, and takes it over if
    /// it is the best.
    pub(super) fn enter(
        &mut self,
        tree: &mut Tree,
        game: &mut dyn Game,
        flight: &Flight,
        moves: &[Move],
        score: f64,
        room: &Room,
    ) -> Result<(), PlayError> {
        let before = tree.nodes.len();
        let mut passed = flight.nodes.clone();
        // A node counts once for a simulation; those of the flight are counted by it.
        let mut counted: FxHashSet<u32> = passed.iter().copied().collect();
        let mut node = *passed.last().expect("a flight has the root");
        for (at, &chosen) in moves.iter().enumerate() {
            if !tree.is_open(node) && !room.is_left(tree) {
                break;
            }
            tree.open(node);
            let Some(places) = tree.places(node, &[chosen]) else { break };
            if at > 0 {
                passed.push(node);
                count(tree, node, places[0] as usize, score, counted.insert(node));
            }
            node = match tree.child(node, &places) {
                Some(child) => child,
                None if !room.is_left(tree) => break,
                None => {
                    let state = game.next_state(&tree.nodes[node as usize].state, &[chosen])?;
                    let child = tree.add(situation(game, state)?);
                    tree.link(node, &places, child);
                    child
                }
            };
        }
        self.added += tree.nodes.len() - before;
        if score > self.score || self.moves.is_empty() {
            let above = (0..flight.depth() - 1).map(|level| tree.joint(flight.level(level)));
            let line = above.chain(moves.iter().map(|&chosen| vec![chosen])).collect();
            let moves = without_loops(&passed, line);
            *self = Plan { score, moves, added: self.added, ..Plan::new() };
        }
        Ok(())
    }

    /// Goes on to the next state, or forgets a plan that was not followed.
    pub(super) fn advance(&mut self, joint: &[Move]) {
        if self.moves.first().is_some_and(|planned| planned == joint) {
            self.moves.remove(0);
        } else {
            *self = Plan::new();
        }
    }
}

/// What a line may add to a tree.
pub(super) struct Room {
    /// The most nodes that the tree may have.
    pub(super) nodes: usize,
    /// The most bytes that it may take, also while it is copied.
    pub(super) bytes: usize,
}

impl Room {
    fn is_left(&self, tree: &Tree) -> bool {
        tree.nodes.len() < self.nodes && tree.bytes_with_copy() <= self.bytes
    }
}

/// Tells a node's move about a line that it is part of; a visit only where the line comes by for
/// the first time.
fn count(tree: &mut Tree, node: u32, at: usize, score: f64, is_visit: bool) {
    if is_visit {
        tree.nodes[node as usize].visits += 1.0;
        tree.moves[at].visits += 1.0;
        tree.moves[at].total += score;
    }
    if let Some(best) = tree.best.get_mut(at) {
        *best = best.max(score as f32);
    }
}

/// The moves of a line, made in these nodes as far as they are known, without those that lead back:
/// whoever follows it need not leave a state to which it returns.
fn without_loops(nodes: &[u32], mut line: Vec<JointMove>) -> Vec<JointMove> {
    let last: FxHashMap<u32, usize> = (0..).zip(nodes).map(|(at, &node)| (node, at)).collect();
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
    use propnet::lanes::Ending;

    use super::super::budget::Budget;
    use super::super::settings::{Settings, Strategy};
    use super::super::simulator::Simulator;
    use super::super::trial::{CHOICE, Trial};
    use super::*;

    /// Three states in a ring, and a way out of it that is worth 70. Whoever goes on has 100 on the
    /// way, but not at the end.
    const RING: &str = "
        (role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 0)
        (legal walker on) (legal walker out)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does walker on))
        (<= (next out) (does walker out))
        (<= terminal (true out))
        (<= (goal walker 70) (true out)) (<= (goal walker 100) (true (at ?x)))";

    fn trial(sheet: &str) -> Trial {
        Trial::new(sheet, &Settings { in_flight: Some(1), ..Settings::new(Strategy::Uct) })
    }

    /// The nodes behind the root, in the order of their numbers.
    fn visits(tree: &Tree) -> Vec<f64> {
        tree.nodes.iter().map(|node| node.visits).collect()
    }

    #[test]
    fn a_line_counts_once_in_each_node_however_often_it_comes_by() {
        let mut trial = trial(RING);
        let moves = [0, 0, 0, 0, 0, 0, 0, 1].map(Move);
        trial.simulate(&moves, 70, Ending::Terminal);
        let tree = &trial.grower.tree;
        assert_eq!(tree.nodes.len(), 4);
        assert_eq!(visits(tree), [1.0, 1.0, 1.0, 0.0], "the end is not chosen from");
        let plan = trial.grower.plan.as_ref().expect("a game for one");
        assert_eq!((plan.score, plan.moves.len()), (70.0, 2), "{:?}", plan.moves);
        let places = tree.places(tree.root, &[Move(0)]).expect("a legal move");
        assert_eq!(tree.best[places[0] as usize], 70.0);
        let children = (0..4).map(|node| tree.children(node).count());
        assert_eq!(children.collect::<Vec<_>>(), [1, 2, 1, 0], "a ring with a way out");
    }

    #[test]
    fn a_playout_that_was_cut_is_no_plan_and_solves_nothing() {
        let mut trial = trial(RING);
        trial.simulate(&[0; 9].map(Move), 100, Ending::Limit);
        let plan = trial.grower.plan.as_ref().expect("a game for one");
        assert_eq!((plan.score, plan.moves.len()), (0.0, 0));
        assert!(trial.grower.tree.best.iter().all(|best| best.is_infinite()));
        assert!(trial.launch(&Budget::simulations(100)), "there is something left to find");
    }

    #[test]
    fn lines_are_followed_without_their_loops() {
        let line = |moves: &[u32]| moves.iter().map(|&at| vec![Move(at)]).collect::<Vec<_>>();
        assert_eq!(without_loops(&[5, 6, 7], line(&[1, 2, 3])), line(&[1, 2, 3]));
        assert_eq!(without_loops(&[5, 6, 7, 6, 8], line(&[1, 2, 3, 4, 5])), line(&[1, 4, 5]));
        assert_eq!(without_loops(&[5, 6, 5], line(&[1, 2, 3, 4])), line(&[3, 4]));
    }

    #[test]
    fn nodes_of_a_line_are_expansions() {
        for (most, expected) in [(None, 4), (Some(4), 4), (Some(3), 3), (Some(1), 1)] {
            let mut trial = trial(STAIRS);
            let budget = Budget { expansions: most, ..Budget::default() };
            trial.grower.begin(&budget);
            trial.simulate(&[0; 4].map(Move), 70, Ending::Terminal);
            let grower = &trial.grower;
            assert_eq!(grower.counts.expansions, expected, "{most:?}");
            assert_eq!(grower.tree.nodes.len() as u64, expected + 1, "{most:?}");
            assert_eq!(grower.plan.as_ref().map(|plan| plan.moves.len()), Some(4));
        }
    }

    #[test]
    fn a_line_takes_no_memory_where_there_is_none() {
        for (bytes, opens) in [(0, false), (usize::MAX, true)] {
            let mut trial = trial(CHOICE);
            // Its first move leads to a node that is not open yet; it is worth nothing itself.
            let moves = [1; 8].map(Move);
            trial.simulate(&moves, 0, Ending::Terminal);
            let (tree, game) = (&mut trial.grower.tree, trial.simulator.game());
            let places = tree.places(tree.root, &moves[..1]).expect("a legal move");
            let child = tree.child(tree.root, &places).expect("a child");
            let mut flight = Flight::default();
            flight.reset(1, 1);
            flight.nodes.push(tree.root);
            flight.chosen.extend(places);
            let (mut plan, room) = (Plan::new(), Room { nodes: usize::MAX, bytes });
            let before = tree.bytes();
            plan.enter(tree, game, &flight, &moves, 80.0, &room).expect("states");
            assert_eq!((tree.is_open(child), tree.bytes() > before), (opens, opens));
            assert_eq!((plan.score, plan.moves.len()), (80.0, 8), "it is followed all the same");
        }
    }

    #[test]
    fn lines_that_equal_the_best_enter_unless_most_do() {
        let mut plan = Plan { score: 70.0, ..Plan::new() };
        assert!(plan.wants(71.0) && !plan.wants(69.0));
        // One simulation of three is as good.
        for _ in 0..1000 {
            plan.count(3);
            assert!(plan.wants(70.0));
        }
        // Now all are, until most have been.
        let entered = (0..10_000).filter(|_| {
            plan.count(1);
            plan.wants(70.0)
        });
        assert_eq!(entered.count(), 1000);
        assert!(plan.wants(80.0), "what is better always enters");
        assert!(!Plan::new().wants(0.0), "nothing is gained");
    }

    #[test]
    fn few_lines_enter_at_once() {
        let mut plan = Plan { score: 70.0, added: MOST_AT_ONCE, ..Plan::new() };
        assert!(!plan.wants(70.0) && plan.wants(71.0));
        plan.begin_round();
        assert!(plan.wants(70.0));
    }

    #[test]
    fn a_line_that_equals_the_best_enters_with_its_whole_path() {
        let mut trial = trial(RING);
        trial.simulate(&[1].map(Move), 70, Ending::Terminal);
        assert_eq!(trial.grower.tree.nodes.len(), 2);
        trial.simulate(&[0, 0, 1].map(Move), 70, Ending::Terminal);
        assert_eq!(trial.grower.tree.nodes.len(), 4);
        assert_eq!(visits(&trial.grower.tree), [2.0, 0.0, 1.0, 1.0]);
        let plan = trial.grower.plan.as_ref().expect("a game for one");
        assert_eq!(plan.moves, [[Move(1)]], "the first of those that are equal");
    }

    /// Four steps up.
    const STAIRS: &str = "
        (role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (legal walker on) (legal walker hop)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= terminal (true (at 4)))
        (goal walker 70)";
}
