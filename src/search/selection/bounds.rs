//! Upper confidence bounds in two terms, which other parts may change before the highest is chosen.
//!
//! ```text
//! bound(move) = value(move) + bonus(move)      value: what the move seems to be worth
//!                                              bonus: what it gets for being little visited
//! ```
//!
//! A base scheme such as UCT fills both terms. Adjustments (moving averages, RAVE, a prior, a
//! sufficiency threshold) then change them, in the order of their table.

use rand::RngExt;
use rand_pcg::Pcg64;
use smallvec::SmallVec;

use super::adjustment::Adjustment;
use super::{Choice, Choose, NodeMoves};
use crate::search::tree::{ColumnSpec, MoveEntry};

/// A base scheme: the two terms of its bound.
pub(super) trait Bound: Send + Sync {
    /// The statistics it needs besides visits and totals.
    const COLUMNS: &'static [ColumnSpec] = &[];

    /// Fills in both terms of each move, of which at least one was tried.
    fn fill(&self, node: &NodeMoves, terms: &mut Terms);
}

/// Both terms, by move. They are NaN where a move was never tried.
#[derive(Default)]
pub(crate) struct Terms {
    pub(crate) values: SmallVec<[f64; 64]>,
    pub(crate) bonuses: SmallVec<[f64; 64]>,
}

impl Terms {
    /// Mixes another value into the bound of a move, with this share.
    pub(super) fn blend(&mut self, at: usize, value: f64, share: f64) {
        self.values[at] = share * value + (1.0 - share) * self.values[at];
        self.bonuses[at] *= 1.0 - share;
    }

    /// Makes sure that closed moves are not chosen, nor counted by adjustments.
    pub(super) fn close(&mut self, node: &NodeMoves) {
        if !node.closed.is_empty() {
            for at in (0..self.values.len()).filter(|&at| node.closed.has(at)) {
                self.values[at] = f64::NAN;
            }
        }
    }

    /// The highest bound.
    pub(super) fn highest(&self, rng: &mut Pcg64) -> Choice {
        let mut highest = Highest::default();
        let bounds = self.values.iter().zip(&self.bonuses).map(|(value, bonus)| value + bonus);
        highest.compare(0, bounds, rng);
        highest.choice()
    }

    /// One of the bounds that are so close to the highest, each as likely as the others.
    pub(super) fn one_of_highest(&self, tolerance: f64, rng: &mut Pcg64) -> Choice {
        let bounds = self.values.iter().zip(&self.bonuses).map(|(value, bonus)| value + bonus);
        let least = bounds.clone().fold(f64::NEG_INFINITY, f64::max) - tolerance;
        let mut highest = Highest::default();
        // What is NaN stays so.
        let level = |bound: f64| if bound > least { least } else { bound };
        highest.compare(0, bounds.map(level), rng);
        highest.choice()
    }

    /// Adds the terms of the next move.
    pub(super) fn push(&mut self, value: f64, bonus: f64) {
        self.values.push(value);
        self.bonuses.push(bonus);
    }
}

/// A base scheme with adjustments.
pub(super) struct Bounds<B> {
    pub(super) base: B,
    pub(super) adjustments: Vec<Box<dyn Adjustment>>,
}

impl<B: Bound> Choose for Bounds<B> {
    fn columns(&self) -> Vec<ColumnSpec> {
        let theirs = self.adjustments.iter().flat_map(|adjustment| adjustment.columns());
        B::COLUMNS.iter().chain(theirs).copied().collect()
    }

    fn choose(&self, node: &NodeMoves, rng: &mut Pcg64) -> Choice {
        let mut terms = Terms::default();
        self.base.fill(node, &mut terms);
        terms.close(node);
        for adjustment in &self.adjustments {
            adjustment.adjust(node, &mut terms);
        }
        terms.close(node);
        terms.highest(rng)
    }

    fn adjustments(&mut self) -> &mut [Box<dyn Adjustment>] {
        &mut self.adjustments
    }

    fn amaf_samples(&self) -> u64 {
        self.adjustments.iter().map(|adjustment| adjustment.amaf_samples()).sum()
    }
}

/// The highest of the bounds so far. NaN is never the highest.
pub(super) struct Highest {
    place: usize,
    pub(super) bound: f64,
    /// How many bounds are equally high.
    ties: u32,
}

impl Default for Highest {
    fn default() -> Self {
        Highest { place: 0, bound: f64::NEG_INFINITY, ties: 1 }
    }
}

impl Highest {
    /// Goes on to the bounds from some place on.
    #[inline]
    pub(super) fn compare(
        &mut self,
        first: usize,
        bounds: impl IntoIterator<Item = f64>,
        rng: &mut Pcg64,
    ) {
        for (place, bound) in (first..).zip(bounds) {
            if bound > self.bound {
                *self = Highest { place, bound, ties: 1 };
            } else if bound == self.bound {
                // Each of the ties is as likely to be the one that stays.
                self.ties += 1;
                if rng.random_range(0..self.ties) == 0 {
                    self.place = place;
                }
            }
        }
    }

    /// What was found.
    pub(super) fn choice(&self) -> Choice {
        Choice { at: self.place, bound: self.bound }
    }
}

/// The mean of a move's scores, simulations in flight as losses; NaN if it was never tried.
pub(super) fn mean(entry: &MoveEntry) -> f64 {
    entry.total / entry.visits
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn bounds_close_to_the_highest_are_as_likely_as_it() {
        let mut terms = Terms::default();
        [60.0, f64::NAN, 59.5, 58.0].into_iter().for_each(|value| terms.push(value, 5.0));
        let mut rng = Pcg64::seed_from_u64(1);
        let mut counts = [0; 4];
        (0..2000).for_each(|_| counts[terms.one_of_highest(1.0, &mut rng).at] += 1);
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!((900..1100).contains(&counts[0]), "{counts:?}");
        assert_eq!(terms.one_of_highest(0.0, &mut rng).at, 0);
    }
}
