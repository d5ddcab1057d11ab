//! How long work may go on: until its time is up, or somebody wants everything to end.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use propnet::ground::Watch;

/// A time that starts now, and a flag that ends it.
pub(crate) struct Patience<'i> {
    /// A time that does not fit the clock is no bound.
    end: Option<Instant>,
    interrupt: &'i AtomicBool,
}

impl<'i> Patience<'i> {
    pub(crate) fn new(time: Duration, interrupt: &'i AtomicBool) -> Self {
        Patience { end: Instant::now().checked_add(time), interrupt }
    }

    /// Whether the work may go on.
    pub(crate) fn goes_on(&self) -> bool {
        !self.interrupt.load(Relaxed) && self.end.is_none_or(|end| Instant::now() < end)
    }
}

impl Watch for Patience<'_> {
    fn proceed(&mut self) -> bool {
        self.goes_on()
    }
}
