//! A thread that plays for a tree: it takes jobs, plays them, and brings back what came of them.
//!
//! ```text
//! with the tree: land outcomes, launch more     alone: play until enough is over
//! ```
//!
//! A crew has the tree for itself once in a round and plays without it, so several of them can
//! share one. Outcomes are collected when an eighth of the playouts under way are over, so no lane
//! waits for long, and what is computed for all of them at once is computed for many.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use propnet::game::PlayError;
use propnet::lanes::{Job, Outcome};

use super::budget::{Budget, Clock};
use super::grower::{CrewNumber, Grower};
use super::simulator::Simulator;

/// Outcomes are collected when one of so many playouts under way is over.
const COLLECTED_SHARE: usize = 8;

/// A simulator that plays for a tree.
pub(super) struct Crew {
    number: CrewNumber,
    pub(super) simulator: Box<dyn Simulator>,
    /// The weights that its playouts have, by the tree's count of them.
    weights: u64,
}

impl Crew {
    pub(super) fn new(number: CrewNumber, simulator: Box<dyn Simulator>) -> Self {
        Crew { number, simulator, weights: 0 }
    }

    /// Plays until the budget is spent. What is under way then is called off.
    pub(super) fn run(
        &mut self,
        grower: &Mutex<&mut Grower>,
        budget: &Budget,
        margin: Duration,
    ) -> Result<(), PlayError> {
        let mut clock = Clock::new(budget, margin);
        self.simulator.begin(budget);
        let result = self.rounds(grower, budget, &mut clock);
        lock(grower).call_off(self.number);
        result
    }

    fn rounds(
        &mut self,
        grower: &Mutex<&mut Grower>,
        budget: &Budget,
        clock: &mut Clock,
    ) -> Result<(), PlayError> {
        let mut jobs = Vec::new();
        let mut outcomes = Vec::new();
        let mut beside = Duration::ZERO;
        loop {
            let start = Instant::now();
            let mut grower = lock(grower);
            let goes_on = self.visit(&mut grower, &mut outcomes, &mut jobs, budget, clock);
            grower.spend(start.elapsed(), beside);
            drop(grower);
            if !goes_on? {
                return Ok(());
            }
            let start = Instant::now();
            for job in jobs.drain(..) {
                self.simulator.push(job);
            }
            if !self.play(clock) {
                return Ok(());
            }
            outcomes = self.simulator.outcomes();
            beside = start.elapsed();
        }
    }

    /// Hands outcomes over and takes new jobs on; whether there is anything to play.
    fn visit(
        &mut self,
        grower: &mut Grower,
        outcomes: &mut [Outcome],
        jobs: &mut Vec<Job>,
        budget: &Budget,
        clock: &mut Clock,
    ) -> Result<bool, PlayError> {
        for outcome in outcomes {
            grower.land(self.number, outcome, self.simulator.game())?;
        }
        grower.refresh();
        if let Some(averages) = grower.averages.as_ref().filter(|_| grower.weights != self.weights)
        {
            self.simulator.prefer(averages);
            self.weights = grower.weights;
        }
        grower.make_room(clock);
        let goes_on = grower.launch_all(self.number, budget, clock);
        std::mem::swap(jobs, &mut grower.jobs);
        Ok(goes_on)
    }

    /// Lets playouts go on until enough of them are over; whether they came so far in time.
    fn play(&mut self, clock: &mut Clock) -> bool {
        let under_way = self.simulator.unfinished();
        let enough = under_way - under_way.div_ceil(COLLECTED_SHARE);
        while self.simulator.unfinished() > enough {
            if clock.is_over() {
                return false;
            }
            self.simulator.step();
        }
        !clock.is_over()
    }
}

/// What a crew that panicked has left is as good as before: the panic is told anyway.
fn lock<'g, 't>(grower: &'g Mutex<&'t mut Grower>) -> MutexGuard<'g, &'t mut Grower> {
    grower.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use propnet::game::Game;

    use super::super::mast::Averages;
    use super::super::settings::{Settings, Strategy};
    use super::super::simulator::Effort;
    use super::super::trial::{CHOICE, Trial};
    use super::*;

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

        fn prefer(&mut self, averages: &Averages) {
            self.inner.prefer(averages);
        }

        fn game(&mut self) -> &mut dyn Game {
            self.inner.game()
        }

        fn move_counts(&self) -> Vec<usize> {
            self.inner.move_counts()
        }

        fn effort(&self) -> Effort {
            self.inner.effort()
        }
    }

    /// Lets a crew with steps of that length play for the tree of a choice.
    fn run(settings: Settings, step: Duration, budget: &Budget) -> (Grower, Crew) {
        let Trial { mut grower, simulator } = Trial::new(CHOICE, &settings);
        let slow = Slow { inner: simulator, step };
        let mut crew = Crew::new(0, Box::new(slow));
        grower.begin(budget);
        crew.run(&Mutex::new(&mut grower), budget, Duration::ZERO).expect("playouts");
        (grower, crew)
    }

    fn uct() -> Settings {
        Settings { one_role: false, ..Settings::new(Strategy::Uct) }
    }

    #[test]
    fn no_step_begins_that_would_end_too_late() {
        let step = Duration::from_millis(700);
        let deadline = Instant::now() + Duration::from_millis(2500);
        let (grower, _) = run(uct(), step, &Budget::until(deadline));
        // Three steps take 2.1 seconds; a fourth would be over at 2.8.
        assert!(Instant::now() <= deadline, "it took too long");
        assert_eq!(grower.flights[0].len(), 0);
        let root = &grower.tree.nodes[grower.tree.root as usize];
        assert_eq!(root.visits, grower.counts.simulations as f64, "what is called off is no visit");
    }

    #[test]
    fn a_crew_brings_back_all_that_it_took() {
        let (grower, mut crew) = run(uct(), Duration::ZERO, &Budget::simulations(100));
        assert_eq!((grower.counts.simulations, crew.simulator.unfinished()), (100, 0));
        assert!(crew.simulator.outcomes().is_empty() && grower.jobs.is_empty());
    }
}
