//! One tree and the crews that play for it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use propnet::game::{Move, PlayError, State};
use rayon::prelude::*;

use super::budget::Budget;
use super::crew::Crew;
use super::grower::Grower;
use super::settings::{Settings, Strategy};
use super::simulator::{Effort, Simulator};
use super::upkeep::Pace;

/// A tree that one crew plays for, or several.
pub(super) struct Worker {
    pub(super) grower: Grower,
    pub(super) crews: Vec<Crew>,
    pace: Pace,
}

impl Worker {
    /// A worker with a crew for each simulator, of which there is at least one.
    pub(super) fn new(
        mut simulators: Vec<Box<dyn Simulator>>,
        settings: &Settings,
        state: State,
        seed: u64,
        limit: usize,
    ) -> Result<Self, PlayError> {
        let count = simulators.len();
        let grower = Grower::new(&mut *simulators[0], count, settings, state, seed, limit)?;
        let crews = simulators.into_iter().enumerate();
        let crews = crews.map(|(number, simulator)| Crew::new(number, simulator)).collect();
        Ok(Worker { grower, crews, pace: Pace::default() })
    }

    /// Searches until the budget is spent; several crews in the threads of this pool.
    pub(super) fn run(&mut self, budget: &Budget) -> Result<(), PlayError> {
        self.grower.begin(budget);
        if self.grower.settings.strategy == Strategy::Random {
            return Ok(());
        }
        let margin = Duration::from_millis(self.grower.settings.margin);
        self.clear_up(budget);
        let grower = Mutex::new(&mut self.grower);
        match &mut self.crews[..] {
            [crew] => crew.run(&grower, budget, margin),
            crews => {
                let crews = crews.par_iter_mut().with_max_len(1);
                crews.try_for_each(|crew| crew.run(&grower, budget, margin))
            }
        }
    }

    /// Clears the tree up while all crews wait for it.
    fn clear_up(&mut self, budget: &Budget) {
        let start = Instant::now();
        self.grower.clear_up(budget, &mut self.pace);
        self.grower.counts.tree += start.elapsed() * self.crews.len() as u32;
    }

    /// Goes on to the state after a joint move, and keeps what can be reached from there.
    pub(super) fn advance(&mut self, joint: &[Move]) -> Result<(), PlayError> {
        self.grower.advance(joint, self.crews[0].simulator.game())
    }

    /// What its simulators have done.
    pub(super) fn effort(&self) -> Effort {
        let efforts = self.crews.iter().map(|crew| crew.simulator.effort());
        efforts.fold(Effort::default(), Effort::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{CHOICE, Trial, ring};
    use super::*;

    #[test]
    fn time_that_is_spent_on_clearing_up_counts_as_work_in_the_tree() {
        let Trial { mut grower, simulator } = Trial::new(CHOICE, &Settings::new(Strategy::Uct));
        grower.tree = ring(5000);
        grower.garbage = Some(4000);
        let crews = vec![Crew::new(0, Box::new(simulator))];
        let mut worker = Worker { grower, crews, pace: Pace::default() };
        worker.clear_up(&Budget::simulations(1));
        assert_eq!(worker.grower.garbage, None);
        assert!(worker.grower.counts.tree > Duration::ZERO);
    }
}
