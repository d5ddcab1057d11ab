//! Which matches still run, and how large their sheets are together.
//!
//! A match runs as long as anything holds its [`MatchSlot`]: the table of matches, a message that
//! is worked on, or a thread of the player that still ends.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::metrics::Metrics;
use crate::search::Report;

/// Counts matches.
#[derive(Clone, Default)]
pub(super) struct RunningMatches(Arc<SharedCounts>);

#[derive(Default)]
struct SharedCounts {
    running: Mutex<RunningCounts>,
    /// Notified when a match has left.
    left: Condvar,
    metrics: Arc<Metrics>,
}

/// What runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RunningCounts {
    /// The number of matches.
    pub(super) matches: usize,
    /// The sum of what their sheets weigh.
    pub(super) weight: usize,
}

/// A match that runs, until it is dropped.
pub(super) struct MatchSlot {
    shared: Arc<SharedCounts>,
    weight: usize,
    is_completed: AtomicBool,
}

impl RunningMatches {
    pub(super) fn new(metrics: Arc<Metrics>) -> Self {
        RunningMatches(Arc::new(SharedCounts { metrics, ..SharedCounts::default() }))
    }

    pub(super) fn running(&self) -> RunningCounts {
        *self.0.lock()
    }

    /// Adds a match.
    pub(super) fn slot(&self, weight: usize) -> Arc<MatchSlot> {
        let mut running = self.0.lock();
        running.matches += 1;
        running.weight += weight;
        drop(running);
        self.0.metrics.started.inc();
        Arc::new(MatchSlot { shared: self.0.clone(), weight, is_completed: AtomicBool::default() })
    }

    /// Waits until nothing holds this slot any more, but not for long.
    pub(super) fn wait_for(&self, slot: &Weak<MatchSlot>, patience: Duration) {
        let is_held = |_: &mut RunningCounts| slot.strong_count() > 0;
        drop(self.0.left.wait_timeout_while(self.0.lock(), patience, is_held));
    }
}

impl SharedCounts {
    fn lock(&self) -> MutexGuard<'_, RunningCounts> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatchSlot {
    /// Counts what a search did for an answer.
    pub(super) fn count_search(&self, report: &Report) {
        self.shared.metrics.count_search(report);
    }

    /// Notes that the game was played to its end. A match of which this is not known was aborted.
    pub(super) fn complete(&self) {
        self.is_completed.store(true, SeqCst);
    }
}

impl Drop for MatchSlot {
    fn drop(&mut self) {
        let mut running = self.shared.lock();
        running.matches -= 1;
        running.weight -= self.weight;
        drop(running);
        let metrics = &self.shared.metrics;
        let ended =
            if self.is_completed.load(SeqCst) { &metrics.completed } else { &metrics.aborted };
        ended.inc();
        self.shared.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_match_counts_until_nobody_holds_it() {
        let running_matches = RunningMatches::default();
        let (first, second) = (running_matches.slot(10), running_matches.slot(5));
        let thread_of_it = first.clone();
        assert_eq!(running_matches.running(), RunningCounts { matches: 2, weight: 15 });
        drop(first);
        assert_eq!(running_matches.running().matches, 2);
        let weak = Arc::downgrade(&thread_of_it);
        running_matches.wait_for(&weak, Duration::from_millis(10));
        let begun = Instant::now();
        let ending = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            thread_of_it.complete();
        });
        running_matches.wait_for(&weak, Duration::from_secs(60));
        assert!(begun.elapsed() < Duration::from_secs(50));
        ending.join().expect("no panic");
        assert_eq!(running_matches.running(), RunningCounts { matches: 1, weight: 5 });
        drop(second);
        let metrics = &running_matches.0.metrics;
        let counts = [&metrics.started, &metrics.completed, &metrics.aborted];
        assert_eq!(counts.map(|counter| counter.get()), [2, 1, 1]);
    }
}
