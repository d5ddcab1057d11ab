//! The values of features, learned from episodes by TD(lambda).
//!
//! TD(lambda): Sutton 1988, as FAST uses it in section 4.1.4 of Finnsson's thesis.
//!
//! A linear value function V(s) = theta . f(s) is learned for each role; the reward at the end of an
//! episode is the role's goal less the mean goal of the others. With two roles that is the
//! difference of their goals, and one role's values are the other's negated.

use super::find::FeatureKind;

/// How values are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnOptions {
    /// How far returns look ahead.
    pub lambda: f64,
    /// The step size.
    pub alpha: f64,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions { lambda: 0.99, alpha: 0.01 }
    }
}

/// The features that a state has, each with its count.
pub type FeatureCounts = Vec<(usize, f64)>;

/// The values of features, by role.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    kind: FeatureKind,
    options: LearnOptions,
    /// By role and feature.
    theta: Vec<Vec<f64>>,
    episodes: u64,
}

impl Learner {
    /// Values that are all 0.
    pub fn new(kind: FeatureKind, roles: usize, features: usize, options: LearnOptions) -> Self {
        Learner { kind, options, theta: vec![vec![0.0; features]; roles], episodes: 0 }
    }

    /// By role and feature: the value for that role.
    pub fn values(&self) -> &[Vec<f64>] {
        &self.theta
    }

    /// The number of episodes that were learned from.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// Learns from an episode: the features of all its states, the last one with the goals, since in
    /// some games a piece reaches some cells in last states only. An episode in which a role has no
    /// goal teaches nothing.
    pub fn learn(&mut self, states: &[FeatureCounts], goals: &[Option<i32>]) {
        let goals: Option<Vec<f64>> = goals.iter().map(|goal| goal.map(f64::from)).collect();
        let Some(goals) = goals.filter(|goals| goals.len() == self.theta.len()) else { return };
        if states.is_empty() {
            return;
        }
        let rate = self.rate(states);
        let shares = self.shares(states);
        for (role, theta) in self.theta.iter_mut().enumerate() {
            let values: Vec<f64> = states.iter().map(|counts| value(theta, counts)).collect();
            let returns = lambda_returns(&values, reward(&goals, role), self.options.lambda);
            let errors = returns.iter().zip(&values).map(|(target, value)| target - value);
            // The values change only between episodes, so all errors are found first.
            let errors: Vec<f64> = errors.collect();
            for (counts, error) in states.iter().zip(errors) {
                for &(feature, count) in counts {
                    theta[feature] += rate * error * count / shares[feature];
                }
            }
        }
        self.episodes += 1;
    }

    /// The step size: alpha for a mean error, or less where counts are so large that the step would
    /// overshoot.
    ///
    /// The thesis does not say how the sum over an episode is scaled. Unscaled, values grow without
    /// bounds: with alpha = 0.01, a hundred states of twenty pieces move them by many times the error.
    /// A step is sure not to overshoot while alpha times the mean of |f(s)|^2 is at most 1.
    fn rate(&self, states: &[FeatureCounts]) -> f64 {
        let squares = states.iter().flatten().map(|(_, count)| count * count);
        let mean_square = squares.sum::<f64>() / states.len() as f64;
        self.options.alpha.min(1.0 / mean_square.max(f64::MIN_POSITIVE))
    }

    /// By feature: of how many states it takes the mean error.
    ///
    /// Numbers of pieces take it over all states: over those alone that have a piece, pieces that are
    /// lost early would count as much as those that decide. A cell is occupied in few states, that on
    /// which breakthrough is won in one of an episode, and over all states it would hardly be learned.
    fn shares(&self, states: &[FeatureCounts]) -> Vec<f64> {
        let features = self.theta.first().map_or(0, Vec::len);
        match self.kind {
            FeatureKind::Pieces => vec![states.len() as f64; features],
            FeatureKind::Cells => {
                let mut shares = vec![0.0; features];
                states.iter().flatten().for_each(|&(feature, _)| shares[feature] += 1.0);
                shares
            }
        }
    }
}

/// V(s): the sum of the features, weighted.
pub fn value(theta: &[f64], counts: &[(usize, f64)]) -> f64 {
    counts.iter().map(|&(feature, count)| theta[feature] * count).sum()
}

/// What an episode is worth to a role: its goal less the mean goal of the others.
pub fn reward(goals: &[f64], role: usize) -> f64 {
    let others = goals.len().saturating_sub(1).max(1) as f64;
    let sum: f64 = goals.iter().sum();
    goals[role] - (sum - goals[role]) / others
}

/// The lambda-return of each state of an episode, whose values are given, with a reward at its end
/// and no discount: from the last state on, R(t) = (1 - lambda) V(t + 1) + lambda R(t + 1).
pub fn lambda_returns(values: &[f64], reward: f64, lambda: f64) -> Vec<f64> {
    let mut returns = vec![reward; values.len()];
    for at in (0..values.len().saturating_sub(1)).rev() {
        returns[at] = (1.0 - lambda) * values[at + 1] + lambda * returns[at + 1];
    }
    returns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: &[f64], expected: &[f64]) {
        let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-9;
        let all = found.len() == expected.len() && found.iter().zip(expected).all(is_near);
        assert!(all, "{found:?} instead of {expected:?}");
    }

    #[test]
    fn returns_are_averages_of_all_that_comes() {
        assert_near(&lambda_returns(&[1.0, 2.0, 3.0], 10.0, 0.5), &[4.25, 6.5, 10.0]);
        assert_near(&lambda_returns(&[1.0, 2.0, 3.0], 10.0, 1.0), &[10.0; 3]);
        assert_near(&lambda_returns(&[1.0, 2.0, 3.0], 10.0, 0.0), &[2.0, 3.0, 10.0]);
        assert_near(&lambda_returns(&[], 10.0, 0.5), &[]);
        // The definition: (1 - lambda) sum lambda^(n-1) R(n), the rest for the reward.
        let (lambda, values) = (0.9, [5.0, -3.0, 8.0, 2.0]);
        let first = 0.1 * (-3.0 + 0.9 * 8.0 + 0.81 * 2.0) + 0.729 * 100.0;
        assert_near(&lambda_returns(&values, 100.0, lambda)[..1], &[first]);
    }

    #[test]
    fn an_episode_is_worth_the_difference_of_goals() {
        assert_near(&[reward(&[70.0, 20.0], 0), reward(&[70.0, 20.0], 1)], &[50.0, -50.0]);
        let three = [100.0, 0.0, 50.0];
        let rewards: Vec<f64> = (0..3).map(|role| reward(&three, role)).collect();
        assert_near(&rewards, &[75.0, -75.0, 0.0]);
    }

    /// Two episodes by hand. All values are 0 at first, so that the returns of the first are 99 and
    /// 100. The first feature is in both states, so its step is 0.01 / 2; the second only in one.
    #[test]
    fn values_follow_the_delta_rule_between_episodes() {
        let states = [vec![(0, 1.0)], vec![(0, 1.0), (1, 2.0)]];
        let mut learner = Learner::new(FeatureKind::Cells, 2, 2, LearnOptions::default());
        learner.learn(&states, &[Some(100), Some(0)]);
        assert_near(&learner.values()[0], &[0.005 * (99.0 + 100.0), 0.01 * 2.0 * 100.0]);
        learner.learn(&states, &[Some(100), Some(0)]);
        // Now V is 0.995 and 4.995, and the first return 0.01 * 4.995 + 0.99 * 100.
        let errors = [99.04995 - 0.995, 100.0 - 4.995];
        let expected = [0.995 + 0.005 * (errors[0] + errors[1]), 2.0 + 0.01 * 2.0 * errors[1]];
        assert_near(&learner.values()[0], &expected);
        let negated: Vec<f64> = learner.values()[0].iter().map(|value| -value).collect();
        assert_eq!(learner.values()[1], negated);
        assert_eq!(learner.episodes(), 2);
    }

    #[test]
    fn episodes_without_goals_or_moves_teach_nothing() {
        let mut learner = Learner::new(FeatureKind::Cells, 2, 1, LearnOptions::default());
        learner.learn(&[vec![(0, 1.0)]], &[Some(100), None]);
        learner.learn(&[], &[Some(100), Some(0)]);
        assert_eq!((learner.values()[0][0], learner.episodes()), (0.0, 0));
    }

    /// Numbers of pieces take the mean error over both states.
    #[test]
    fn pieces_that_are_rarely_there_are_learned_more_slowly() {
        let states = [vec![(0, 1.0)], vec![(0, 1.0), (1, 2.0)]];
        let mut learner = Learner::new(FeatureKind::Pieces, 2, 2, LearnOptions::default());
        learner.learn(&states, &[Some(100), Some(0)]);
        let expected = [0.005 * (99.0 + 100.0), 0.005 * 2.0 * 100.0];
        assert_near(&learner.values()[0], &expected);
    }

    #[test]
    fn what_is_seen_in_last_states_only_is_learned_as_fast() {
        let ordinary = vec![vec![(0, 1.0)]; 59];
        let states = [ordinary, vec![vec![(0, 1.0), (1, 1.0)]]].concat();
        let mut learner = Learner::new(FeatureKind::Cells, 2, 2, LearnOptions::default());
        learner.learn(&states, &[Some(100), Some(0)]);
        // The last state has the whole error.
        assert_near(&learner.values()[0][1..], &[0.01 * 100.0]);
    }

    #[test]
    fn large_counts_do_not_make_values_grow_without_end() {
        let states = vec![vec![(0, 50.0), (1, 40.0)]; 200];
        let mut learner = Learner::new(FeatureKind::Cells, 2, 2, LearnOptions::default());
        for _ in 0..1000 {
            learner.learn(&states, &[Some(100), Some(0)]);
        }
        let found = value(&learner.values()[0], &states[0]);
        assert!((found - 100.0).abs() < 1.0, "{found}");
    }
}
