//! A tree between moves, and when memory is short.

use std::time::Duration;

use propnet::game::{Game, Move, PlayError};

use super::budget::{Budget, Clock};
use super::collect::{keep, throw_away, visits_of_most};
use super::flight::{Flight, Flights};
use super::grower::{CrewNumber, Grower};
use super::settings::Strategy;
use super::simulator::situation;

/// The share of the time left that may be spent on clearing up before a search.
const CLEARING_SHARE: u32 = 4;

impl Grower {
    /// Before a search: frees what could not be reached any more since the last moves. Where time
    /// is short this waits until memory is, too.
    pub(super) fn clear_up(&mut self, budget: &Budget) {
        self.is_full = false;
        let is_short = self.tree.bytes() > self.limit / 2;
        if !self.has_garbage || !budget.counts() && !is_short {
            return;
        }
        let mut clock = Clock::new(&budget.sooner(CLEARING_SHARE), Duration::ZERO);
        let is_done = self.copy(0.0, &mut clock);
        // A tree that can neither grow nor be cleared up in time is soon worth nothing.
        if !is_done && !budget.is_stopped() && self.tree.bytes() > self.limit {
            self.start_anew();
        }
    }

    /// Throws nodes away if memory is short: those that cannot be reached, then those that were
    /// rarely visited. If there is no time for that the tree does not grow any more in this search.
    pub(super) fn make_room(&mut self, clock: &mut Clock) {
        if self.is_full || self.tree.bytes() <= self.limit {
            return;
        }
        let mut is_done = true;
        if self.has_garbage {
            is_done = self.copy(0.0, clock);
        }
        if is_done && self.tree.bytes() > self.limit / 4 * 3 {
            let least = visits_of_most(&self.tree, self.tree.nodes.len() / 2);
            is_done = self.copy(least, clock);
            self.counts.prunings += u64::from(is_done);
        }
        self.is_full = !is_done || self.tree.bytes() > self.limit / 4 * 3;
    }

    /// Copies what can be reached over nodes that were visited so often; whether time was enough.
    fn copy(&mut self, least_visits: f64, clock: &mut Clock) -> bool {
        let mut flights: Vec<&mut Flight> =
            self.flights.iter_mut().flat_map(Flights::under_way).collect();
        let nodes = flights.iter().flat_map(|flight| flight.nodes.iter().copied());
        let pinned: Vec<u32> = nodes.collect();
        let Some(kept) = keep(&self.tree, least_visits, &pinned, clock) else { return false };
        for flight in &mut flights {
            flight.follow(&self.tree, &kept.tree, &kept.moved);
        }
        throw_away(std::mem::replace(&mut self.tree, kept.tree));
        self.has_garbage = false;
        true
    }

    /// Keeps nothing but the root.
    fn start_anew(&mut self) {
        let mut tree = self.tree.empty_like();
        let root = tree.copy_node(&self.tree, self.tree.root);
        tree.set_root(root);
        throw_away(std::mem::replace(&mut self.tree, tree));
        self.has_garbage = false;
    }

    /// Calls off what a crew has under way.
    pub(super) fn call_off(&mut self, crew: CrewNumber) {
        self.jobs.clear();
        self.flights[crew].cancel(&mut self.tree);
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
                self.tree.set_root(child);
                self.has_garbage = true;
            }
            None => {
                let state = self.tree.nodes[root as usize].state.clone();
                let next = game.next_state(&state, joint)?;
                let mut tree = self.tree.empty_like();
                let root = tree.add(situation(game, next)?);
                tree.set_root(root);
                throw_away(std::mem::replace(&mut self.tree, tree));
                self.has_garbage = false;
            }
        }
        if let Some(plan) = &mut self.plan {
            plan.advance(joint);
        }
        Ok(())
    }
}
