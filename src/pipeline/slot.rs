//! A value that several threads need and one of them makes.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::error::PipelineError;

/// How often threads that wait for a value check whether they may still wait.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A place for a value, or for why there is none.
pub(super) struct Slot<T> {
    state: Mutex<SlotProgress<T>>,
    changed: Condvar,
}

enum SlotProgress<T> {
    /// No thread makes it.
    Empty,
    /// A thread makes it.
    Making,
    Made(Result<T, PipelineError>),
}

impl<T: Clone> Slot<T> {
    fn new() -> Self {
        Slot { state: Mutex::new(SlotProgress::Empty), changed: Condvar::new() }
    }

    /// The value: made by this thread, or by another that this one waits for.
    ///
    /// A thread that is stopped, or fails, leaves the work to the next one that waits. Any other
    /// error is one of the rules and their bounds, so it is kept.
    pub(super) fn get_or_make(
        &self,
        may_go_on: &dyn Fn() -> bool,
        make: impl FnOnce() -> Result<T, PipelineError>,
    ) -> Result<T, PipelineError> {
        if let Some(made) = self.wait(may_go_on) {
            return made;
        }
        let guard = MakerGuard(self);
        let made = make();
        let is_stopped = matches!(made, Err(PipelineError::Stopped { .. }));
        if !is_stopped {
            *self.lock() = SlotProgress::Made(made.clone());
        }
        drop(guard);
        made
    }

    /// What others have made, as soon as they have; none where this thread is the one to make it.
    fn wait(&self, may_go_on: &dyn Fn() -> bool) -> Option<Result<T, PipelineError>> {
        loop {
            {
                let mut state = self.lock();
                match &*state {
                    SlotProgress::Made(made) => return Some(made.clone()),
                    SlotProgress::Empty => {
                        *state = SlotProgress::Making;
                        return None;
                    }
                    SlotProgress::Making => drop(self.changed.wait_timeout(state, LOOK_EVERY)),
                }
            }
            // Not with the lock held: the caller may keep this thread waiting.
            if !may_go_on() {
                return Some(Err(PipelineError::Stopped { work: "waiting for another thread" }));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, SlotProgress<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to make the value. It is given back where nothing was made, whatever the reason.
struct MakerGuard<'s, T: Clone>(&'s Slot<T>);

impl<T: Clone> Drop for MakerGuard<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if matches!(*state, SlotProgress::Making) {
            *state = SlotProgress::Empty;
        }
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Slots by the key that their values are made with. A slot is dropped with its last holder, unless
/// the shelf keeps it.
pub(super) struct Shelf<K, T> {
    slots: Mutex<Vec<SlotEntry<K, T>>>,
    keeps: bool,
}

struct SlotEntry<K, T> {
    key: K,
    slot: Weak<Slot<T>>,
    kept: Option<Arc<Slot<T>>>,
}

impl<K: PartialEq, T: Clone> Shelf<K, T> {
    /// A shelf that keeps all values until it forgets them.
    pub(super) fn keeping() -> Self {
        Shelf { slots: Mutex::default(), keeps: true }
    }

    /// A shelf of values that live only as long as a thread holds their slots.
    pub(super) fn passing() -> Self {
        Shelf { slots: Mutex::default(), keeps: false }
    }

    /// The slot of the values with this key.
    pub(super) fn slot(&self, key: K) -> Arc<Slot<T>> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|entry| entry.slot.strong_count() > 0);
        let known = slots.iter().find(|entry| entry.key == key);
        if let Some(slot) = known.and_then(|entry| entry.slot.upgrade()) {
            return slot;
        }
        let slot = Arc::new(Slot::new());
        let kept = self.keeps.then(|| slot.clone());
        slots.push(SlotEntry { key, slot: Arc::downgrade(&slot), kept });
        slot
    }

    /// Drops all values that no thread holds.
    pub(super) fn forget(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.iter_mut().for_each(|entry| entry.kept = None);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    const STOPPED: PipelineError = PipelineError::Stopped { work: "grounding" };

    #[test]
    fn several_threads_make_a_value_once() {
        let (slot, made) = (Slot::new(), AtomicUsize::new(0));
        let make = || {
            thread::sleep(Duration::from_millis(20));
            Ok(made.fetch_add(1, SeqCst))
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(slot.get_or_make(&|| true, make), Ok(0)));
            }
        });
        assert_eq!(made.load(SeqCst), 1);
    }

    #[test]
    fn another_thread_takes_over_where_the_first_is_stopped_or_fails() {
        let slot = Slot::new();
        let (begun, has_begun) = channel();
        let (stop, is_stopped) = channel::<()>();
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                slot.get_or_make(&|| true, move || {
                    begun.send(()).expect("somebody listens");
                    is_stopped.recv().expect_err("nothing is sent");
                    Err(STOPPED)
                })
            });
            has_begun.recv().expect("it begins");
            let second = scope.spawn(|| slot.get_or_make(&|| true, || Ok(2)));
            drop(stop);
            assert_eq!(first.join().expect("no panic"), Err(STOPPED));
            assert_eq!(second.join().expect("no panic"), Ok(2));
        });
        let slot = Slot::new();
        let fail = || slot.get_or_make(&|| true, || panic!("on purpose"));
        assert!(catch_unwind(AssertUnwindSafe(fail)).is_err());
        assert_eq!(slot.get_or_make(&|| true, || Ok(3)), Ok(3));
    }

    #[test]
    fn whoever_waits_can_be_stopped_and_the_others_go_on() {
        let slot = Slot::new();
        let (begun, has_begun) = channel();
        let (go_on, held) = channel::<()>();
        let is_wanted = AtomicBool::new(true);
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                slot.get_or_make(&|| true, move || {
                    begun.send(()).expect("somebody listens");
                    held.recv().expect_err("nothing is sent");
                    Ok(1)
                })
            });
            has_begun.recv().expect("it begins");
            let second = scope.spawn(|| slot.get_or_make(&|| is_wanted.load(SeqCst), || Ok(2)));
            is_wanted.store(false, SeqCst);
            let stopped = second.join().expect("no panic");
            assert!(matches!(stopped, Err(PipelineError::Stopped { .. })));
            drop(go_on);
            assert_eq!(first.join().expect("no panic"), Ok(1));
        });
    }

    #[test]
    fn a_shelf_keeps_values_or_lets_them_go() {
        let passing: Shelf<u8, u8> = Shelf::passing();
        let slot = passing.slot(1);
        assert!(Arc::ptr_eq(&slot, &passing.slot(1)));
        assert!(!Arc::ptr_eq(&slot, &passing.slot(2)));
        let weak = Arc::downgrade(&slot);
        drop(slot);
        assert!(weak.upgrade().is_none());
        let keeping: Shelf<u8, u8> = Shelf::keeping();
        let weak = Arc::downgrade(&keeping.slot(1));
        assert!(weak.upgrade().is_some());
        keeping.forget();
        assert!(weak.upgrade().is_none());
    }
}
