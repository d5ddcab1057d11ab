//! Statistics of samples: repeated measurements, and scores with their 95 % intervals.
//!
//! All intervals of the project are computed here, so that they mean the same in `match` and in the
//! contests of the tools.

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

/// The mean of scores, and the interval that contains the mean of all possible games in 95 of 100
/// cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.96;

impl Estimate {
    /// The mean of scores on a scale from 0 to `most`; none where there is no score, or where one
    /// is not on the scale.
    ///
    /// The interval is Wilson's score interval. Where there are only 0 and `most` it is exactly
    /// that: 10 wins of 10 give 72 to 100 %, and not 100 to 100. Scores in between, such as draws,
    /// vary less than wins and losses with the same mean, by the factor `variance / (m (1 - m))`;
    /// they count as that many more games (a quasi-binomial model). One win and one loss are added
    /// to find the factor, so that a few equal scores do not look like certainty.
    // Wilson 1927, "Probable inference"; Newcombe 1998, method 3.
    pub fn of(scores: &[f64], most: f64) -> Option<Self> {
        if scores.is_empty() || !scores.iter().all(|score| (0.0..=most).contains(score)) {
            return None;
        }
        let games = scores.len() as f64;
        let sum: f64 = scores.iter().map(|score| score / most).sum();
        let squares: f64 = scores.iter().map(|score| (score / most).powi(2)).sum();
        let padded = (sum + 1.0) / (games + 2.0);
        let variance = (squares + 1.0) / (games + 2.0) - padded * padded;
        let effective = games * padded * (1.0 - padded) / variance;
        let (low, high) = wilson(sum / games, effective);
        Some(Estimate { mean: most * sum / games, low: most * low, high: most * high })
    }
}

/// Wilson's interval for a share of this many trials.
fn wilson(share: f64, trials: f64) -> (f64, f64) {
    let shift = Z * Z / trials;
    let centre = (share + shift / 2.0) / (1.0 + shift);
    let half = Z * (share * (1.0 - share) / trials + shift / trials / 4.0).sqrt() / (1.0 + shift);
    // Bounds that are known exactly are not left to rounding.
    let low = if share <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    fn wins(won: usize, games: usize) -> Estimate {
        let scores: Vec<f64> = (0..games).map(|game| if game < won { 1.0 } else { 0.0 }).collect();
        Estimate::of(&scores, 1.0).expect("games")
    }

    #[test]
    fn measurements_have_a_middle_and_ends() {
        let spread = Spread::of([3.0, 1.0, 2.0]).expect("values");
        assert_eq!(spread, Spread { runs: 3, min: 1.0, median: 2.0, max: 3.0 });
        assert_eq!(spread.relative(), 1.0);
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).map(|spread| spread.median), Some(2.5));
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([0.0]).map(|spread| spread.relative()), Some(0.0));
    }

    #[test]
    fn shares_have_the_intervals_of_the_literature() {
        // The examples of Newcombe 1998, table I, method 3.
        for (won, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = wins(won, games);
            assert!((found.low - low).abs() < 5e-5, "{won} of {games}: {found:?}");
            assert!((found.high - high).abs() < 5e-5, "{won} of {games}: {found:?}");
        }
    }

    #[test]
    fn intervals_are_open_to_one_side_at_the_ends() {
        let all = wins(10, 10);
        assert_eq!((all.mean, all.high), (1.0, 1.0));
        assert!((all.low - 10.0 / (10.0 + Z * Z)).abs() < 1e-12, "{all:?}");
        let none = wins(0, 10);
        assert_eq!((none.mean, none.low), (0.0, 0.0));
        assert!((none.high + all.low - 1.0).abs() < 1e-12, "{none:?}");
        let one = wins(1, 1);
        assert!(one.low > 0.2 && one.low < 0.21 && one.high == 1.0, "{one:?}");
    }

    #[test]
    fn draws_narrow_an_interval_but_do_not_close_it() {
        let width = |scores: &[f64]| Estimate::of(scores, 1.0).map(|found| found.high - found.low);
        let (split, drawn) = (width(&[0.0, 1.0].repeat(5)), width(&[0.5; 10]));
        assert!(drawn < split && drawn > Some(0.2), "{drawn:?} and {split:?}");
    }

    #[test]
    fn scales_other_than_one_are_scaled() {
        let (points, shares) = (Estimate::of(&[100.0, 50.0, 0.0], 100.0), [1.0, 0.5, 0.0]);
        let (points, shares) = (points.expect("points"), Estimate::of(&shares, 1.0));
        let shares = shares.expect("shares");
        assert!((points.low - 100.0 * shares.low).abs() < 1e-9);
        assert_eq!(Estimate::of(&[], 1.0), None);
        assert_eq!(Estimate::of(&[101.0], 100.0), None);
        assert_eq!(Estimate::of(&[-1.0], 100.0), None);
        assert_eq!(Estimate::of(&[f64::NAN], 100.0), None);
    }

    /// The number of 4,000 samples whose interval contains the true mean.
    fn coverage(win: f64, draw: f64, games: usize) -> f64 {
        let mut rng = Pcg64::seed_from_u64(7);
        let mut score = || match rng.random::<f64>() {
            at if at < win => 1.0,
            at if at < win + draw => 0.5,
            _ => 0.0,
        };
        let truth = win + draw / 2.0;
        let samples = 4_000;
        let covered = (0..samples).filter(|_| {
            let scores: Vec<f64> = (0..games).map(|_| score()).collect();
            Estimate::of(&scores, 1.0).is_some_and(|it| it.low <= truth && truth <= it.high)
        });
        covered.count() as f64 / f64::from(samples)
    }

    #[test]
    fn the_true_mean_is_in_the_interval_as_often_as_promised() {
        for (win, draw) in [(0.5, 0.0), (0.9, 0.0), (0.97, 0.02), (0.3, 0.4), (0.1, 0.85)] {
            for games in [10, 40, 200] {
                let found = coverage(win, draw, games);
                assert!(found > 0.91, "{win} won, {draw} drawn, {games} games: {found}");
            }
        }
    }
}
