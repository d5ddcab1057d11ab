//! What comes of simulations: new nodes, scores backed up, moves credited, lines found.

use propnet::game::{Game, PlayError};
use propnet::lanes::{Ending, Outcome};

use super::flight::Flight;
use super::grower::{CrewNumber, Grower};
use super::mast::Averages;
use super::simulator::{first_situation, goals_of};
use super::tree::Tree;

/// Weights are made anew when so many moves were credited at least, or one for so many before.
const REFRESH: (u64, u64) = (4096, 8);

impl Grower {
    /// Backs up the goals of a node where nothing follows.
    pub(super) fn finish_at_end(&mut self, crew: CrewNumber, node: u32, mut flight: Flight) {
        let goals = self.tree.goals(node).unwrap_or_default();
        flight.best = goals.first().copied().unwrap_or(0.0);
        for (score, goal) in flight.scores.iter_mut().zip(goals) {
            *score = self.discounts.one * flight.samples as f64 * goal;
        }
        flight.back_up(&mut self.tree, self.discounts.one);
        if self.is_credited()
            && let (Some(averages), Some(goals)) = (&mut self.averages, self.tree.goals(node))
        {
            let (levels, mut scores) = (flight.depth(), goals.to_vec());
            credit_path(averages, &self.tree, &flight, levels, &mut scores, self.discounts.one);
            self.credited.0 += (levels * scores.len()) as u64;
        }
        self.count(flight.samples);
        self.flights[crew].recycle(flight);
    }

    /// Takes the outcome of a crew's playout in. The game is for questions about states.
    pub(super) fn land(
        &mut self,
        crew: CrewNumber,
        outcome: &mut Outcome,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        let tag = outcome.tag;
        let factor = self.discounts.after(outcome.length);
        let Some(flight) = self.flights[crew].get(tag) else { return Ok(()) };
        flight.pending -= 1;
        let is_last = flight.pending == 0;
        for (score, goal) in flight.scores.iter_mut().zip(goals_of(outcome)) {
            *score += factor * goal;
        }
        // What is seen where a playout was cut may be gone at its end.
        if outcome.ending != Ending::Limit {
            flight.best = flight.best.max(goals_of(outcome).next().unwrap_or(0.0));
        }
        self.counts.playouts += 1;
        if outcome.first.is_some() {
            self.expand(crew, outcome);
        }
        if !outcome.moves.is_empty() {
            self.learn(crew, outcome, game)?;
        }
        if is_last && let Some(flight) = self.flights[crew].end(tag) {
            flight.back_up(&mut self.tree, self.discounts.one);
            self.count(flight.samples);
            self.counts.expanding -= u64::from(flight.expands);
            self.flights[crew].recycle(flight);
        }
        Ok(())
    }

    /// Adds the state after a playout's first move to the tree.
    fn expand(&mut self, crew: CrewNumber, outcome: &mut Outcome) {
        let Some(flight) = self.flights[crew].get(outcome.tag) else { return };
        let Some(found) = first_situation(outcome) else { return };
        let last = flight.depth() - 1;
        let node = flight.nodes[last];
        if self.tree.child(node, flight.level(last)).is_none() {
            let before = self.tree.nodes.len();
            let child = self.tree.add(found);
            self.tree.link(node, flight.level(last), child);
            self.counts.expansions += (self.tree.nodes.len() - before) as u64;
        }
    }

    /// Uses the moves that a playout made.
    fn learn(
        &mut self,
        crew: CrewNumber,
        outcome: &Outcome,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        if self.averages.is_some() {
            self.credit(crew, outcome);
        }
        let score = goals_of(outcome).next().unwrap_or(0.0);
        let (room, before) = (self.room(), self.tree.nodes.len());
        if let (Some(plan), Some(flight)) = (&mut self.plan, self.flights[crew].get(outcome.tag))
            && outcome.ending != Ending::Limit
            && plan.wants(score, outcome.length)
        {
            plan.enter(&mut self.tree, game, flight, &outcome.moves, score, &room)?;
            self.counts.expansions += (self.tree.nodes.len() - before) as u64;
        }
        Ok(())
    }

    /// Credits all moves of a simulation, in the tree and in the playout.
    fn credit(&mut self, crew: CrewNumber, outcome: &Outcome) {
        let Some(averages) = &mut self.averages else { return };
        let Some(flight) = self.flights[crew].get(outcome.tag) else { return };
        let mut scores: Vec<f64> = goals_of(outcome).collect();
        for joint in outcome.moves.chunks_exact(scores.len()).rev() {
            for (role, &chosen) in joint.iter().enumerate() {
                scores[role] *= self.discounts.one;
                averages.credit(role, chosen, scores[role]);
            }
        }
        // The last level is the playout's first move.
        let levels = flight.depth() - 1;
        credit_path(averages, &self.tree, flight, levels, &mut scores, self.discounts.one);
        self.credited.0 += (outcome.moves.len() + levels * scores.len()) as u64;
    }

    fn count(&mut self, samples: usize) {
        self.counts.simulations += samples as u64;
        if let Some(plan) = &mut self.plan {
            plan.count(samples);
        }
    }

    /// Has the weights of playouts made anew when much was credited.
    pub(super) fn refresh(&mut self) {
        let (fresh, before) = self.credited;
        let (most, share) = REFRESH;
        if fresh > 0 && fresh >= (before / share).min(most) {
            self.weights += 1;
            self.credited = (0, before + fresh);
        }
    }
}

/// Credits the moves on the first levels of a path, each level discounted once more.
fn credit_path(
    averages: &mut Averages,
    tree: &Tree,
    flight: &Flight,
    levels: usize,
    scores: &mut [f64],
    discount: f64,
) {
    for level in (0..levels).rev() {
        for (role, &at) in flight.level(level).iter().enumerate() {
            scores[role] *= discount;
            averages.credit(role, tree.moves[at as usize].what, scores[role]);
        }
    }
}
