//! Simulations under way: the path each took through the tree, and backing up what came of it.

use propnet::game::{Move, Role};

use super::tree::Tree;

/// A simulation under way.
#[derive(Default)]
pub(super) struct Flight {
    /// By level: the node.
    pub(super) nodes: Vec<u32>,
    /// By level and role: the place of the chosen move.
    pub(super) chosen: Vec<u32>,
    /// The playouts it is made of.
    pub(super) samples: usize,
    /// Those that are not over.
    pub(super) pending: usize,
    /// By role: the scores so far, as seen from the last node.
    pub(super) scores: Vec<f64>,
    /// The highest goal of the first role so far.
    pub(super) best: f64,
    /// Whether a node is to be added behind the last one.
    pub(super) expands: bool,
}

impl Flight {
    /// Makes it ready for another simulation.
    pub(super) fn reset(&mut self, roles: usize, samples: usize) {
        self.nodes.clear();
        self.chosen.clear();
        self.scores.clear();
        self.scores.resize(roles, 0.0);
        (self.samples, self.pending) = (samples, samples);
        self.best = f64::NEG_INFINITY;
        self.expands = false;
    }

    /// The places of the moves on a level.
    pub(super) fn level(&self, level: usize) -> &[u32] {
        let roles = self.scores.len();
        &self.chosen[level * roles..][..roles]
    }

    /// The moves on its first levels, the last of these first.
    pub(super) fn chosen_moves(&self, tree: &Tree, levels: usize) -> impl Iterator<Item = Move> {
        let levels = (0..levels).rev().flat_map(|level| self.level(level));
        levels.map(|&at| tree.moves[at as usize].what)
    }

    /// The levels of its path.
    pub(super) fn depth(&self) -> usize {
        self.nodes.len()
    }

    /// Adds the scores to the moves of the path, each level discounted once more.
    pub(super) fn back_up(&self, tree: &mut Tree, discount: f64) {
        let roles = self.scores.len();
        let mut factor = 1.0;
        for level in self.chosen.chunks_exact(roles).rev() {
            for (&at, score) in level.iter().zip(&self.scores) {
                tree.moves[at as usize].total += factor * score;
            }
            factor *= discount;
        }
        if !tree.best.is_empty() {
            for &at in self.chosen.iter().step_by(roles) {
                let best = &mut tree.best[at as usize];
                *best = best.max(self.best as f32);
            }
        }
    }

    /// Takes the visits back that were counted for it.
    pub(super) fn cancel(&self, tree: &mut Tree) {
        let samples = self.samples as f64;
        for &node in &self.nodes {
            tree.nodes[node as usize].visits -= samples;
        }
        for &at in &self.chosen {
            tree.moves[at as usize].visits -= samples;
        }
    }

    /// Follows nodes to where they are in a new tree that holds all of them.
    pub(super) fn follow(&mut self, old: &Tree, new: &Tree, moved: &[u32]) {
        let roles = self.scores.len();
        for (level, node) in self.nodes.iter_mut().enumerate() {
            let there = moved[*node as usize];
            for role in 0..roles as Role {
                let at = &mut self.chosen[level * roles + role];
                let offset = *at as usize - old.span(*node, role).start;
                *at = (new.span(there, role).start + offset) as u32;
            }
            *node = there;
        }
    }
}

/// All simulations under way, by number.
#[derive(Default)]
pub(super) struct Flights {
    slots: Vec<Option<Flight>>,
    free: Vec<u32>,
    /// The playouts of all that are under way, and those of them that are not over.
    samples: usize,
    pending: usize,
    /// Flights that are over, for their room.
    spares: Vec<Flight>,
    /// Counts how often all were called off, so that what comes of them later is known as stale.
    generation: u32,
}

impl Flights {
    /// How many are under way.
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// The playouts they are made of.
    pub(super) fn samples(&self) -> usize {
        self.samples
    }

    /// Those of them that are not over.
    pub(super) fn pending(&self) -> usize {
        self.pending
    }

    /// A flight that is not under way yet.
    pub(super) fn spare(&mut self) -> Flight {
        self.spares.pop().unwrap_or_default()
    }

    /// Sets a flight under way and gives its tag.
    pub(super) fn start(&mut self, flight: Flight) -> u64 {
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        self.samples += flight.samples;
        self.pending += flight.pending;
        self.slots[at as usize] = Some(flight);
        u64::from(self.generation) << 32 | u64::from(at)
    }

    /// The flight with this tag, unless it was called off.
    pub(super) fn get(&mut self, tag: u64) -> Option<&mut Flight> {
        let is_current = tag >> 32 == u64::from(self.generation);
        self.slots.get_mut(tag as u32 as usize).filter(|_| is_current)?.as_mut()
    }

    /// The flight with this tag, of which so many playouts are over; none if it was called off.
    pub(super) fn land(&mut self, tag: u64, playouts: usize) -> Option<&mut Flight> {
        self.get(tag)?.pending -= playouts;
        self.pending -= playouts;
        self.get(tag)
    }

    /// Ends the flight with this tag.
    pub(super) fn end(&mut self, tag: u64) -> Option<Flight> {
        let flight = self.slots.get_mut(tag as u32 as usize)?.take()?;
        self.samples -= flight.samples;
        self.pending -= flight.pending;
        self.free.push(tag as u32);
        Some(flight)
    }

    /// Keeps a flight that is over, for its room.
    pub(super) fn recycle(&mut self, flight: Flight) {
        self.spares.push(flight);
    }

    /// Calls all flights off.
    pub(super) fn cancel(&mut self, tree: &mut Tree) {
        for at in 0..self.slots.len() as u64 {
            if let Some(flight) = self.end(at) {
                flight.cancel(tree);
                self.recycle(flight);
            }
        }
        self.generation = self.generation.wrapping_add(1);
    }

    /// The flights under way.
    pub(super) fn under_way(&mut self) -> impl Iterator<Item = &mut Flight> {
        self.slots.iter_mut().flatten()
    }
}
