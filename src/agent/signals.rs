//! How a thread that searches is woken or ended by others.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::precedence::Precedence;

/// Those who wait for something look so often whether someone has ended it all.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Two flags. Whoever has something for the thread puts it into its channel first and wakes it
/// then; the thread lowers the flag first and looks into its channel then. So nothing is missed,
/// and a flag that is raised for nothing only makes the thread look once more.
#[derive(Debug, Default)]
pub(super) struct Signals {
    wake: Arc<AtomicBool>,
    ended: AtomicBool,
    precedence: Arc<Precedence>,
}

impl Signals {
    /// Signals of a thread that lets the referee go first.
    pub(super) fn new(precedence: &Arc<Precedence>) -> Self {
        Signals { precedence: precedence.clone(), ..Signals::default() }
    }

    /// Whether the thread may go on with a long work, after the referee has gone first. For the
    /// watches of that work, which ask often.
    pub(super) fn may_go_on(&self) -> bool {
        loop {
            if self.is_ended() {
                return false;
            }
            if self.precedence.wait(LOOK_EVERY) {
                return true;
            }
        }
    }

    /// Makes a search end, for a look at what is new.
    pub(super) fn wake(&self) {
        self.wake.store(true, SeqCst);
    }

    /// Makes the thread end soon.
    pub(super) fn end(&self) {
        self.ended.store(true, SeqCst);
        self.wake();
    }

    pub(super) fn is_ended(&self) -> bool {
        self.ended.load(SeqCst)
    }

    /// Lowers the flag.
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

/// Ends a player from another thread: it answers at once, and thinks no more.
#[derive(Clone, Debug, Default)]
pub struct Ender(Arc<Mutex<Ending>>);

#[derive(Debug, Default)]
struct Ending {
    is_ended: bool,
    followers: Vec<Arc<Signals>>,
}

impl Ender {
    /// Ends all thinking, now and later.
    pub fn end(&self) {
        let mut ending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ending.is_ended = true;
        ending.followers.drain(..).for_each(|signals| signals.end());
    }

    /// Whether all was ended.
    pub(super) fn is_ended(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_ended
    }

    /// Makes a thread end with the others.
    pub(super) fn follow(&self, signals: Arc<Signals>) {
        let mut ending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if ending.is_ended {
            signals.end();
        } else {
            ending.followers.push(signals);
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
        signals.end();
        assert!(!signals.may_go_on());
    }
}
