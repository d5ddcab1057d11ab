//! How other threads wake or stop a search worker.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::precedence::Precedence;

/// How often a waiting thread checks whether it was stopped.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Two flags. A sender first puts a turn into the channel, then sets the wake flag; the worker
/// first clears the flag, then reads its channel. So no turn is missed, and a spurious wake-up only
/// makes the worker look into its channel once more.
#[derive(Debug, Default)]
pub(super) struct Signals {
    wake: Arc<AtomicBool>,
    ended: AtomicBool,
    precedence: Arc<Precedence>,
}

impl Signals {
    /// Signals of a thread that waits while the match tracker works.
    pub(super) fn new(precedence: &Arc<Precedence>) -> Self {
        Signals { precedence: precedence.clone(), ..Signals::default() }
    }

    /// Whether the thread may go on with its work; waits first while the match tracker works. The
    /// stop signals of long work ask this often.
    pub(super) fn may_go_on(&self) -> bool {
        loop {
            if self.is_stopped() {
                return false;
            }
            if self.precedence.wait(LOOK_EVERY) {
                return true;
            }
        }
    }

    /// Ends a running search, so that the worker looks into its channel.
    pub(super) fn wake(&self) {
        self.wake.store(true, SeqCst);
    }

    /// Makes the thread end soon.
    pub(super) fn stop(&self) {
        self.ended.store(true, SeqCst);
        self.wake();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.ended.load(SeqCst)
    }

    /// Clears the wake flag.
    pub(super) fn rest(&self) {
        self.wake.store(false, SeqCst);
    }

    pub(super) fn is_awake(&self) -> bool {
        self.wake.load(SeqCst)
    }

    /// The flag that ends a search.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.wake.clone()
    }
}

/// Stops a player from another thread: it answers at once and searches no more.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<Mutex<StopState>>);

#[derive(Debug, Default)]
struct StopState {
    is_stopped: bool,
    followers: Vec<Arc<Signals>>,
}

impl StopHandle {
    /// Stops all searches, now and later.
    pub fn stop(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_stopped = true;
        state.followers.drain(..).for_each(|signals| signals.stop());
    }

    /// Whether the player was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_stopped
    }

    /// Also stops this thread when the player is stopped.
    pub(super) fn follow(&self, signals: Arc<Signals>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped {
            signals.stop();
        } else {
            state.followers.push(signals);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::precedence::Claim;
    use super::*;

    #[test]
    fn long_work_waits_while_the_referee_is_at_work() {
        let precedence = Arc::new(Precedence::default());
        let signals = Arc::new(Signals::new(&precedence));
        assert!(signals.may_go_on());
        let claim = Claim::new(&precedence);
        let theirs = signals.clone();
        let work = thread::spawn(move || theirs.may_go_on());
        thread::sleep(2 * LOOK_EVERY);
        assert!(!work.is_finished());
        drop(claim);
        assert!(work.join().expect("no panic"));
    }

    #[test]
    fn work_that_waits_can_be_ended() {
        let precedence = Arc::new(Precedence::default());
        let signals = Arc::new(Signals::new(&precedence));
        let _claim = Claim::new(&precedence);
        signals.stop();
        assert!(!signals.may_go_on());
    }
}
