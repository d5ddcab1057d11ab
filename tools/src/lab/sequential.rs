//! The sequential probability ratio test: which of two hypotheses about the points of a side is true,
//! with no more games than that takes.
//!
//! Wald 1945. Each game multiplies the ratio of the likelihoods of both hypotheses, and the test ends
//! when the ratio leaves the bounds that the accepted errors give. A draw counts as half a win and half a
//! loss; draws vary less than that, so with many of them the test errs less often than it may, and takes
//! longer.

/// Two hypotheses about the share of points, and how often each may be rejected if it is true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hypotheses {
    /// The share of points if the side is no better.
    pub(super) null: f64,
    /// The share if it is better by what matters; higher than the other.
    pub(super) better: f64,
    /// How often the first may be rejected wrongly.
    pub(super) alpha: f64,
    /// How often the second.
    pub(super) beta: f64,
}

/// What a test knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side is better.
    Better,
    /// It is not.
    NotBetter,
    /// More games are needed.
    Open,
}

/// A test in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct SequentialTest {
    hypotheses: Hypotheses,
    /// The logarithm of the ratio of likelihoods.
    pub(super) ratio: f64,
    pub(super) games: u64,
}

impl Hypotheses {
    /// The logarithms at which each hypothesis is accepted.
    pub(super) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
}

impl SequentialTest {
    pub(super) fn new(hypotheses: Hypotheses) -> Self {
        SequentialTest { hypotheses, ratio: 0.0, games: 0 }
    }

    /// A game with these points, from 0 to 1. A test that has ended stays as it is.
    pub(super) fn add(&mut self, points: f64) -> Verdict {
        if self.verdict() == Verdict::Open {
            let Hypotheses { null, better, .. } = self.hypotheses;
            let won = (better / null).ln();
            let lost = ((1.0 - better) / (1.0 - null)).ln();
            self.ratio += points * won + (1.0 - points) * lost;
            self.games += 1;
        }
        self.verdict()
    }

    pub(super) fn verdict(&self) -> Verdict {
        let (low, high) = self.hypotheses.bounds();
        match self.ratio {
            ratio if ratio >= high => Verdict::Better,
            ratio if ratio <= low => Verdict::NotBetter,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    const USUAL: Hypotheses = Hypotheses { null: 0.5, better: 0.6, alpha: 0.05, beta: 0.05 };

    #[test]
    fn bounds_and_steps_are_those_of_wald() {
        let (low, high) = USUAL.bounds();
        assert!((high - 19.0_f64.ln()).abs() < 1e-12 && (low + high).abs() < 1e-12);
        let mut test = SequentialTest::new(USUAL);
        test.add(1.0);
        assert!((test.ratio - 1.2_f64.ln()).abs() < 1e-12);
        test.add(0.0);
        assert!((test.ratio - (1.2_f64.ln() + 0.8_f64.ln())).abs() < 1e-12);
        // ln 19 / ln 1.2 = 16.15 wins in a row are enough, -ln 19 / ln 0.8 = 13.2 losses.
        let until = |points: f64| {
            let mut test = SequentialTest::new(USUAL);
            while test.add(points) == Verdict::Open {}
            (test.games, test.verdict())
        };
        assert_eq!(until(1.0), (17, Verdict::Better));
        assert_eq!(until(0.0), (14, Verdict::NotBetter));
        assert_eq!(until(0.5).1, Verdict::NotBetter, "draws alone are no advantage");
    }

    #[test]
    fn errors_are_as_rare_as_asked_for() {
        let mut rng = Pcg64::seed_from_u64(5);
        for (share, draws, right) in [
            (0.5, 0.0, Verdict::NotBetter),
            (0.6, 0.0, Verdict::Better),
            (0.5, 0.4, Verdict::NotBetter),
            (0.6, 0.4, Verdict::Better),
        ] {
            let trials = 2000;
            let mut games = 0;
            let wrong = (0..trials).filter(|_| {
                let mut test = SequentialTest::new(USUAL);
                let verdict = loop {
                    let points = match rng.random::<f64>() {
                        at if at < draws => 0.5,
                        at if at < draws + share - draws / 2.0 => 1.0,
                        _ => 0.0,
                    };
                    match test.add(points) {
                        Verdict::Open => {}
                        verdict => break verdict,
                    }
                };
                games += test.games;
                verdict != right
            });
            let wrong = wrong.count() as f64 / f64::from(trials);
            assert!(wrong < 0.06, "{share} with {draws} drawn: {wrong}");
            assert!(games / 2000 < 400, "{games}");
        }
    }
}
