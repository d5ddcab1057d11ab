//! Which goals have occurred at the ends of simulations: the lowest and the highest.

/// The highest goal less the lowest, where all occur.
const WHOLE: f64 = 100.0;

/// The range of goals so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GoalRange {
    low: f64,
    high: f64,
}

impl Default for GoalRange {
    fn default() -> Self {
        GoalRange { low: f64::INFINITY, high: f64::NEG_INFINITY }
    }
}

impl GoalRange {
    /// Takes up a goal.
    #[inline]
    pub(crate) fn note(&mut self, goal: f64) {
        self.low = self.low.min(goal);
        self.high = self.high.max(goal);
    }

    /// Its length, as a share of that from 0 to 100; 1 as long as there are not two different goals.
    #[inline]
    pub(crate) fn spread(&self) -> f64 {
        if self.high > self.low { (self.high - self.low) / WHOLE } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_the_goals_that_occurred() {
        let mut range = GoalRange::default();
        assert_eq!(range.spread(), 1.0);
        range.note(40.0);
        assert_eq!(range.spread(), 1.0, "one goal says nothing");
        range.note(60.0);
        range.note(50.0);
        assert_eq!(range.spread(), 0.2);
    }
}
