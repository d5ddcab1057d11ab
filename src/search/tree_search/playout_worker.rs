//! A thread that plays for a tree: it takes jobs, plays them, and brings back their outcomes.
//!
//! ```text
//! with the tree: finish simulations, launch more     alone: play until enough are over
//! ```
//!
//! A worker locks the tree once in a round and plays without it, so several of them can share one.
//! Outcomes are collected when an eighth of the playouts in flight are over, so no lane waits for
//! long, and what is computed for all of them at once is computed for many.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use propnet::game::PlayError;
use propnet::lanes::{Job, Outcome};

use super::tree_search::{TreeSearch, WorkerNumber};
use crate::search::budget::{Budget, Clock};
use crate::search::playout::Simulator;

/// Outcomes are collected when one in this number of playouts in flight is over.
const COLLECTED_SHARE: usize = 8;

/// A simulator that plays for a tree.
pub(crate) struct PlayoutWorker {
    number: WorkerNumber,
    pub(crate) simulator: Box<dyn Simulator>,
    /// The version of the policy that its playouts follow.
    policy_version: u64,
    /// When it left the tree in this run.
    left_tree: Option<Instant>,
    /// Room for jobs.
    spare: Vec<Job>,
}

impl PlayoutWorker {
    pub(crate) fn new(number: WorkerNumber, simulator: Box<dyn Simulator>) -> Self {
        PlayoutWorker { number, simulator, policy_version: 0, left_tree: None, spare: Vec::new() }
    }

    /// Plays until the budget is spent. What is in flight then is cancelled.
    pub(crate) fn run(
        &mut self,
        search: &Mutex<&mut TreeSearch>,
        budget: &Budget,
    ) -> Result<(), PlayError> {
        let mut clock = Clock::new(budget);
        self.begin(budget);
        let result = self.rounds(search, budget, &mut clock);
        lock(search).call_off(self.number);
        result
    }

    /// A run begins.
    pub(crate) fn begin(&mut self, budget: &Budget) {
        self.simulator.begin(budget);
        self.left_tree = None;
    }

    fn rounds(
        &mut self,
        search: &Mutex<&mut TreeSearch>,
        budget: &Budget,
        clock: &mut Clock,
    ) -> Result<(), PlayError> {
        while let Some(enough) = self.exchange(search, budget, clock)? {
            while self.simulator.unfinished() > enough {
                if clock.is_over() {
                    return Ok(());
                }
                self.simulator.step();
            }
            if clock.is_over() {
                break;
            }
        }
        Ok(())
    }

    /// Brings the tree the outcomes of playouts that are over, and takes new jobs on. The next time
    /// is when this number of playouts are not over yet; none if the budget is spent.
    pub(crate) fn exchange(
        &mut self,
        search: &Mutex<&mut TreeSearch>,
        budget: &Budget,
        clock: &mut Clock,
    ) -> Result<Option<usize>, PlayError> {
        let mut outcomes = self.simulator.outcomes();
        let start = Instant::now();
        let beside = self.left_tree.map_or(Duration::ZERO, |left| start - left);
        let mut search = lock(search);
        let goes_on = self.visit(&mut search, &mut outcomes, budget, clock);
        let jobs = std::mem::replace(&mut search.jobs, std::mem::take(&mut self.spare));
        let left = Instant::now();
        search.spend(left - start, beside);
        drop(search);
        self.left_tree = Some(left);
        self.spare = jobs;
        if !goes_on? {
            return Ok(None);
        }
        for job in self.spare.drain(..) {
            self.simulator.push(job);
        }
        let in_flight = self.simulator.unfinished();
        Ok(Some(in_flight - in_flight.div_ceil(COLLECTED_SHARE)))
    }

    /// Hands outcomes over and has jobs launched; whether there is anything to play.
    fn visit(
        &mut self,
        search: &mut TreeSearch,
        outcomes: &mut [Outcome],
        budget: &Budget,
        clock: &mut Clock,
    ) -> Result<bool, PlayError> {
        for outcome in outcomes {
            search.finish(self.number, outcome, self.simulator.game())?;
        }
        search.ask_about_ends(&mut *self.simulator)?;
        search.read_lines(&mut *self.simulator, clock)?;
        search.learn_from_states(&mut *self.simulator)?;
        search.learning.refresh();
        let version = search.learning.version;
        if let Some(policy) =
            search.parts.policy.as_ref().filter(|_| version != self.policy_version)
        {
            self.simulator.prefer(policy);
            self.policy_version = version;
        }
        search.make_room(clock);
        Ok(search.launch_all(self.number, budget, clock))
    }
}

/// The tree stays usable if a worker has panicked: the panic is reported anyway.
fn lock<'g, 't>(search: &'g Mutex<&'t mut TreeSearch>) -> MutexGuard<'g, &'t mut TreeSearch> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use propnet::game::Game;

    use super::super::trial::{CHOICE, Trial};
    use super::*;
    use crate::search::playout::{Effort, End, EndQuestion};
    use crate::search::policy::Policy;

    /// A simulator whose steps take long, as those of huge circuits do.
    struct Slow<S> {
        inner: S,
        step: Duration,
    }

    impl<S: Simulator> Simulator for Slow<S> {
        fn lanes(&self) -> usize {
            self.inner.lanes()
        }

        fn begin(&mut self, budget: &Budget) {
            self.inner.begin(budget);
        }

        fn push(&mut self, job: Job) {
            self.inner.push(job);
        }

        fn step(&mut self) {
            sleep(self.step);
            self.inner.step();
        }

        fn unfinished(&self) -> usize {
            self.inner.unfinished()
        }

        fn outcomes(&mut self) -> Vec<Outcome> {
            self.inner.outcomes()
        }

        fn prefer(&mut self, policy: &Policy) {
            self.inner.prefer(policy);
        }

        fn game(&mut self) -> &mut dyn Game {
            self.inner.game()
        }

        fn ends_after(&mut self, questions: &[EndQuestion]) -> Result<Vec<End>, PlayError> {
            self.inner.ends_after(questions)
        }

        fn move_counts(&self) -> Vec<usize> {
            self.inner.move_counts()
        }

        fn effort(&self) -> Effort {
            self.inner.effort()
        }
    }

    /// Lets a worker with steps of that length play for the tree of a choice.
    fn run(step: Duration, budget: &Budget) -> (TreeSearch, PlayoutWorker) {
        let Trial { mut search, simulator } = Trial::new(CHOICE, "uct", &["one_role=off"]);
        let slow = Slow { inner: simulator, step };
        let mut worker = PlayoutWorker::new(0, Box::new(slow));
        search.begin(budget);
        worker.run(&Mutex::new(&mut search), budget).expect("playouts");
        (search, worker)
    }

    #[test]
    fn no_step_begins_that_would_end_too_late() {
        let step = Duration::from_millis(700);
        let deadline = Instant::now() + Duration::from_millis(2500);
        let (search, _) = run(step, &Budget::until(deadline));
        // Three steps take 2.1 seconds; a fourth would be over at 2.8.
        assert!(Instant::now() <= deadline, "it took too long");
        assert_eq!(search.simulations[0].len(), 0);
        let root = &search.tree[search.tree.root];
        assert_eq!(root.visits, search.counts.simulations as f64, "what is cancelled is no visit");
    }

    #[test]
    fn a_worker_brings_back_all_that_it_took() {
        let (search, mut worker) = run(Duration::ZERO, &Budget::simulations(100));
        assert_eq!((search.counts.simulations, worker.simulator.unfinished()), (100, 0));
        assert!(worker.simulator.outcomes().is_empty() && search.jobs.is_empty());
    }
}
