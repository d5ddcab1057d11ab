//! The mean of scores with its 95 % interval: Wilson's for wins and draws, the bootstrap for points.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

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

/// Resamples of the bootstrap: its ends then vary by about a hundredth of the interval.
const RESAMPLES: usize = 4000;

impl Estimate {
    /// The mean of points on a scale from 0 to `most`, whatever their distribution is; none where
    /// [`Estimate::of`] has none.
    ///
    /// The interval is that of the bootstrap: the middle 95 % of the means of samples that are drawn
    /// from the points, as many and with replacement. Points that are all the same would look like
    /// certainty; so the lowest and the highest score are drawn from as well, as if each was seen
    /// once more. The same points give the same interval.
    // Efron 1979, the percentile method.
    pub fn of_points(points: &[f64], most: f64) -> Option<Self> {
        Estimate::of(points, most)?;
        let mut padded = points.to_vec();
        padded.extend([0.0, most]);
        let mut rng = Pcg64::seed_from_u64(1);
        let mut mean = || {
            let drawn = points.iter().map(|_| padded[rng.random_range(0..padded.len())]);
            drawn.sum::<f64>() / points.len() as f64
        };
        let mut means: Vec<f64> = (0..RESAMPLES).map(|_| mean()).collect();
        means.sort_by(f64::total_cmp);
        let mean = points.iter().sum::<f64>() / points.len() as f64;
        let (low, high) = (means[RESAMPLES / 40], means[RESAMPLES - 1 - RESAMPLES / 40]);
        Some(Estimate { mean, low: low.min(mean), high: high.max(mean) })
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
    use super::*;

    fn wins(won: usize, games: usize) -> Estimate {
        let scores: Vec<f64> = (0..games).map(|game| if game < won { 1.0 } else { 0.0 }).collect();
        Estimate::of(&scores, 1.0).expect("games")
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

    #[test]
    fn points_have_an_interval_as_wide_as_they_vary() {
        // Of 400 points half are 20 and half are 80: the mean varies by 30 / sqrt(400) = 1.5.
        let points = [20.0, 80.0].repeat(200);
        let found = Estimate::of_points(&points, 100.0).expect("points");
        assert_eq!(found.mean, 50.0);
        assert!((found.low - (50.0 - 1.96 * 1.5)).abs() < 0.3, "{found:?}");
        assert!((found.high - (50.0 + 1.96 * 1.5)).abs() < 0.3, "{found:?}");
        assert_eq!(Estimate::of_points(&points, 100.0), Some(found), "it is reproducible");
        assert_eq!(Estimate::of_points(&[], 100.0), None);
        assert_eq!(Estimate::of_points(&[120.0], 100.0), None);
    }

    #[test]
    fn equal_points_are_no_certainty() {
        let all = Estimate::of_points(&[100.0; 10], 100.0).expect("points");
        assert_eq!((all.mean, all.high), (100.0, 100.0));
        assert!((60.0..90.0).contains(&all.low), "{all:?}");
        let none = Estimate::of_points(&[0.0; 300], 100.0).expect("points");
        assert_eq!((none.mean, none.low), (0.0, 0.0));
        assert!((0.5..2.0).contains(&none.high), "{none:?}");
    }

    #[test]
    fn the_bootstrap_covers_the_true_mean_as_often_as_promised() {
        let mut rng = Pcg64::seed_from_u64(3);
        for games in [20, 100] {
            let samples = 300;
            let covered = (0..samples).filter(|_| {
                // Points from 0 to 100 with a mean of 25: the square of a uniform number, and zeros.
                let mut point = || match rng.random::<f64>() {
                    at if at < 0.25 => 0.0,
                    _ => 100.0 * rng.random::<f64>().powi(2),
                };
                let points: Vec<f64> = (0..games).map(|_| point()).collect();
                let found = Estimate::of_points(&points, 100.0);
                found.is_some_and(|it| it.low <= 25.0 && 25.0 <= it.high)
            });
            let share = covered.count() as f64 / f64::from(samples);
            assert!(share > 0.91, "{games} games: {share}");
        }
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
