//! A tree between moves, and when memory is short.

use propnet::game::{Game, JointMove, Move, PlayError};

use super::collect::{keep, visits_of_most};
use super::flight::{Flight, Flights};
use super::grower::{CrewNumber, Grower};
use super::settings::Strategy;
use super::simulator::situation;

impl Grower {
    /// Throws nodes away that were rarely visited, if memory is short.
    pub(super) fn make_room(&mut self) {
        if self.is_full || self.tree.bytes() <= self.limit {
            return;
        }
        let least = visits_of_most(&self.tree, self.tree.nodes.len() / 2);
        let mut flights: Vec<&mut Flight> =
            self.flights.iter_mut().flat_map(Flights::under_way).collect();
        let nodes = flights.iter().flat_map(|flight| flight.nodes.iter().copied());
        let pinned: Vec<u32> = nodes.collect();
        let kept = keep(&self.tree, self.tree.root, least, &pinned);
        for flight in &mut flights {
            flight.follow(&self.tree, &kept.tree, &kept.moved);
        }
        self.tree = kept.tree;
        self.counts.prunings += 1;
        self.is_full = self.tree.bytes() > self.limit / 4 * 3;
    }

    /// Calls off what a crew has under way.
    pub(super) fn call_off(&mut self, crew: CrewNumber) {
        self.jobs.clear();
        self.flights[crew].cancel(&mut self.tree);
    }

    /// Goes on to the state after a joint move, and keeps what can be reached from there. Nothing
    /// is under way.
    pub(super) fn advance(&mut self, joint: &[Move], game: &mut dyn Game) -> Result<(), PlayError> {
        let root = self.tree.root;
        let known = match self.tree.places(root, joint) {
            Some(places) => self.tree.child(root, &places),
            None => None,
        };
        let is_kept = self.settings.strategy != Strategy::Mc;
        match known.filter(|_| is_kept) {
            Some(child) => self.tree = keep(&self.tree, child, 0.0, &[]).tree,
            None => {
                let state = self.tree.nodes[root as usize].state.clone();
                let next = game.next_state(&state, joint)?;
                let mut tree = self.tree.empty_like();
                tree.root = tree.add(situation(game, next)?);
                self.tree = tree;
            }
        }
        self.is_full = false;
        if let Some(plan) = &mut self.plan {
            plan.advance(joint);
        }
        Ok(())
    }

    /// The most visited joint moves from the root on, as far as they lead.
    pub(super) fn principal_line(&self) -> Vec<JointMove> {
        let tree = &self.tree;
        let mut seen = Vec::new();
        let mut line = Vec::new();
        let mut node = tree.root;
        while tree.goals(node).is_none() && !seen.contains(&node) {
            seen.push(node);
            let most_visited = |role: usize| {
                let visits = |at: &usize| tree.moves.visits[*at];
                tree.span(node, role).max_by(|a, b| visits(a).total_cmp(&visits(b)).then(b.cmp(a)))
            };
            let places: Option<Vec<u32>> =
                (0..tree.roles()).map(|role| most_visited(role).map(|at| at as u32)).collect();
            let Some(places) = places else { break };
            if tree.moves.visits[places[0] as usize] == 0.0 {
                break;
            }
            line.push(tree.joint(&places));
            match tree.child(node, &places) {
                Some(child) => node = child,
                None => break,
            }
        }
        line
    }
}
