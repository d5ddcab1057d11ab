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
    /// Whether the next playouts are observed; if so, they are asked for.
    pub(super) fn is_observed(&self, playouts: usize) -> bool {
        let sampling = self.parts.evaluation.sampling();
        let sampling = sampling.filter(|sampling| sampling.wanted() > 0);
        sampling.inspect(|sampling| sampling.ask(playouts)).is_some()
    }

    /// How many playouts a leaf may get at most, so that those of a leaf are observed all or not.
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
            let goals =
                simulator.goals_along(&self.lines[..count], &mut || !clock.is_over())?;
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
