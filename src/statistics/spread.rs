//! Repeated measurements: their median and extremes.

use serde::{Deserialize, Serialize};

/// The median and the extremes of repeated measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The number of measurements.
    pub runs: usize,
    /// The lowest.
    pub min: f64,
    /// The median: the middle one, or the mean of the two in the middle.
    pub median: f64,
    /// The highest.
    pub max: f64,
}

impl Spread {
    /// The spread of some measurements; none if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let runs = sorted.len();
        let median = (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2.0;
        Some(Spread { runs, min, median, max })
    }

    /// The distance between the extremes, as a share of the median.
    pub fn relative(&self) -> f64 {
        if self.median > 0.0 { (self.max - self.min) / self.median } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_have_a_middle_and_ends() {
        let spread = Spread::of([3.0, 1.0, 2.0]).expect("values");
        assert_eq!(spread, Spread { runs: 3, min: 1.0, median: 2.0, max: 3.0 });
        assert_eq!(spread.relative(), 1.0);
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).map(|spread| spread.median), Some(2.5));
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([0.0]).map(|spread| spread.relative()), Some(0.0));
    }
}
