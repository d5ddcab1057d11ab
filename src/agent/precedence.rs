//! The match tracker has precedence: while it works on a position, the other threads of the match
//! wait.
//!
//! A legal move matters more than a good one. On a busy machine with a short clock, searching and
//! building the circuit would otherwise use the time that the match tracker needs.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest time that others wait for one position: some games take minutes for one.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether the match tracker is working.
#[derive(Debug, Default)]
pub(super) struct Precedence {
    /// Requests that the match tracker has not answered yet.
    open: AtomicUsize,
    /// When the first of them was sent.
    since: Mutex<Option<Instant>>,
    free: Condvar,
}

impl Precedence {
    /// Waits until the match tracker is idle, at most for `time`. Whether others may work now.
    pub(super) fn wait(&self, time: Duration) -> bool {
        if self.open.load(SeqCst) == 0 {
            return true;
        }
        let since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        if has_waited(*since) {
            return true;
        }
        let waited = self.free.wait_timeout_while(since, time, |since| !has_waited(*since));
        has_waited(*waited.unwrap_or_else(PoisonError::into_inner).0)
    }
}

/// Whether others need not wait any longer.
fn has_waited(since: Option<Instant>) -> bool {
    since.is_none_or(|since| since.elapsed() >= PATIENCE)
}

/// An open request to the match tracker. It counts until it is dropped, answered or not.
pub(super) struct Claim(Arc<Precedence>);

impl Claim {
    pub(super) fn new(precedence: &Arc<Precedence>) -> Self {
        let mut since = precedence.since.lock().unwrap_or_else(PoisonError::into_inner);
        if precedence.open.fetch_add(1, SeqCst) == 0 {
            *since = Some(Instant::now());
        }
        drop(since);
        Claim(precedence.clone())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut since = self.0.since.lock().unwrap_or_else(PoisonError::into_inner);
        if self.0.open.fetch_sub(1, SeqCst) == 1 {
            *since = None;
            self.0.free.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_wait_as_long_as_a_question_is_open() {
        let precedence = Arc::new(Precedence::default());
        assert!(precedence.wait(Duration::ZERO));
        let claims = [Claim::new(&precedence), Claim::new(&precedence)];
        let [first, second] = claims;
        drop(first);
        assert!(!precedence.wait(Duration::ZERO));
        let theirs = precedence.clone();
        let waiting = std::thread::spawn(move || theirs.wait(Duration::from_secs(3600)));
        drop(second);
        assert!(waiting.join().expect("no panic"));
    }

    #[test]
    fn nobody_waits_for_ever() {
        let precedence = Arc::new(Precedence::default());
        let _open = Claim::new(&precedence);
        assert!(precedence.wait(2 * PATIENCE));
    }
}
