//! How long a search may run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits on a search; it ends at the first one reached. Without any limit it never ends, so at
/// least one should be set.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Simulations to make, on all threads together.
    pub simulations: Option<u64>,
    /// Nodes to add to the trees. Where a tree can hardly grow any more, the search ends after
    /// [`Budget::SIMULATIONS_PER_EXPANSION`] simulations for each of them.
    pub expansions: Option<u64>,
    /// States that simulations may come to after the root, in the tree and in playouts: what chapters
    /// 6 and 7 of Finnsson 2012 call node expansions. Simulations in flight are finished.
    pub states: Option<u64>,
    /// The deadline of the search.
    pub deadline: Option<Instant>,
    /// Set by another thread, to end the search soon.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// After this many simulations an expansion is no longer waited for.
    pub const SIMULATIONS_PER_EXPANSION: u64 = 16;

    /// A number of simulations.
    pub fn simulations(count: u64) -> Self {
        Budget { simulations: Some(count), ..Budget::default() }
    }

    /// A number of new nodes.
    pub fn expansions(count: u64) -> Self {
        Budget { expansions: Some(count), ..Budget::default() }
    }

    /// Until a point in time.
    pub fn until(deadline: Instant) -> Self {
        Budget { deadline: Some(deadline), ..Budget::default() }
    }

    /// A number of states.
    pub fn states(count: u64) -> Self {
        Budget { states: Some(count), ..Budget::default() }
    }

    /// An amount of time from now on.
    pub fn time(time: Duration) -> Self {
        // A time that does not fit the clock sets no bound.
        Budget { deadline: Instant::now().checked_add(time), ..Budget::default() }
    }

    /// Until someone sets the flag.
    pub fn stopped_by(stop: Arc<AtomicBool>) -> Self {
        Budget { stop: Some(stop), ..Budget::default() }
    }

    /// The share of one of several workers.
    pub(super) fn part(&self, worker: usize, workers: usize) -> Budget {
        let part = |count: u64| {
            let (all, at) = (workers as u64, worker as u64);
            count / all + u64::from(at < count % all)
        };
        Budget {
            simulations: self.simulations.map(part),
            expansions: self.expansions.map(part),
            states: self.states.map(part),
            ..self.clone()
        }
    }

    /// Whether another thread wants the search to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether simulations, nodes or states are counted, and not only time.
    pub(crate) fn counts(&self) -> bool {
        self.simulations.is_some() || self.expansions.is_some() || self.states.is_some()
    }

    /// The simulations that may be made in any case.
    pub(super) fn most_simulations(&self) -> u64 {
        let by_expansions =
            self.expansions.map(|count| count.saturating_mul(Self::SIMULATIONS_PER_EXPANSION));
        // Each simulation comes to a state at least.
        let limits = [self.simulations, by_expansions, self.states];
        limits.into_iter().flatten().min().unwrap_or(u64::MAX)
    }
}

/// What searches have spent of what a budget counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Runs of a search.
    pub searches: u64,
    /// Simulations.
    pub simulations: u64,
    /// Nodes added to the trees.
    pub expansions: u64,
    /// States that simulations came to after the root.
    pub states: u64,
}

impl Spent {
    /// Both together.
    pub(super) fn plus(self, other: Spent) -> Spent {
        Spent {
            searches: self.searches + other.searches,
            simulations: self.simulations + other.simulations,
            expansions: self.expansions + other.expansions,
            states: self.states + other.states,
        }
    }
}

/// Checks the clock for a search that has to end in time.
pub(super) struct Clock {
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    last: Option<Instant>,
    /// The longest time between two checks: the time that may pass before the next one.
    longest: Duration,
}

impl Clock {
    pub(super) fn new(budget: &Budget) -> Self {
        Clock {
            deadline: budget.deadline,
            stop: budget.stop.clone(),
            last: None,
            longest: Duration::ZERO,
        }
    }

    /// A clock that ends after one of `parts` equal parts of the remaining time.
    pub(super) fn sooner(&self, parts: u32) -> Clock {
        let part = self.left().map(|left| Instant::now() + left / parts);
        Clock { deadline: part, stop: self.stop.clone(), last: None, longest: Duration::ZERO }
    }

    /// The time that is left. Without a deadline no clock is read.
    pub(super) fn left(&self) -> Option<Duration> {
        self.deadline.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether it is time to end, now or before the next check. Without a deadline no clock is
    /// read.
    pub(super) fn is_over(&mut self) -> bool {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return true;
        }
        let Some(deadline) = self.deadline else { return false };
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            self.longest = self.longest.max(now - last);
        }
        now + self.longest >= deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_share_all_of_a_budget() {
        let budget = Budget { simulations: Some(11), expansions: Some(2), ..Budget::default() };
        let parts: Vec<Budget> = (0..3).map(|at| budget.part(at, 3)).collect();
        let simulations: Vec<_> = parts.iter().map(|part| part.simulations).collect();
        assert_eq!(simulations, [Some(4), Some(4), Some(3)]);
        let expansions: Vec<_> = parts.iter().map(|part| part.expansions).collect();
        assert_eq!(expansions, [Some(1), Some(1), Some(0)]);
    }

    #[test]
    fn a_part_of_the_time_ends_sooner() {
        let hour = Duration::from_secs(3600);
        let clock = Clock::new(&Budget::time(4 * hour));
        let left = clock.sooner(4).left().expect("a deadline");
        assert!(left > hour * 9 / 10 && left <= hour, "{left:?}");
        assert_eq!(Clock::new(&Budget::simulations(1)).sooner(4).left(), None);
    }

    #[test]
    fn a_budget_of_time_is_as_long_as_it_says() {
        let hour = Duration::from_secs(3600);
        let mut ample = Clock::new(&Budget::time(hour));
        assert!(!ample.is_over());
        assert!(ample.left().is_some_and(|left| left > hour * 9 / 10));
        assert!(Clock::new(&Budget::time(Duration::ZERO)).is_over());
        assert!(!Clock::new(&Budget::simulations(1)).is_over());
    }

    #[test]
    fn the_time_between_two_looks_is_kept_in_reserve() {
        let now = Instant::now();
        let mut clock = Clock::new(&Budget::until(now + Duration::from_secs(60)));
        assert!(!clock.is_over());
        clock.longest = Duration::from_secs(120);
        assert!(clock.is_over());
    }

    #[test]
    fn someone_else_can_end_it() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut clock = Clock::new(&Budget::stopped_by(stop.clone()));
        assert!(!clock.is_over());
        stop.store(true, Ordering::Relaxed);
        assert!(clock.is_over());
    }
}
