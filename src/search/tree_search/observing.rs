//! Simulations that are observed before playouts are cut: their moves are kept, and made again in lanes.
//!
//! Lines are read many at a time, since a step of one lane costs as much as one of all. No more than the
//! samples are kept, and a playout that is observed is like any other.

use std::sync::Arc;

use propnet::game::PlayError;
use propnet::lanes::{Ending, Outcome};

use super::tree_search::{TreeSearch, WorkerNumber};
use crate::search::budget::Clock;
use crate::search::evaluation::Observation;
use crate::search::playout::{Line, Simulator};

/// The most lines that wait to be read together.
const MOST_LINES: usize = 64;

impl TreeSearch {
    /// Whether the next playouts are observed; if so, they are requested.
    pub(super) fn is_observed(&self, playouts: usize) -> bool {
        let sampling = self.parts.evaluation.sampling();
        let sampling = sampling.filter(|sampling| sampling.wanted() > 0);
        sampling.inspect(|sampling| sampling.ask(playouts)).is_some()
    }

    /// How many playouts a leaf may get at most, so that all playouts of a leaf are observed, or
    /// none.
    pub(super) fn most_observed(&self) -> usize {
        let wanted = self.parts.evaluation.sampling().map_or(0, |sampling| sampling.wanted());
        if wanted > 0 { wanted } else { usize::MAX }
    }

    /// Keeps the moves of a simulation that is observed.
    pub(super) fn keep_line(&mut self, worker: WorkerNumber, outcome: &Outcome) {
        let simulation = self.simulations[worker].get(outcome.tag);
        let Some(simulation) = simulation.filter(|simulation| simulation.is_observed) else {
            return;
        };
        // The last level is the playout's first move.
        let mut moves = simulation.moves(&self.tree, simulation.depth() - 1);
        moves.extend(&outcome.moves);
        self.lines.push(Line {
            played: self.played,
            start: Arc::clone(&self.tree[self.tree.root].state),
            moves,
            is_terminal: outcome.ending == Ending::Terminal,
        });
    }

    /// Reads the lines that wait, if they are enough for all lanes or the last.
    pub(crate) fn read_lines(
        &mut self,
        simulator: &mut dyn Simulator,
        clock: &mut Clock,
    ) -> Result<(), PlayError> {
        let Some(sampling) = self.parts.evaluation.sampling() else { return Ok(()) };
        let portion = simulator.lanes().min(MOST_LINES);
        while !self.lines.is_empty() && (self.lines.len() >= portion || sampling.wanted() == 0) {
            if sampling.decided().is_some() {
                self.lines.clear();
                break;
            }
            let count = portion.min(self.lines.len());
            let goals = simulator.goals_along(&self.lines[..count], &mut || !clock.is_over())?;
            // What is not read in time is read in the next run.
            let Some(goals) = goals else { break };
            let roles = self.tree.roles();
            for (Line { played, is_terminal, .. }, goals) in self.lines.drain(..count).zip(goals) {
                sampling.add(&Observation { played, goals: &goals, roles, is_terminal });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use propnet::game::Game;

    use super::super::trial::Trial;
    use super::*;
    use crate::search::budget::Budget;
    use crate::search::evaluation::{Cutoff, CutoffKind};

    /// A walk of 13 moves, worth 50 until 3 of them are made, then 60, and 0 at its end.
    const WALK: &str = "
        (role walker) (init (at 0)) (legal walker go)
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
        (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= (goal walker 50) (true (at 0))) (<= (goal walker 50) (true (at 1)))
        (<= (goal walker 50) (true (at 2))) (<= (goal walker 0) (true (at 13)))
        (<= (goal walker 60) (true (at ?x)) (distinct ?x 0) (distinct ?x 1) (distinct ?x 2)
            (distinct ?x 13))
        (<= terminal (true (at 13)))";

    /// Searches, and reads what is to be read.
    fn run(trial: &mut Trial, simulations: u64) -> Cutoff {
        let budget = Budget::simulations(simulations);
        trial.run(&budget);
        let mut clock = Clock::new(&budget);
        trial.search.read_lines(&mut trial.simulator, &mut clock).expect("states");
        trial.search.parts.evaluation.sampling().expect("samples are wanted").cutoff()
    }

    fn trial(samples: &str) -> Trial {
        Trial::new(WALK, "uct+cutoff", &["one_role=off", "in_flight=1", samples])
    }

    #[test]
    fn simulations_are_read_state_by_state() {
        let mut trial = trial("cutoff_samples=4");
        let found = run(&mut trial, 4);
        // Of twelve changes before the end, one is 10.
        let expected = 100.0 / 12.0 - (10.0f64 / 12.0).powi(2);
        assert!((found.figures.stability - expected).abs() < 1e-9, "{found}");
        assert_eq!((found.figures.first_goal_change, found.figures.samples), (Some(3), 4));
        assert_eq!(
            (found.figures.first_terminal, found.figures.last_terminal),
            (Some(13), Some(13))
        );
        assert_eq!((found.kind, found.cut_at), (CutoffKind::GoalStability, Some(10)));
        assert_eq!((trial.search.counts.cut, trial.search.lines.len()), (0, 0));
        // The tree has four levels more now, so nothing is cut.
        run(&mut trial, 1);
        assert_eq!(trial.search.counts.cut, 0);
    }

    #[test]
    fn distances_include_the_moves_of_the_match() {
        let mut trial = trial("cutoff_samples=2");
        for _ in 0..2 {
            let joint = trial.moves(&[0]);
            let game: &mut dyn Game = trial.simulator.game();
            trial.search.advance(&joint, game).expect("a legal move");
        }
        let figures = run(&mut trial, 2).figures;
        assert_eq!((figures.first_goal_change, figures.last_terminal), (Some(3), Some(13)));
    }

    #[test]
    fn what_cannot_be_read_in_time_waits() {
        let mut trial = trial("cutoff_samples=2");
        trial.run(&Budget::simulations(2));
        let over = Budget::time(std::time::Duration::ZERO);
        let mut clock = Clock::new(&over);
        trial.search.read_lines(&mut trial.simulator, &mut clock).expect("states");
        assert_eq!(trial.search.lines.len(), 2);
        let sampling = trial.search.parts.evaluation.sampling().expect("samples are wanted");
        assert!(sampling.decided().is_none() && sampling.wanted() == 0);
        sampling.begin(trial.search.lines.len());
        assert_eq!(sampling.wanted(), 0, "they are not asked for again");
        assert_eq!(run(&mut trial, 0).figures.samples, 2);
    }
}
