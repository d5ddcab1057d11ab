//! Ratings of several sides from games between them, by the model of Bradley and Terry.
//!
//! The odds of a side against another are the ratio of their strengths. The strengths of highest
//! likelihood are found by minorisation and maximisation (Hunter 2004); a draw is half a win for each.
//! The intervals come from the curvature of the likelihood.

use anyhow::{Result, bail};

/// Points on the scale of Elo for a factor of e in strength: ten times the odds are 400 points.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.96;

/// Iterations end when no strength changes by more than this factor.
const ENOUGH: f64 = 1e-12;
const MOST_ITERATIONS: usize = 100_000;

/// Wins between sides.
#[derive(Clone, Debug)]
pub(super) struct Results {
    names: Vec<String>,
    /// `wins[a][b]`: how often `a` has beaten `b`; draws count half for each.
    wins: Vec<Vec<f64>>,
}

/// A side on the scale of Elo; the mean of all is 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rating {
    pub(super) name: String,
    pub(super) elo: f64,
    /// Half of the 95 % interval.
    pub(super) half: f64,
    pub(super) games: f64,
    /// Points in percent.
    pub(super) percent: f64,
}

impl Results {
    /// No games between these sides.
    pub(super) fn new(names: Vec<String>) -> Self {
        let wins = vec![vec![0.0; names.len()]; names.len()];
        Results { names, wins }
    }

    /// A game in which the first side had these points, from 0 to 1.
    pub(super) fn add(&mut self, first: usize, second: usize, points: f64) {
        self.wins[first][second] += points;
        self.wins[second][first] += 1.0 - points;
    }

    fn games(&self, a: usize, b: usize) -> f64 {
        self.wins[a][b] + self.wins[b][a]
    }

    /// The ratings, the highest first. Between sides that met, `prior` drawn games are added, so that one
    /// that has won all its games has a finite rating.
    pub(super) fn ratings(&self, prior: f64) -> Result<Vec<Rating>> {
        self.check_connected()?;
        let mut padded = self.clone();
        for (a, b) in self.pairs().filter(|&(a, b)| self.games(a, b) > 0.0) {
            padded.wins[a][b] += prior / 2.0;
        }
        let strengths = padded.strengths();
        let logs: Vec<f64> = strengths.iter().map(|strength| strength.ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let variances = padded.variances(&strengths);
        let mut ratings: Vec<Rating> = (0..logs.len())
            .map(|at| {
                let games: f64 = (0..logs.len()).map(|other| self.games(at, other)).sum();
                let won: f64 = self.wins[at].iter().sum();
                Rating {
                    name: self.names[at].clone(),
                    elo: ELO * (logs[at] - mean),
                    half: ELO * Z * variances[at].max(0.0).sqrt(),
                    games,
                    percent: 100.0 * won / games,
                }
            })
            .collect();
        ratings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        Ok(ratings)
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let count = self.names.len();
        (0..count).flat_map(move |a| (0..count).filter(move |b| *b != a).map(move |b| (a, b)))
    }

    /// Sides that never met, not even over others, cannot be compared.
    fn check_connected(&self) -> Result<()> {
        let mut seen = vec![false; self.names.len()];
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                open.extend((0..seen.len()).filter(|&other| self.games(at, other) > 0.0));
            }
        }
        match seen.iter().position(|seen| !seen) {
            None => Ok(()),
            Some(other) => bail!(
                "{} and {} have no games that connect them, so their ratings cannot be compared; \
                 play games between them, or leave one out with --only",
                self.names[0],
                self.names[other]
            ),
        }
    }

    // Hunter 2004, "MM algorithms for generalized Bradley-Terry models", equation 3.
    fn strengths(&self) -> Vec<f64> {
        let count = self.names.len();
        let mut strengths = vec![1.0; count];
        for _ in 0..MOST_ITERATIONS {
            let mut change: f64 = 0.0;
            for at in 0..count {
                let won: f64 = self.wins[at].iter().sum();
                let others = (0..count).filter(|&other| other != at);
                let expected: f64 = others
                    .map(|other| self.games(at, other) / (strengths[at] + strengths[other]))
                    .sum();
                let next = won / expected;
                change = change.max((next / strengths[at]).ln().abs());
                strengths[at] = next;
            }
            if change < ENOUGH {
                break;
            }
        }
        strengths
    }

    /// The variances of the logarithms of strengths around their mean: the diagonal of the inverse of
    /// the information, which is singular in the direction that changes nothing.
    fn variances(&self, strengths: &[f64]) -> Vec<f64> {
        let count = strengths.len();
        let uniform = 1.0 / count as f64;
        let mut information = vec![vec![uniform; count]; count];
        for (a, b) in self.pairs() {
            let sum = strengths[a] + strengths[b];
            let weight = self.games(a, b) * strengths[a] * strengths[b] / (sum * sum);
            information[a][a] += weight;
            information[a][b] -= weight;
        }
        let inverse = inverse(information);
        (0..count).map(|at| inverse[at][at] - uniform).collect()
    }
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| f64::from(u8::from(column == at))));
    }
    for at in 0..count {
        let pivot = matrix[at][at];
        matrix[at].iter_mut().for_each(|number| *number /= pivot);
        let own = matrix[at].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at];
            row.iter_mut().zip(&own).for_each(|(number, own)| *number -= factor * own);
        }
    }
    matrix.into_iter().map(|row| row[count..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(names: &[&str], wins: &[&[f64]]) -> Results {
        let wins = wins.iter().map(|row| row.to_vec()).collect();
        Results { names: names.iter().map(|name| name.to_string()).collect(), wins }
    }

    #[test]
    fn three_wins_of_four_are_191_points() {
        let ratings = results(&["a", "b"], &[&[0.0, 75.0], &[25.0, 0.0]]).ratings(0.0);
        let ratings = ratings.expect("they met");
        // 400 log10(3) = 190.85, half of it above the mean.
        assert!((ratings[0].elo - ratings[1].elo - 190.848).abs() < 0.01, "{ratings:?}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-9);
        // The variance of the logarithm of odds is 1/75 + 1/25, and each rating is half of it away.
        let expected = ELO * Z * (1.0_f64 / 75.0 + 1.0 / 25.0).sqrt() / 2.0;
        assert!((ratings[0].half - expected).abs() < 1e-6, "{ratings:?}");
        assert_eq!((ratings[0].games, ratings[0].percent), (100.0, 75.0));
    }

    /// Agresti 2002, table 10.10: the teams of the American League, East, in 1987.
    #[test]
    fn baseball_is_rated_as_published() {
        let names =
            ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];
        let wins: [[f64; 7]; 7] = [
            [0.0, 7.0, 9.0, 7.0, 7.0, 9.0, 11.0],
            [6.0, 0.0, 7.0, 5.0, 11.0, 9.0, 9.0],
            [4.0, 6.0, 0.0, 7.0, 7.0, 8.0, 12.0],
            [6.0, 8.0, 6.0, 0.0, 6.0, 7.0, 10.0],
            [6.0, 2.0, 6.0, 7.0, 0.0, 7.0, 12.0],
            [4.0, 4.0, 5.0, 6.0, 6.0, 0.0, 6.0],
            [2.0, 4.0, 1.0, 3.0, 1.0, 7.0, 0.0],
        ];
        let wins: Vec<&[f64]> = wins.iter().map(|row| row.as_slice()).collect();
        let ratings = results(&names, &wins).ratings(0.0).expect("all met");
        let order: Vec<&str> = ratings.iter().map(|rating| rating.name.as_str()).collect();
        assert_eq!(order, names);
        // The published estimates are logarithms above that of Baltimore.
        let published = [1.581, 1.436, 1.294, 1.248, 1.107, 0.684, 0.0];
        for (rating, expected) in ratings.iter().zip(published) {
            let found = (rating.elo - ratings[6].elo) / ELO;
            assert!((found - expected).abs() < 2e-3, "{}: {found}", rating.name);
        }
    }

    #[test]
    fn who_won_all_games_has_a_finite_rating() {
        let all = results(&["a", "b"], &[&[0.0, 20.0], &[0.0, 0.0]]);
        let ratings = all.ratings(1.0).expect("they met");
        assert_eq!(ratings[0].name, "a");
        // 20.5 of 21 points: odds of 41.
        let expected = ELO * 41.0_f64.ln();
        assert!((ratings[0].elo - ratings[1].elo - expected).abs() < 1e-3, "{ratings:?}");
        assert!(ratings[0].half.is_finite() && ratings[0].half > 100.0);
    }

    #[test]
    fn those_who_never_met_are_not_compared() {
        let mut apart = Results::new(["a", "b", "c"].map(String::from).to_vec());
        apart.add(0, 1, 1.0);
        let message = apart.ratings(1.0).expect_err("c has no games").to_string();
        assert!(message.starts_with("a and c have no games that connect them"), "{message}");
        apart.add(1, 2, 0.5);
        assert!(apart.ratings(1.0).is_ok());
    }
}
