//! A tree between moves, and when memory is short.

use std::time::Duration;

use propnet::game::{Game, Move, PlayError};

use super::budget::{Budget, Clock};
use super::collect::{keep, mark, throw_away};
use super::flight::{Flight, Flights};
use super::grower::{CrewNumber, Grower};
use super::settings::Strategy;
use super::simulator::situation;

/// The share of the time left that may be spent on clearing up before a search.
const CLEARING_SHARE: u32 = 4;

/// More nodes than a tree has.
const ALL: usize = usize::MAX;

impl Grower {
    /// Before a search: frees what could not be reached any more since the last moves.
    ///
    /// Copying takes time for each node that stays. Where time is what is spent, it waits until more
    /// nodes go than stay: so it costs no more than a small part of what it took to add those that
    /// go, and at most half of the nodes are of no use.
    pub(super) fn clear_up(&mut self, budget: &Budget) {
        self.is_full = false;
        if self.garbage.is_none() || !budget.counts() && !self.is_mostly_garbage() {
            return;
        }
        let mut clock = Clock::new(&budget.sooner(CLEARING_SHARE), Duration::ZERO);
        let is_done = self.copy(ALL, &mut clock);
        // A tree that can neither grow nor be cleared up in time is soon worth nothing.
        if !is_done && !budget.is_stopped() && self.tree.bytes_with_copy() > self.limit {
            self.start_anew();
        }
    }

    /// Throws nodes away if memory is short: those that cannot be reached, where they are the most,
    /// else also those that were rarely visited. If there is no time for that, or not enough goes,
    /// the tree does not grow any more in this search.
    ///
    /// Memory counts as short while there is still room for a copy, so that the tree that is thrown
    /// away and the one that stays together keep to the limit.
    pub(super) fn make_room(&mut self, clock: &mut Clock) {
        if self.is_full || self.tree.bytes_with_copy() <= self.limit {
            return;
        }
        if self.is_mostly_garbage() {
            // It is only about so much; what is too much yet is seen the next time.
            self.is_full = !self.copy(ALL, clock);
            return;
        }
        let is_done = self.copy(self.tree.nodes.len() / 2, clock);
        self.counts.prunings += u64::from(is_done);
        self.is_full = !is_done || self.tree.bytes_with_copy() > self.limit / 4 * 3;
    }

    /// Whether more nodes cannot be reached than can.
    fn is_mostly_garbage(&self) -> bool {
        self.garbage.is_some_and(|garbage| 2 * garbage > self.tree.nodes.len())
    }

    /// Copies what can be reached, so many nodes at most; whether time was enough.
    fn copy(&mut self, most: usize, clock: &mut Clock) -> bool {
        let mut flights: Vec<&mut Flight> =
            self.flights.iter_mut().flat_map(Flights::under_way).collect();
        let nodes = flights.iter().flat_map(|flight| flight.nodes.iter().copied());
        let held: Vec<u32> = nodes.collect();
        let is_reachable = match self.garbage {
            Some(_) => mark(&self.tree, clock),
            None => Some(vec![true; self.tree.nodes.len()]),
        };
        let Some(is_reachable) = is_reachable else { return false };
        let Some(kept) = keep(&self.tree, &is_reachable, most, &held, clock) else { return false };
        for flight in &mut flights {
            flight.follow(&self.tree, &kept.tree, &kept.moved);
        }
        throw_away(std::mem::replace(&mut self.tree, kept.tree));
        self.garbage = None;
        true
    }

    /// Keeps nothing but the root.
    fn start_anew(&mut self) {
        let mut tree = self.tree.empty_like();
        let root = tree.copy_node(&self.tree, self.tree.root);
        tree.set_root(root);
        throw_away(std::mem::replace(&mut self.tree, tree));
        self.garbage = None;
    }

    /// Calls off what a crew has under way.
    pub(super) fn call_off(&mut self, crew: CrewNumber) {
        self.jobs.clear();
        self.flights[crew].cancel(&mut self.tree);
    }

    /// About how many nodes cannot be reached any more when a child becomes the root. As many can as
    /// simulations went there; more where states are reached in several ways.
    fn garbage_behind(&self, child: u32) -> usize {
        let visits = |node: u32| self.tree.nodes[node as usize].visits;
        let share = visits(child) / visits(self.tree.root).max(visits(child)).max(1.0);
        let reachable = self.tree.nodes.len() - self.garbage.unwrap_or(0);
        self.tree.nodes.len() - (share * reachable as f64) as usize
    }

    /// Goes on to the state after a joint move, with what is known from there on. Nothing is under
    /// way; what cannot be reached any more is freed later.
    pub(super) fn advance(&mut self, joint: &[Move], game: &mut dyn Game) -> Result<(), PlayError> {
        let root = self.tree.root;
        let known = match self.tree.places(root, joint) {
            Some(places) => self.tree.child(root, &places),
            None => None,
        };
        let is_kept = self.settings.strategy != Strategy::Mc;
        match known.filter(|_| is_kept) {
            Some(child) => {
                self.garbage = Some(self.garbage_behind(child));
                self.tree.set_root(child);
            }
            None => {
                let state = self.tree.nodes[root as usize].state.clone();
                let next = game.next_state(&state, joint)?;
                let mut tree = self.tree.empty_like();
                let root = tree.add(situation(game, next)?);
                tree.set_root(root);
                throw_away(std::mem::replace(&mut self.tree, tree));
                self.garbage = None;
            }
        }
        if let Some(plan) = &mut self.plan {
            plan.advance(joint);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Settings;
    use super::super::simulator::Simulator;
    use super::super::trial::{CHOICE, Trial};
    use super::*;

    fn trial() -> Trial {
        let mut trial = Trial::new(CHOICE, &Settings { one_role: false, ..Settings::default() });
        trial.run(&Budget::simulations(400));
        trial
    }

    /// Goes on to a child of the root to which this share of the simulations went.
    fn advance(trial: &mut Trial, share: f64) {
        let (grower, game) = (&mut trial.grower, trial.simulator.game());
        let tree = &mut grower.tree;
        let place = tree.span(tree.root, 0).start;
        let child = tree.child(tree.root, &[place as u32]).expect("a child");
        tree.nodes[child as usize].visits = share * tree.nodes[tree.root as usize].visits;
        let joint = [tree.moves[place].what];
        grower.advance(&joint, game).expect("a legal move");
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
            let before = trial.grower.tree.nodes.len();
            advance(&mut trial, share);
            trial.grower.clear_up(budget);
            let after = trial.grower.tree.nodes.len();
            assert_eq!(after < before, is_freed, "{share}, {budget:?}");
            assert_eq!(trial.grower.garbage.is_none(), is_freed);
        }
    }

    #[test]
    fn what_cannot_be_reached_adds_up() {
        let hour = Budget::time(Duration::from_secs(3600));
        let mut trial = trial();
        let before = trial.grower.tree.nodes.len();
        for _ in 0..2 {
            advance(&mut trial, 0.7);
        }
        assert!(trial.grower.garbage.is_some_and(|garbage| 2 * garbage > before));
        trial.grower.clear_up(&hour);
        assert!(trial.grower.tree.nodes.len() < before);
    }

    #[test]
    fn a_tree_keeps_to_its_limit_together_with_its_copy() {
        let ample = trial().grower;
        // Room for half of the nodes.
        let limit = ample.tree.bytes_with_copy() / 2;
        let mut trial = Trial::new(CHOICE, &ample.settings);
        trial.grower.limit = limit;
        let budget = Budget::simulations(400);
        let mut clock = Clock::new(&budget, Duration::ZERO);
        let mut largest = 0;
        while trial.launch(&budget) {
            let jobs = trial.jobs();
            trial.play(jobs);
            largest = largest.max(trial.grower.tree.bytes_with_copy());
            trial.grower.make_room(&mut clock);
            assert!(trial.grower.tree.bytes_with_copy() <= limit);
        }
        assert!(trial.grower.counts.prunings > 0, "memory was short");
        // A round adds a few nodes before room is made.
        assert!(largest <= limit / 10 * 11, "{largest} of {limit}");
    }
}
