//! What a step of a playout can do besides choosing moves at random.

use crate::circuit::plan::DecisiveMoves;

/// The abilities of a step. Each costs operations, so a step has only those that were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepOptions {
    /// Moves have weights of this many bits, from 1 to 16, and are chosen in proportion to them.
    /// Where the weights of all legal moves are 0, each is as likely as the others. Such a step is
    /// in two parts, with the choice between them.
    pub weights: Option<usize>,
    /// The caller may force the joint move of a lane.
    pub forced: bool,
    /// Playouts may have a limit on their moves, of this many bits; 0 for no limits.
    pub limit_bits: usize,
    /// The moves made can be read after the step.
    pub record: bool,
    /// A lane that is over gets the random generators of a new playout at once, if one is ready.
    pub restart: bool,
    /// Moves that are left out where others win at once, or stop an opponent who would.
    pub decisive: DecisiveMoves,
    /// A playout is over as soon as latches leave each role only one goal.
    pub ends_early: bool,
    /// Whoever plays wants to know whether the goals of all roles always have the same sum: that is
    /// proven where it takes little time.
    pub goal_sum: bool,
}

impl StepOptions {
    /// The most moves that a playout can be limited to.
    pub fn highest_limit(&self) -> u64 {
        // The number in a lane is one more than the moves that are left, and 0 without a limit.
        (1u64 << self.limit_bits.min(63)).saturating_sub(2)
    }

    /// The [`StepOptions::limit_bits`] that a limit of `limit` moves needs; of the highest limits,
    /// as many as there are.
    pub fn bits_for(limit: u64) -> usize {
        let bits = u64::BITS - limit.saturating_add(1).leading_zeros();
        bits.min(63) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_gets_the_bits_that_it_needs_and_no_more() {
        let highest = |limit_bits| StepOptions { limit_bits, ..Default::default() }.highest_limit();
        for limit in [0, 1, 2, 5, 6, 7, 254, 255, 10_000, u64::MAX >> 2, (1 << 63) - 2] {
            let bits = StepOptions::bits_for(limit);
            assert!(highest(bits) >= limit, "{limit} in {bits} bits");
            assert!(bits == 1 || highest(bits - 1) < limit, "{limit} in {bits} bits");
        }
        assert_eq!(StepOptions::bits_for(u64::MAX), 63);
    }
}
