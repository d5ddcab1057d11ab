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
use crate::search::budget::{Budget, Clock};
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
        if !self.begin(budget) {
            return Ok(());
        }
        let search = Mutex::new(&mut self.search);
        match &mut self.workers[..] {
            [worker] => worker.run(&search, budget),
            workers => {
                let workers = workers.par_iter_mut().with_max_len(1);
                workers.try_for_each(|worker| worker.run(&search, budget))
            }
        }
    }

    /// A run begins; whether there is anything to search for.
    fn begin(&mut self, budget: &Budget) -> bool {
        self.search.begin(budget);
        let needs_search = self.search.parts.decision.needs_search();
        if needs_search {
            self.clear_up(budget);
        }
        needs_search
    }

    /// Begins a run of the only worker, whose lanes are shared and moved by the caller, if enough of
    /// them are left: with the number of its simulator among those that share them.
    pub(crate) fn begin_shared(&mut self, budget: &Budget) -> Option<usize> {
        let playouts = self.search.most_playouts(budget);
        let worker = &mut self.workers[0];
        let number = worker.simulator.claim(playouts)?;
        worker.begin(budget);
        self.begin(budget);
        Some(number)
    }

    /// Goes on with it when so many playouts are over: until how many are not over, or none if the
    /// run has ended.
    pub(crate) fn exchange(&mut self, budget: &Budget) -> Result<Option<usize>, PlayError> {
        let worker = &mut self.workers[0];
        if self.search.parts.decision.needs_search() {
            let search = Mutex::new(&mut self.search);
            if let Some(enough) = worker.exchange(&search, budget, &mut Clock::new(budget))? {
                return Ok(Some(enough));
            }
        }
        worker.simulator.release();
        self.search.call_off(0);
        Ok(None)
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
