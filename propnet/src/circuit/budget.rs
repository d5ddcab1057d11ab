//! How much work making a circuit may be, and who may stop it.
//!
//! The library reads no clock. Work is counted in units of about a nanosecond, so the same rules
//! give the same circuit. Where the budget is used up, proofs are given up: the circuit becomes
//! larger, and says the same. Where the caller stops the work, building or a pass returns soon with
//! something that means nothing, and the entry points say [`CircuitError::Stopped`].

use std::cell::Cell;

use super::build::CircuitError;

/// The caller is asked once for this much work.
const ASK_EVERY: u64 = 1 << 20;

/// A budget for one circuit, from ground rules through all passes.
pub struct WorkBudget<'w> {
    /// Whether the work may go on.
    proceed: &'w dyn Fn() -> bool,
    /// Units of work on proofs and loops that are left.
    proofs: Cell<u64>,
    /// Work since the caller was asked.
    since: Cell<u64>,
    stopped: Cell<bool>,
}

impl Default for WorkBudget<'_> {
    /// The usual budget, which nothing stops.
    fn default() -> Self {
        WorkBudget::new(&|| true)
    }
}

impl<'w> WorkBudget<'w> {
    /// The usual total of the work on proofs and loops: about two seconds.
    pub const PROOFS: u64 = 2_000_000_000;

    /// The usual budget; the caller is asked about once a millisecond whether the work may
    /// go on.
    pub fn new(proceed: &'w dyn Fn() -> bool) -> Self {
        WorkBudget::with_proofs(Self::PROOFS, proceed)
    }

    /// The same with another total of the work on proofs and loops.
    pub fn with_proofs(proofs: u64, proceed: &'w dyn Fn() -> bool) -> Self {
        let (since, stopped) = (Cell::new(ASK_EVERY), Cell::new(false));
        WorkBudget { proceed, proofs: Cell::new(proofs), since, stopped }
    }

    /// The units of work on proofs and loops that are left.
    pub fn proofs(&self) -> u64 {
        self.proofs.get()
    }

    /// Takes work from what is left.
    pub(crate) fn spend(&self, work: u64) {
        self.proofs.set(self.proofs.get().saturating_sub(work));
    }

    /// Notes that about this much work is being done, and says whether it may go on. Where the
    /// total is counted, [`Self::spend`] does that.
    pub(crate) fn goes_on(&self, work: u64) -> bool {
        let since = self.since.get().saturating_add(work);
        if since < ASK_EVERY || self.stopped.get() {
            self.since.set(since);
            return !self.stopped.get();
        }
        self.since.set(0);
        self.stopped.set(!(self.proceed)());
        !self.stopped.get()
    }

    /// What was made, unless the caller has stopped the work while this stage was at it.
    pub(crate) fn finished<T>(&self, made: T, stage: &'static str) -> Result<T, CircuitError> {
        match self.is_stopped() {
            true => Err(CircuitError::Stopped { stage }),
            false => Ok(made),
        }
    }

    /// Whether the caller has stopped the work.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_is_asked_now_and_then_and_a_stop_is_for_good() {
        let asked = Cell::new(0);
        let proceed = || {
            asked.set(asked.get() + 1);
            asked.get() < 3
        };
        let budget = WorkBudget::new(&proceed);
        assert!(budget.goes_on(1), "asked at once");
        assert!(budget.goes_on(ASK_EVERY - 1));
        assert_eq!(asked.get(), 1);
        assert!(budget.goes_on(1));
        assert!(!budget.goes_on(u64::MAX));
        assert!(!budget.goes_on(u64::MAX) && budget.is_stopped());
        assert_eq!(asked.get(), 3, "not asked again");
    }

    #[test]
    fn no_more_is_spent_than_there_is() {
        let budget = WorkBudget::with_proofs(10, &|| true);
        budget.spend(4);
        assert_eq!(budget.proofs(), 6);
        budget.spend(7);
        assert_eq!(budget.proofs(), 0);
        assert!(budget.goes_on(1), "a budget that is used up stops nothing");
    }
}
