//! What comes of simulations: new nodes, scores backed up, moves credited, lines found.

use propnet::game::{Game, Move, PlayError};
use propnet::lanes::{Ending, Outcome};

use super::flight::Flight;
use super::grower::{CrewNumber, Grower};
use super::mast::Averages;
use super::simulator::{first_situation, goals_of};

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
        let credited = self.credited_of(flight.samples);
        if let (Some(averages), Some(goals)) = (&mut self.averages, self.tree.goals(node)) {
            let (levels, mut scores) = (flight.depth(), goals.to_vec());
            let path = flight.chosen_moves(&self.tree, levels);
            credit(averages, path, &mut scores, self.discounts.one, credited as f64);
            self.credited.0 += (credited * levels * scores.len()) as u64;
        }
        self.count(flight.samples);
        self.flights[crew].recycle(flight);
    }

    /// Takes the outcome of a crew's playouts in. The game is for questions about states.
    pub(super) fn land(
        &mut self,
        crew: CrewNumber,
        outcome: &mut Outcome,
        game: &mut dyn Game,
    ) -> Result<(), PlayError> {
        let tag = outcome.tag;
        let factor = outcome.count as f64 * self.discounts.after(outcome.length);
        let Some(flight) = self.flights[crew].land(tag, outcome.count) else { return Ok(()) };
        let is_last = flight.pending == 0;
        for (score, goal) in flight.scores.iter_mut().zip(goals_of(outcome)) {
            *score += factor * goal;
        }
        // What is seen where a playout was cut may be gone at its end.
        if outcome.ending != Ending::Limit {
            flight.best = flight.best.max(goals_of(outcome).next().unwrap_or(0.0));
        }
        self.counts.playouts += outcome.count as u64;
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
        self.counts.expanding -= u64::from(std::mem::take(&mut flight.expands));
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
            && plan.wants(score)
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
        let (discount, count) = (self.discounts.one, outcome.count as f64);
        let playout = outcome.moves.chunks_exact(scores.len()).rev().flatten().copied();
        credit(averages, playout, &mut scores, discount, count);
        // The last level is the playout's first move.
        let levels = flight.depth() - 1;
        let path = flight.chosen_moves(&self.tree, levels);
        credit(averages, path, &mut scores, discount, count);
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

/// Credits the joint moves of so many simulations, the last one first, each discounted once more
/// than the one behind it.
fn credit(
    averages: &mut Averages,
    moves: impl Iterator<Item = Move>,
    scores: &mut [f64],
    discount: f64,
    times: f64,
) {
    let roles = (0..scores.len()).cycle();
    for (role, chosen) in roles.zip(moves) {
        scores[role] *= discount;
        averages.credit(role, chosen, scores[role], times);
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::super::settings::{Settings, Strategy};
    use super::super::simulator::Simulator;
    use super::super::trial::Trial;
    use super::*;

    /// Three moves, each of them another one.
    const STEPS: &str = "
        (role walker) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal walker (go ?y)) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= terminal (true (at 3)))
        (goal walker 80)";

    fn trial(sheet: &str) -> Trial {
        let settings = Settings {
            one_role: false,
            discount: 0.5,
            in_flight: Some(1),
            ..Settings::new(Strategy::Mast)
        };
        Trial::new(sheet, &settings)
    }

    fn moves(trial: &mut Trial, texts: &[&str]) -> Vec<Move> {
        let game = trial.simulator.game();
        texts.iter().map(|text| game.move_of(0, text).expect("a move")).collect()
    }

    fn averages(trial: &Trial, moves: &[Move]) -> Vec<f64> {
        let averages = trial.grower.averages.as_ref().expect("averages");
        moves.iter().map(|&at| averages.value(0, at)).collect()
    }

    #[test]
    fn moves_in_the_tree_and_in_the_playout_are_credited_with_discounted_scores() {
        let mut trial = trial(STEPS);
        let steps = moves(&mut trial, &["(go 1)", "(go 2)", "(go 3)"]);
        trial.simulate(&steps, 80, Ending::Terminal);
        assert_eq!(averages(&trial, &steps), [10.0, 20.0, 40.0], "all in the playout");
        trial.simulate(&steps, 0, Ending::Terminal);
        assert_eq!(averages(&trial, &steps), [5.0, 10.0, 20.0], "the first one in the tree");
        trial.simulate(&steps, 80, Ending::Terminal);
        trial.simulate(&steps, 80, Ending::Terminal);
        assert_eq!(averages(&trial, &steps), [7.5, 15.0, 30.0], "two in the tree");
    }

    #[test]
    fn samples_of_an_end_are_credited_as_those_of_playouts() {
        let mut trial = trial(STEPS);
        trial.grower.settings.lanes_per_leaf = Some(16);
        let steps = moves(&mut trial, &["(go 1)", "(go 2)", "(go 3)"]);
        for _ in 0..3 {
            trial.simulate(&steps, 80, Ending::Terminal);
        }
        // The whole game is in the tree by now.
        trial.run(&Budget::simulations(16));
        assert_eq!(trial.grower.counts.simulations, 16);
        assert_eq!(trial.grower.counts.playouts, 0);
        assert_eq!(trial.grower.samples_seen, 16);
        // Three simulations credited their moves, and 16 samples those of three levels.
        let root = &trial.grower.tree.moves[0];
        assert_eq!((root.visits, root.total), (19.0, 190.0));
        assert_eq!(trial.grower.credited.0, 3 * 3 + 16 * 3);
    }
}
