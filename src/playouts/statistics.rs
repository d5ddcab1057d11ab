//! Totals -> statistics of a game.

use propnet::game::goal_value;
use propnet::lanes::Totals;
use propnet::program::Program;
use serde::Serialize;

/// The statistics of playouts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// Playouts, however they ended.
    pub playouts: u64,
    /// Joint moves in all of them.
    pub steps: u64,
    /// Playouts that ended because a role had no legal move though the game was not over.
    pub stuck: u64,
    /// Playouts that were cut at their limit.
    pub cut: u64,
    /// The goals of each role, over the playouts in which the game ended.
    pub goals: Vec<RoleGoals>,
    /// How long the playouts were.
    pub lengths: Lengths,
}

/// The goals of a role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleGoals {
    /// The role.
    pub role: String,
    /// The mean, if there is any goal that is a number.
    pub mean: Option<f64>,
    /// How far the mean is likely to be from that of all possible playouts: one standard error.
    pub standard_error: Option<f64>,
    /// Values that occurred, the lowest first.
    pub distribution: Vec<GoalShare>,
    /// Ends without a goal of this role, minus those that had more than one: 0 if the rules are
    /// well-formed.
    pub missing: i64,
}

/// How often a role had a goal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoalShare {
    /// The value, as in the rules.
    pub value: String,
    /// Playouts that ended with it.
    pub playouts: u64,
    /// Their share of all playouts that ended.
    pub share: f64,
}

/// The lengths of playouts, in joint moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lengths {
    /// The mean.
    pub mean: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
    /// The shortest.
    pub min: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
    /// The number of playouts of each length, from 0 on.
    pub counts: Vec<u64>,
}

impl Statistics {
    /// The statistics of totals in which lengths were counted.
    pub fn new(program: &Program, totals: &Totals) -> Self {
        let ends = totals.playouts - totals.stuck - totals.cut;
        let roles = program.names.roles().iter().zip(&program.goals).zip(&totals.goals);
        let goals =
            roles.map(|((role, values), counts)| RoleGoals::new(role, values, counts, ends));
        Statistics {
            playouts: totals.playouts,
            steps: totals.steps,
            stuck: totals.stuck,
            cut: totals.cut,
            goals: goals.collect(),
            lengths: Lengths::new(&totals.lengths),
        }
    }
}

impl RoleGoals {
    fn new(role: &str, values: &[String], counts: &[u64], ends: u64) -> Self {
        let mut shares: Vec<GoalShare> = values
            .iter()
            .zip(counts)
            .filter(|&(_, &playouts)| playouts > 0)
            .map(|(value, &playouts)| GoalShare {
                value: value.clone(),
                playouts,
                share: playouts as f64 / ends as f64,
            })
            .collect();
        let number = |share: &GoalShare| goal_value(&share.value);
        shares.sort_by(|a, b| (number(a), &a.value).cmp(&(number(b), &b.value)));
        let numbers =
            shares.iter().filter_map(|share| Some((number(share)?.into(), share.playouts)));
        let (mean, standard_error) = mean_and_error(numbers);
        let found: u64 = counts.iter().sum();
        let missing = ends as i64 - found as i64;
        RoleGoals { role: role.to_string(), mean, standard_error, distribution: shares, missing }
    }
}

impl Lengths {
    fn new(counts: &[u64]) -> Self {
        let occurring = || {
            let lengths = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
            lengths.map(|(length, &count)| (length as u64, count))
        };
        let (mean, standard_error) =
            mean_and_error(occurring().map(|(length, count)| (length as f64, count)));
        Lengths {
            mean,
            standard_error,
            min: occurring().next().map(|(length, _)| length),
            max: occurring().next_back().map(|(length, _)| length),
            counts: counts.to_vec(),
        }
    }
}

/// The mean of values with these frequencies, and its standard error.
fn mean_and_error(values: impl Iterator<Item = (f64, u64)> + Clone) -> (Option<f64>, Option<f64>) {
    let count = values.clone().map(|(_, count)| count).sum::<u64>() as f64;
    if count == 0.0 {
        return (None, None);
    }
    let mean = values.clone().map(|(value, count)| value * count as f64).sum::<f64>() / count;
    let squares: f64 = values.map(|(value, often)| (value - mean).powi(2) * often as f64).sum();
    let error = (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt());
    (Some(mean), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_the_error_of_a_sample() {
        let (mean, error) = mean_and_error([(0.0, 3), (100.0, 1)].into_iter());
        // The squares sum to 7,500; over 3 and 4, that is 625.
        assert_eq!((mean, error), (Some(25.0), Some(25.0)));
        assert_eq!(mean_and_error([(7.0, 1)].into_iter()), (Some(7.0), None));
        assert_eq!(mean_and_error([].into_iter()), (None, None));
    }

    #[test]
    fn goals_are_ordered_by_number_and_the_missing_are_counted() {
        let values = ["100", "20", "0", "win"].map(String::from);
        let goals = RoleGoals::new("x", &values, &[1, 2, 0, 1], 5);
        let found: Vec<_> =
            goals.distribution.iter().map(|share| (share.value.as_str(), share.share)).collect();
        assert_eq!(found, [("win", 0.2), ("20", 0.4), ("100", 0.2)]);
        assert_eq!((goals.missing, goals.mean), (1, Some(140.0 / 3.0)));
    }

    #[test]
    fn lengths_are_summed_up() {
        let lengths = Lengths::new(&[0, 0, 2, 0, 2]);
        assert_eq!((lengths.min, lengths.max, lengths.mean), (Some(2), Some(4), Some(3.0)));
        let none = Lengths::new(&[]);
        assert_eq!((none.min, none.max, none.mean), (None, None, None));
    }
}
