//! One tree of a root-parallel search, and the playout workers that play for it.
//!
//! Root parallelisation: Cazenave and Jouandeau 2007. Several workers on one tree: tree
//! parallelisation with one lock, Chaslot, Winands and van den Herik 2008.

use std::sync::Mutex;
use std::time::Instant;

use propnet::game::{Move, PlayError, State};
use rayon::prelude::*;

use super::playout_worker::PlayoutWorker;
use super::tree_search::TreeSearch;
use super::upkeep::Pace;
use crate::search::budget::Budget;
use crate::search::playout::{Effort, Simulator};
use crate::search::settings::Settings;

/// A tree that one playout worker plays for, or several.
pub(crate) struct RootWorker {
    pub(crate) search: TreeSearch,
    pub(crate) workers: Vec<PlayoutWorker>,
    pace: Pace,
}

impl RootWorker {
    /// A tree with a playout worker for each simulator, of which there is at least one.
    pub(crate) fn new(
        mut simulators: Vec<Box<dyn Simulator>>,
        settings: &Settings,
        state: State,
        seed: u64,
        limit: usize,
    ) -> Result<Self, PlayError> {
        let count = simulators.len();
        let search = TreeSearch::new(&mut *simulators[0], count, settings, state, seed, limit)?;
        let workers = simulators.into_iter().enumerate();
        let workers =
            workers.map(|(number, simulator)| PlayoutWorker::new(number, simulator)).collect();
        Ok(RootWorker { search, workers, pace: Pace::default() })
    }

    /// Searches until the budget is spent; several workers in the threads of this pool.
    pub(crate) fn run(&mut self, budget: &Budget) -> Result<(), PlayError> {
        self.search.begin(budget);
        if !self.search.parts.decision.needs_search() {
            return Ok(());
        }
        self.clear_up(budget);
        let search = Mutex::new(&mut self.search);
        match &mut self.workers[..] {
            [worker] => worker.run(&search, budget),
            workers => {
                let workers = workers.par_iter_mut().with_max_len(1);
                workers.try_for_each(|worker| worker.run(&search, budget))
            }
        }
    }

    /// Cleans the tree up while all workers wait for it.
    fn clear_up(&mut self, budget: &Budget) {
        let start = Instant::now();
        self.search.clear_up(budget, &mut self.pace);
        self.search.counts.tree += start.elapsed() * self.workers.len() as u32;
    }

    /// Goes on to the state after a joint move, and keeps what can be reached from there.
    pub(crate) fn advance(&mut self, joint: &[Move]) -> Result<(), PlayError> {
        self.search.advance(joint, self.workers[0].simulator.game())
    }

    /// What its simulators have done.
    pub(crate) fn effort(&self) -> Effort {
        let efforts = self.workers.iter().map(|worker| worker.simulator.effort());
        efforts.fold(Effort::default(), Effort::plus)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::trial::{CHOICE, Trial, ring};
    use super::*;

    #[test]
    fn time_that_is_spent_on_clearing_up_counts_as_work_in_the_tree() {
        let Trial { mut search, simulator } = Trial::new(CHOICE, "uct", &[]);
        search.tree = ring(5000);
        search.garbage = Some(4000);
        let workers = vec![PlayoutWorker::new(0, Box::new(simulator))];
        let mut worker = RootWorker { search, workers, pace: Pace::default() };
        worker.clear_up(&Budget::simulations(1));
        assert_eq!(worker.search.garbage, None);
        assert!(worker.search.counts.tree > Duration::ZERO);
    }
}
