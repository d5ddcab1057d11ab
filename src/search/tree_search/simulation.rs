//! Simulations in flight: the path each took through the tree, and back-propagation of its scores.
//!
//! Virtual loss: Chaslot, Winands and van den Herik 2008, "Parallel Monte-Carlo Tree Search". A visit
//! counts from the descent on, its score only when the playouts are over.

use propnet::game::{Move, Role};

use crate::search::tree::{BACKED_UP, BEST, MOVING, MoveId, NodeId, SQUARES, Tree};

/// A simulation in flight.
#[derive(Default)]
pub(crate) struct Simulation {
    /// By level: the node.
    pub(crate) nodes: Vec<NodeId>,
    /// By level and role: the chosen move.
    pub(crate) chosen: Vec<MoveId>,
    /// The playouts it is made of.
    pub(crate) samples: usize,
    /// Those that are not over.
    pub(crate) pending: usize,
    /// By role: the scores so far, as seen from the last node.
    pub(crate) scores: Vec<f64>,
    /// By role: the sum of the squares of the scores so far, where they are wanted.
    pub(crate) squares: Vec<f64>,
    /// The highest goal of the first role so far.
    pub(crate) best: f64,
    /// Whether a node is to be added after the last one.
    pub(crate) expands: bool,
    /// Whether its playouts are observed before any is cut.
    pub(crate) is_observed: bool,
    /// Nodes on its path that are to be asked about.
    pub(crate) unasked: Vec<NodeId>,
    /// Whether a node on its path has a proof.
    pub(crate) has_proofs: bool,
}

impl Simulation {
    /// Makes it ready for another simulation.
    pub(crate) fn reset(&mut self, roles: usize, samples: usize) {
        self.nodes.clear();
        self.chosen.clear();
        self.scores.clear();
        self.scores.resize(roles, 0.0);
        self.squares.clear();
        (self.samples, self.pending) = (samples, samples);
        self.best = f64::NEG_INFINITY;
        (self.expands, self.is_observed, self.has_proofs) = (false, false, false);
        self.unasked.clear();
    }

    /// The moves chosen on a level.
    pub(crate) fn level(&self, level: usize) -> &[MoveId] {
        let roles = self.scores.len();
        &self.chosen[level * roles..][..roles]
    }

    /// The moves on its first levels, joint move by joint move.
    pub(crate) fn moves(&self, tree: &Tree, levels: usize) -> Vec<Move> {
        let chosen = &self.chosen[..levels * self.scores.len()];
        chosen.iter().map(|&at| tree.what(at)).collect()
    }

    /// The levels of its path.
    pub(crate) fn depth(&self) -> usize {
        self.nodes.len()
    }

    /// Adds playouts with equal scores.
    pub(crate) fn add_squares(&mut self, before: &[f64], count: usize) {
        self.squares.resize(self.scores.len(), 0.0);
        for (square, (after, before)) in self.squares.iter_mut().zip(self.scores.iter().zip(before))
        {
            *square += (after - before).powi(2) / count as f64;
        }
    }

    /// Back-propagation: adds the scores to the moves of the path, each level discounted once more.
    /// Moving averages change by this least step.
    pub(crate) fn back_up(&self, tree: &mut Tree, discount: f64, least_step: Option<f64>) {
        let roles = self.scores.len();
        let mut factor = 1.0;
        for level in self.chosen.chunks_exact(roles).rev() {
            for (&at, score) in level.iter().zip(&self.scores) {
                tree[at].total += factor * score;
            }
            factor *= discount;
        }
        if let Some(squares) = tree.columns.get_mut(SQUARES) {
            let mut factor = 1.0;
            for level in self.chosen.chunks_exact(roles).rev() {
                for (&at, square) in level.iter().zip(&self.squares) {
                    squares[at.index()] += factor * square;
                }
                factor *= discount * discount;
            }
        }
        if let Some(counts) = tree.columns.get_mut(BACKED_UP) {
            self.chosen.iter().for_each(|at| counts[at.index()] += self.samples as f64);
        }
        if let Some(step) = least_step {
            self.move_averages(tree, discount, step);
        }
        if let Some(best) = tree.columns.get_mut(BEST) {
            for &at in self.chosen.iter().step_by(roles) {
                best[at.index()] = best[at.index()].max(self.best);
            }
        }
    }

    /// Moves the moving averages of the path towards the scores.
    fn move_averages(&self, tree: &mut Tree, discount: f64, step: f64) {
        let roles = self.scores.len();
        let samples = self.samples as f64;
        let least = 1.0 - (1.0 - step).powf(samples);
        let mut factor = 1.0 / samples;
        for level in self.chosen.chunks_exact(roles).rev() {
            for (&at, score) in level.iter().zip(&self.scores) {
                let at = at.index();
                let count = tree.columns.get(BACKED_UP).map_or(samples, |counts| counts[at]);
                if let Some(values) = tree.columns.get_mut(MOVING) {
                    let rate = (samples / count).max(least);
                    values[at] += rate * (factor * score - values[at]);
                }
            }
            factor *= discount;
        }
    }

    /// Counts the visits of its path.
    pub(crate) fn count_visits(&self, tree: &mut Tree) {
        let samples = self.samples as f64;
        self.nodes.iter().for_each(|&node| tree[node].visits += samples);
        self.chosen.iter().for_each(|&at| tree[at].visits += samples);
    }

    /// Takes the visits back that were counted for it.
    pub(crate) fn cancel(&self, tree: &mut Tree) {
        let samples = self.samples as f64;
        for &node in &self.nodes {
            tree[node].visits -= samples;
        }
        for &at in &self.chosen {
            tree[at].visits -= samples;
        }
    }

    /// Follows nodes to where they are in a new tree that holds all of them.
    pub(crate) fn follow(&mut self, old: &Tree, new: &Tree, moved: &[NodeId]) {
        let roles = self.scores.len();
        for (level, node) in self.nodes.iter_mut().enumerate() {
            let there = moved[node.index()];
            for role in 0..roles as Role {
                let at = &mut self.chosen[level * roles + role];
                let offset = at.index() - old.span(*node, role).start;
                *at = MoveId::new(new.span(there, role).start + offset);
            }
            *node = there;
        }
    }
}

/// All simulations in flight, by number.
#[derive(Default)]
pub(crate) struct Simulations {
    slots: Vec<Option<Simulation>>,
    free: Vec<u32>,
    /// The playouts of all that are in flight, and those of them that are not over.
    samples: usize,
    pending: usize,
    /// Simulations that are over, kept for their memory.
    spares: Vec<Simulation>,
    /// Counts how often all were cancelled, so that outcomes that arrive later are recognised as
    /// stale.
    generation: u32,
}

impl Simulations {
    /// How many are in flight.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// The playouts they are made of.
    pub(crate) fn samples(&self) -> usize {
        self.samples
    }

    /// Those of them that are not over.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// A simulation that has not begun.
    pub(crate) fn spare(&mut self) -> Simulation {
        self.spares.pop().unwrap_or_default()
    }

    /// Begins a simulation and gives its tag.
    pub(crate) fn start(&mut self, simulation: Simulation) -> u64 {
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        self.samples += simulation.samples;
        self.pending += simulation.pending;
        self.slots[at as usize] = Some(simulation);
        u64::from(self.generation) << 32 | u64::from(at)
    }

    /// The simulation with this tag, unless it was cancelled.
    pub(crate) fn get(&mut self, tag: u64) -> Option<&mut Simulation> {
        let is_current = tag >> 32 == u64::from(self.generation);
        self.slots.get_mut(tag as u32 as usize).filter(|_| is_current)?.as_mut()
    }

    /// The simulation with this tag, of which `playouts` are over; none if it was cancelled.
    pub(crate) fn finish(&mut self, tag: u64, playouts: usize) -> Option<&mut Simulation> {
        self.get(tag)?.pending -= playouts;
        self.pending -= playouts;
        self.get(tag)
    }

    /// Ends the simulation with this tag.
    pub(crate) fn end(&mut self, tag: u64) -> Option<Simulation> {
        let simulation = self.slots.get_mut(tag as u32 as usize)?.take()?;
        self.samples -= simulation.samples;
        self.pending -= simulation.pending;
        self.free.push(tag as u32);
        Some(simulation)
    }

    /// Keeps a simulation that is over, for its memory.
    pub(crate) fn recycle(&mut self, simulation: Simulation) {
        self.spares.push(simulation);
    }

    /// Cancels all simulations.
    pub(crate) fn cancel(&mut self, tree: &mut Tree) {
        for at in 0..self.slots.len() as u64 {
            if let Some(simulation) = self.end(at) {
                simulation.cancel(tree);
                self.recycle(simulation);
            }
        }
        self.generation = self.generation.wrapping_add(1);
    }

    /// The simulations in flight.
    pub(crate) fn in_flight(&mut self) -> impl Iterator<Item = &mut Simulation> {
        self.slots.iter_mut().flatten()
    }
}
