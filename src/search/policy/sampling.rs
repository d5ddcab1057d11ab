//! How a move is chosen by values: Gibbs sampling or epsilon-greedy.

use propnet::program::{EXPLORED_OF, Sampling, ValueScale};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::gibbs::gibbs_probabilities;
use crate::search::scheme::{Parameter, Values};

/// Which of them.
pub(crate) const SAMPLING: Parameter = Parameter::word(
    "sampling",
    "how playouts choose by values: Gibbs sampling, or the best move but for a share epsilon",
    &["gibbs", "epsilon"],
);

/// The share of choices at random.
pub(crate) const EPSILON: Parameter = Parameter::number(
    "epsilon",
    "sampling=epsilon: the share of choices among all legal moves, each as likely",
    0.1,
    0.0,
    1.0,
);

/// Values that differ by less than half of this are equally good where the best move is chosen: means of
/// the same scores may differ a little by rounding. On lanes it leaves room for 320 points.
const SMALLEST_DIFFERENCE: f64 = 0.01;

/// A way to choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SamplingRule {
    /// In proportion to e^(value / tau).
    Gibbs {
        /// The temperature.
        tau: f64,
    },
    /// One of the best, or with this chance one of all.
    Epsilon {
        /// The chance.
        epsilon: f64,
    },
}

impl SamplingRule {
    pub(crate) fn new(values: &Values, tau: f64) -> Self {
        match values.show(&SAMPLING).as_str() {
            "epsilon" => SamplingRule::Epsilon { epsilon: values.get(&EPSILON) },
            _ => SamplingRule::Gibbs { tau },
        }
    }

    /// Whole values for lanes, up to the highest. Where only the best one counts, values have to be
    /// told apart.
    pub(crate) fn scale(self, highest: f64) -> ValueScale {
        match self {
            SamplingRule::Gibbs { tau } => ValueScale::new(highest, tau),
            SamplingRule::Epsilon { .. } => ValueScale::with_step(highest, SMALLEST_DIFFERENCE),
        }
    }

    /// How likely each of these values is chosen.
    pub(crate) fn probabilities(self, values: &[f64]) -> Vec<f64> {
        match self {
            SamplingRule::Gibbs { tau } => gibbs_probabilities(values, tau),
            SamplingRule::Epsilon { epsilon } => {
                let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let is_best = |value: f64| highest - value < SMALLEST_DIFFERENCE / 2.0;
                let best = values.iter().filter(|&&value| is_best(value)).count() as f64;
                let any = epsilon / values.len() as f64;
                let chance = |&value: &f64| match is_best(value) {
                    true => (1.0 - epsilon) / best + any,
                    false => any,
                };
                values.iter().map(chance).collect()
            }
        }
    }

    /// The index of one of these values, of which there is at least one.
    pub(crate) fn choose(self, values: &[f64], rng: &mut Pcg64) -> usize {
        let mut left = rng.random::<f64>();
        for (at, chance) in self.probabilities(values).into_iter().enumerate() {
            left -= chance;
            if left < 0.0 {
                return at;
            }
        }
        values.len() - 1
    }

    /// The same on lanes.
    pub(crate) fn on_lanes(self) -> Sampling {
        match self {
            SamplingRule::Gibbs { .. } => Sampling::Gibbs,
            SamplingRule::Epsilon { epsilon } => {
                Sampling::Greedy { explored: (epsilon * f64::from(EXPLORED_OF)).round() as u32 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn choices_are_as_likely_as_the_rule_says() {
        let values = [10.0, 20.0, 0.0, 20.0];
        for (rule, expected) in [
            // 1 : e : 1/e : e.
            (SamplingRule::Gibbs { tau: 10.0 }, [0.1471, 0.4000, 0.0541, 0.3988]),
            // A tenth of all choices are among four, the others between two.
            (SamplingRule::Epsilon { epsilon: 0.1 }, [0.025, 0.475, 0.025, 0.475]),
            (SamplingRule::Epsilon { epsilon: 0.0 }, [0.0, 0.5, 0.0, 0.5]),
        ] {
            let found = rule.probabilities(&values);
            let near = |(one, other): (&f64, &f64)| (one - other).abs() < 2e-3;
            assert!(found.iter().zip(&expected).all(near), "{rule:?}: {found:?}");
            let mut rng = Pcg64::seed_from_u64(2);
            let mut counts = [0.0; 4];
            for _ in 0..20_000 {
                counts[rule.choose(&values, &mut rng)] += 1.0;
            }
            for (count, chance) in counts.iter().zip(&found) {
                let expected: f64 = 20_000.0 * chance;
                assert!((count - expected).abs() <= 5.0 * expected.sqrt(), "{rule:?}: {counts:?}");
            }
        }
    }

    #[test]
    fn extreme_values_are_no_trouble() {
        let mut rng = Pcg64::seed_from_u64(2);
        let gibbs = SamplingRule::Gibbs { tau: 0.1 };
        assert_eq!(gibbs.choose(&[0.0, 1e6, 0.0], &mut rng), 1);
        assert_eq!(gibbs.choose(&[-1e9], &mut rng), 0);
    }
}
