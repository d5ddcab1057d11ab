//! A playout is worth the goals at its end, discounted by its length.
//!
//! Section 3.3.3 of the CadiaPlayer thesis: a discount prefers short ways to the same score.

use std::sync::Arc;

use super::{Evaluation, MakeEvaluation};
use crate::search::scheme::{Parameter, Part, Values};

/// The discount of one ply.
pub(crate) const DISCOUNT: Parameter = Parameter::number(
    "discount",
    "the factor of a score for each ply; not used where the best line is searched for",
    0.999,
    0.5,
    1.0,
);

/// The highest limit on the joint moves of a playout.
pub(crate) const HIGHEST_LIMIT: u64 = (1 << 16) - 2;

/// When playouts are cut.
pub(crate) const LIMIT: Parameter = Parameter::count(
    "playout_limit",
    "joint moves after which a playout is cut",
    4000,
    1,
    HIGHEST_LIMIT,
);

/// The part with this name.
pub(crate) const PART: Part<MakeEvaluation> = Part {
    name: "goals",
    help: "a playout is worth the goals at its end, discounted by its length",
    paper: "Finnsson 2012, section 3.3",
    parameters: &[DISCOUNT, LIMIT],
    make: |values, is_discounted| Arc::new(Goals::of(values, is_discounted)),
};

/// Goals, discounted.
pub(super) struct Goals {
    discount: f64,
    /// The discounts of playouts of common lengths, by length.
    powers: Vec<f64>,
    limit: u64,
}

impl Goals {
    pub(super) fn of(values: &Values, is_discounted: bool) -> Self {
        let discount = if is_discounted { values.get(&DISCOUNT) } else { 1.0 };
        Goals::new(discount, values.count(&LIMIT))
    }

    fn new(discount: f64, limit: u64) -> Self {
        Goals { discount, powers: (0..1024).map(|length| discount.powi(length)).collect(), limit }
    }
}

impl Evaluation for Goals {
    fn limit(&self) -> u64 {
        self.limit
    }

    fn discount(&self) -> f64 {
        self.discount
    }

    fn discount_after(&self, length: u64) -> f64 {
        let power = || self.discount.powi(i32::try_from(length).unwrap_or(i32::MAX));
        self.powers.get(length as usize).copied().unwrap_or_else(power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discounts_are_powers_however_long_a_playout_is() {
        let goals = Goals::new(0.999, 10);
        for length in [0, 1, 2, 62, 1023, 1024, 5000] {
            let expected = (length as f64 * 0.999f64.ln()).exp();
            assert!((goals.discount_after(length) / expected - 1.0).abs() < 1e-9, "{length}");
        }
        assert_eq!(goals.discount_after(u64::MAX), 0.0);
    }
}
