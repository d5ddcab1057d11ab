//! The moves that a playout may still make, counted down in every lane.
//!
//! The number is one more than the moves that are left, so that 0, which is what a lane without
//! anything set has, means that there is no limit.

use super::copier::and_in_pairs;
use super::numbers::{Number, xor};
use crate::circuit::{Network, Signal};

/// What a countdown says in a step.
pub(super) struct Countdown {
    /// No move is left.
    pub(super) is_over: Signal,
    /// The number after one more move.
    pub(super) next: Number,
}

impl Countdown {
    /// The countdown that stands at a number; of no bits where there are no limits at all.
    pub(super) fn new(network: &mut Network, number: &[Signal]) -> Self {
        // Where all lower bits are false, one less turns a bit over.
        let mut lower = Signal::TRUE;
        let mut less = Vec::with_capacity(number.len());
        for &bit in number {
            less.push(xor(network, bit, lower));
            lower = network.and(vec![lower, !bit]);
        }
        let is_limited = !lower;
        let next = less.into_iter().map(|bit| network.and(vec![bit, is_limited])).collect();
        let is_over = match number {
            [] => Signal::FALSE,
            [lowest, higher @ ..] => {
                let none = higher.iter().map(|&bit| !bit).collect();
                let none = and_in_pairs(network, none);
                network.and(vec![*lowest, none])
            }
        };
        Countdown { is_over, next }
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbers::tests::{inputs, value};
    use super::*;

    #[test]
    fn numbers_go_down_to_one_and_zero_stays() {
        let (mut network, number, _) = inputs([4, 0]);
        let countdown = Countdown::new(&mut network, &number);
        for given in 0..16 {
            assert_eq!(value(&network, &countdown.next, given), given.saturating_sub(1));
            assert_eq!(value(&network, &[countdown.is_over], given) == 1, given == 1);
        }
        assert_eq!(Countdown::new(&mut network, &[]).is_over, Signal::FALSE);
    }
}
