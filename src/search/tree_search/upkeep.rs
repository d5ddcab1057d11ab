//! A tree between moves, and when memory is short.

use propnet::game::{Game, Move, PlayError};

use super::settling::Settling;
use super::simulation::{Simulation, Simulations};
use super::tree_search::{TreeSearch, WorkerNumber};
use crate::search::budget::{Budget, Clock};
use crate::search::playout::new_node;
use crate::search::tree::{NodeId, keep, mark, throw_away};

/// The share of the time left that may be spent on copying a tree: the search itself comes first.
const COPYING_SHARE: u32 = 4;

/// A copy that was not done in time is tried again when the time for each node is longer by this
/// factor.
const MORE_TIME: f64 = 1.2;

/// More nodes than a tree has.
const ALL: usize = usize::MAX;

/// What is known from run to run about copying a tree in time.
#[derive(Default)]
pub(crate) struct Pace {
    /// The seconds for each node that were not enough the last time; 0 if they were.
    too_short: f64,
}

impl TreeSearch {
    /// Before a search: frees what could not be reached any more since the last moves, and what was
    /// rarely visited if the tree is full.
    ///
    /// Copying takes time for each node that stays. With a budget of time, it waits until more
    /// nodes go than stay: so it costs no more than a small part of what it took to add those that
    /// go, and at most half of the nodes are of no use.
    ///
    /// A tree that is full and cannot be copied in time stays as it is, without a node or a move more:
    /// what it knows is worth more than room for what would have to be found again.
    pub(crate) fn clear_up(&mut self, budget: &Budget, pace: &mut Pace) {
        self.is_full &= self.is_short();
        let has_garbage = match budget.counts() {
            true => self.garbage.is_some(),
            false => self.is_mostly_garbage(),
        };
        if !self.is_full && !has_garbage {
            return;
        }
        let mut clock = Clock::new(budget).sooner(COPYING_SHARE);
        let time = clock.left().map(|left| left.as_secs_f64() / self.reachable().max(1) as f64);
        if time.is_some_and(|time| time < MORE_TIME * pace.too_short) {
            return;
        }
        let freed = match self.is_full {
            true => self.free(&mut clock),
            false => self.copy(ALL, &mut clock).then_some(true),
        };
        self.is_full = freed != Some(true) && self.is_short();
        if !budget.is_stopped() {
            pace.too_short = time.filter(|_| freed.is_none()).unwrap_or(0.0);
        }
    }

    /// Throws nodes away if memory is short. If there is no time for that, or not enough goes, the
    /// tree does not grow any more in this search.
    pub(crate) fn make_room(&mut self, clock: &mut Clock) {
        if !self.is_full && self.is_short() {
            self.is_full = self.free(&mut clock.sooner(COPYING_SHARE)) != Some(true);
        }
    }

    /// Whether memory is short. That is so while there is still room for a copy, so that the tree
    /// that is thrown away and the one that stays together keep to the limit.
    fn is_short(&self) -> bool {
        self.tree.bytes_with_copy() > self.limit
    }

    /// Throws nodes away: those that cannot be reached, where they are the most, else also those
    /// that were rarely visited. Returns whether enough went; none if there was not enough time.
    fn free(&mut self, clock: &mut Clock) -> Option<bool> {
        if self.is_mostly_garbage() {
            // The number is approximate; any excess is seen the next time.
            return self.copy(ALL, clock).then_some(true);
        }
        let is_done = self.copy(self.tree.nodes.len() / 2, clock);
        self.counts.prunings += u64::from(is_done);
        is_done.then(|| self.tree.bytes_with_copy() <= self.limit / 4 * 3)
    }

    /// Whether more nodes cannot be reached than can.
    fn is_mostly_garbage(&self) -> bool {
        2 * self.reachable() < self.tree.nodes.len()
    }

    /// About how many nodes can be reached.
    fn reachable(&self) -> usize {
        self.tree.nodes.len() - self.garbage.unwrap_or(0)
    }

    /// Copies what can be reached, at most this many nodes; returns whether there was enough time.
    fn copy(&mut self, most: usize, clock: &mut Clock) -> bool {
        let mut simulations: Vec<&mut Simulation> =
            self.simulations.iter_mut().flat_map(Simulations::in_flight).collect();
        let nodes = simulations.iter().flat_map(|simulation| simulation.nodes.iter().copied());
        let held: Vec<NodeId> = nodes.collect();
        let is_reachable = match self.garbage {
            Some(_) => mark(&self.tree, clock),
            None => Some(vec![true; self.tree.nodes.len()]),
        };
        let Some(is_reachable) = is_reachable else { return false };
        let Some(kept) = keep(&self.tree, &is_reachable, most, &held, clock) else { return false };
        for simulation in &mut simulations {
            simulation.follow(&self.tree, &kept.tree, &kept.moved);
        }
        if let Some(score_bounds) = &mut self.parts.score_bounds {
            score_bounds.asks.follow(&kept.moved);
        }
        throw_away(std::mem::replace(&mut self.tree, kept.tree));
        self.garbage = None;
        true
    }

    /// Cancels what a worker has in flight.
    pub(crate) fn call_off(&mut self, worker: WorkerNumber) {
        self.jobs.clear();
        self.simulations[worker].cancel(&mut self.tree);
    }

    /// About how many nodes cannot be reached any more when a child becomes the root. About one
    /// node can for each simulation that went there; more where states are reached in several ways.
    fn garbage_below(&self, child: NodeId) -> usize {
        let visits = |node: NodeId| self.tree[node].visits;
        let share = visits(child) / visits(self.tree.root).max(visits(child)).max(1.0);
        self.tree.nodes.len() - (share * self.reachable() as f64) as usize
    }

    /// Goes on to the state after a joint move, with what is known from there on. Nothing is under
    /// way; what cannot be reached any more is freed later.
    pub(crate) fn advance(&mut self, joint: &[Move], game: &mut dyn Game) -> Result<(), PlayError> {
        self.settling = Settling::default();
        self.played += 1;
        if let Some(score_bounds) = &mut self.parts.score_bounds {
            score_bounds.asks.clear(&mut self.tree);
        }
        let root = self.tree.root;
        let known = match self.tree.places(root, joint) {
            Some(places) => self.tree.child(root, &places),
            None => None,
        };
        let is_kept = self.parts.expansion.keeps_tree;
        match known.filter(|_| is_kept) {
            Some(child) => {
                self.garbage = Some(self.garbage_below(child));
                self.tree.set_root(child);
            }
            None => {
                let state = self.tree[root].state.clone();
                let next = game.next_state(&state, joint)?;
                let mut tree = self.tree.empty_like();
                let root = tree.add(new_node(game, next)?);
                tree.set_root(root);
                throw_away(std::mem::replace(&mut self.tree, tree));
                self.garbage = None;
            }
        }
        for adjustment in self.parts.selection.adjustments() {
            adjustment.change_root();
        }
        if let Some(best_line) = &mut self.parts.best_line {
            best_line.advance(joint);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::tree_search::Counts;
    use super::super::trial::{CHOICE, Trial, ring};
    use super::*;
    use crate::search::playout::Simulator;
    use crate::search::tree::MoveId;

    fn trial() -> Trial {
        let mut trial = Trial::new(CHOICE, "uct", &["one_role=off"]);
        trial.run(&Budget::simulations(400));
        trial
    }

    /// Goes on to a child of the root to which this share of the simulations went.
    fn advance(trial: &mut Trial, share: f64) {
        let (search, game) = (&mut trial.search, trial.simulator.game());
        let tree = &mut search.tree;
        let place = MoveId::new(tree.span(tree.root, 0).start);
        let child = tree.child(tree.root, &[place]).expect("a child");
        tree[child].visits = share * tree[tree.root].visits;
        let joint = [tree.what(place)];
        search.advance(&joint, game).expect("a legal move");
    }

    #[test]
    fn what_cannot_be_reached_is_freed_when_it_is_worth_its_time() {
        let hour = Budget::time(Duration::from_secs(3600));
        for (share, budget, is_freed) in [
            (0.3, &hour, true),
            (0.7, &hour, false),
            (0.7, &Budget::default(), false),
            (0.3, &Budget::default(), true),
            (0.7, &Budget::simulations(1), true),
        ] {
            let mut trial = trial();
            let before = trial.search.tree.nodes.len();
            advance(&mut trial, share);
            trial.search.clear_up(budget, &mut Pace::default());
            let after = trial.search.tree.nodes.len();
            assert_eq!(after < before, is_freed, "{share}, {budget:?}");
            assert_eq!(trial.search.garbage.is_none(), is_freed);
        }
    }

    #[test]
    fn what_cannot_be_reached_adds_up() {
        let hour = Budget::time(Duration::from_secs(3600));
        let mut trial = trial();
        let before = trial.search.tree.nodes.len();
        for _ in 0..2 {
            advance(&mut trial, 0.7);
        }
        assert!(trial.search.garbage.is_some_and(|garbage| 2 * garbage > before));
        trial.search.clear_up(&hour, &mut Pace::default());
        assert!(trial.search.tree.nodes.len() < before);
    }

    /// A ring that is too large for its memory, and for the clock not to be looked at.
    fn full() -> Trial {
        let mut trial = Trial::new(CHOICE, "uct", &["one_role=off"]);
        trial.search.tree = ring(5000);
        trial.search.limit = trial.search.tree.bytes_with_copy() - 1;
        trial
    }

    #[test]
    fn a_full_tree_that_cannot_be_copied_in_time_is_searched_as_it_is() {
        let mut trial = full();
        let over = Budget::until(Instant::now());
        trial.search.make_room(&mut Clock::new(&over));
        trial.search.clear_up(&over, &mut Pace::default());
        assert!(trial.search.is_full, "also after the next run has begun");
        assert_eq!(trial.search.tree.nodes.len(), 5000, "nothing was thrown away");
    }

    #[test]
    fn a_full_tree_is_searched_and_takes_no_byte_more() {
        for is_full in [true, false] {
            let mut trial = Trial::new(CHOICE, "uct", &["one_role=off"]);
            trial.run(&Budget::simulations(40));
            trial.search.is_full = is_full;
            let before = trial.search.tree.bytes();
            trial.run(&Budget::simulations(100));
            let Counts { simulations, expansions, .. } = trial.search.counts;
            assert_eq!((simulations, expansions == 0), (100, is_full));
            assert_eq!(trial.search.tree.bytes() == before, is_full);
        }
    }

    #[test]
    fn a_copy_in_time_that_frees_too_little_is_no_matter_of_time() {
        let mut trial = full();
        trial.search.limit /= 8;
        trial.search.is_full = true;
        let mut pace = Pace::default();
        trial.search.clear_up(&Budget::time(Duration::from_secs(3600)), &mut pace);
        assert!(trial.search.is_full && trial.search.tree.nodes.len() < 5000);
        assert_eq!(pace.too_short, 0.0);
    }

    #[test]
    fn what_could_not_be_copied_in_time_is_tried_again_with_more_of_it() {
        let hour = Budget::time(Duration::from_secs(3600));
        // A share of the hour is 0.18 seconds for each of 5000 nodes.
        for (too_short, garbage, budget, is_tried) in [
            (1.0, 0, &hour, false),
            (1.0, 4900, &hour, true),
            (0.1, 0, &hour, true),
            (1.0, 0, &Budget::simulations(1), true),
        ] {
            let mut trial = full();
            trial.search.is_full = true;
            trial.search.garbage = Some(garbage);
            let mut pace = Pace { too_short };
            trial.search.clear_up(budget, &mut pace);
            assert_eq!(!trial.search.is_full, is_tried, "{too_short}, {garbage}, {budget:?}");
            assert_eq!(pace.too_short, if is_tried { 0.0 } else { too_short });
        }
    }

    #[test]
    fn a_tree_keeps_to_its_limit_together_with_its_copy() {
        let ample = trial().search;
        // Room for half of the nodes.
        let limit = ample.tree.bytes_with_copy() / 2;
        let mut trial = Trial::new(CHOICE, "uct", &["one_role=off"]);
        trial.search.limit = limit;
        let budget = Budget::simulations(400);
        let mut clock = Clock::new(&budget);
        let mut largest = 0;
        while trial.launch(&budget) {
            let jobs = trial.jobs();
            trial.play(jobs);
            largest = largest.max(trial.search.tree.bytes_with_copy());
            trial.search.make_room(&mut clock);
            assert!(trial.search.tree.bytes_with_copy() <= limit);
        }
        assert!(trial.search.counts.prunings > 0, "memory was short");
        // A round adds a few nodes before room is made.
        assert!(largest <= limit / 10 * 11, "{largest} of {limit}");
    }
}
