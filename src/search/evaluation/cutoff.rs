//! Early cutoffs: playouts are cut where goals say enough, or where playouts are too long.
//!
//! Finnsson 2012, section 5.1.1 of the CadiaPlayer thesis; the decision is that of `cut`. The first
//! simulations of a search run without cutoffs. After that the decision is final, also when the
//! search moves on to the next state.

use std::sync::Arc;

use propnet::game::Role;
use propnet::lanes::{Ending, Outcome};

use super::cut::{CutRule, CutoffKind};
use super::goals::{DISCOUNT, Goals, LIMIT};
use super::samples::Sampling;
use super::{Evaluation, MakeEvaluation};
use crate::search::scheme::{Parameter, Part};

/// The simulations that are observed.
const SAMPLES: Parameter = Parameter::count(
    "cutoff_samples",
    "simulations that are observed before playouts are cut",
    100,
    1,
    100_000,
);

/// The minimum number of moves before a cut.
const MIN_STEPS: Parameter = Parameter::count(
    "cutoff_min_steps",
    "joint moves before which no playout is cut, and the least distance between ends",
    10,
    1,
    1 << 16,
);

/// When goals are stable.
const STABILITY: Parameter = Parameter::number(
    "cutoff_stability",
    "goals are stable, and score playouts that are cut, if the variance of their changes is lower",
    1000.0,
    0.0,
    1e9,
);

/// How far into the interval of ends playouts go.
const SHARE: Parameter = Parameter::number(
    "cutoff_share",
    "where goals are not stable, the share of the interval of ends after which playouts are cut",
    0.33,
    0.0,
    1.0,
);

/// The part with this name.
pub(crate) const PART: Part<MakeEvaluation> = Part {
    name: "cutoff",
    help: "playouts are cut early, worth the goals there or a draw, where samples show that it pays",
    paper: "Finnsson 2012, section 5.1.1",
    parameters: &[DISCOUNT, LIMIT, SAMPLES, MIN_STEPS, STABILITY, SHARE],
    make: |values, is_discounted| {
        let rule = CutRule {
            stability: values.get(&STABILITY),
            minimum_steps: values.count(&MIN_STEPS),
            share: values.get(&SHARE),
        };
        Arc::new(EarlyCutoff {
            goals: Goals::of(values, is_discounted),
            sampling: Sampling::new(rule, values.count(&SAMPLES)),
        })
    },
};

/// The score of a draw.
const DRAW: f64 = 50.0;

/// The goals of playouts that may be cut.
struct EarlyCutoff {
    goals: Goals,
    sampling: Sampling,
}

impl Evaluation for EarlyCutoff {
    fn limit(&self) -> u64 {
        let cut_at = self.sampling.decided().and_then(|decided| decided.cut_at);
        cut_at.map_or(self.goals.limit(), |at| at.min(self.goals.limit()))
    }

    fn discount(&self) -> f64 {
        self.goals.discount()
    }

    fn discount_after(&self, length: u64) -> f64 {
        self.goals.discount_after(length)
    }

    fn goal(&self, outcome: &Outcome, role: Role) -> f64 {
        let decided = self.sampling.decided().filter(|_| outcome.ending == Ending::Limit);
        match (decided.map(|decided| decided.kind), outcome.goals[role]) {
            (Some(CutoffKind::TerminalInterval), _) => DRAW,
            // Goals are stable, but there is none here.
            (Some(CutoffKind::GoalStability), None) => DRAW,
            _ => self.goals.goal(outcome, role),
        }
    }

    fn sampling(&self) -> Option<&Sampling> {
        Some(&self.sampling)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Observation;
    use super::*;
    use crate::search::scheme::Values;

    /// An evaluation that has seen these simulations of two roles, all over at their last state.
    fn after(simulations: &[&[Option<i32>]]) -> Arc<dyn Evaluation> {
        let mut values = Values::default();
        for (parameter, value) in [(&SAMPLES, simulations.len()), (&LIMIT, 40)] {
            values.put(parameter, value as f64);
        }
        values.put(&DISCOUNT, 0.5);
        let evaluation = (PART.make)(&values, true);
        let sampling = evaluation.sampling().expect("samples are wanted");
        for goals in simulations {
            assert_eq!(evaluation.limit(), 40, "no cut before all samples are seen");
            sampling.add(&Observation { played: 0, goals, roles: 2, is_terminal: true });
        }
        evaluation
    }

    fn scores(evaluation: &dyn Evaluation, ending: Ending, goals: [Option<i32>; 2]) -> [f64; 2] {
        let outcome = Outcome {
            tag: 0,
            count: 3,
            ending,
            goals: goals.into_iter().collect(),
            length: 2,
            moves: Vec::new(),
            first: None,
        };
        let mut scores = [1.0, 0.0];
        evaluation.add_scores(&outcome, &mut scores);
        scores
    }

    #[test]
    fn an_interval_of_ends_cuts_playouts_as_draws() {
        let evaluation = after(&[&[None; 2 * 21], &[None; 2 * 51]]);
        assert_eq!(evaluation.limit(), 30);
        // Three playouts of two moves, each move halving the score.
        let cut = scores(&*evaluation, Ending::Limit, [Some(100), None]);
        assert_eq!(cut, [1.0 + 37.5, 37.5]);
        let whole = scores(&*evaluation, Ending::Terminal, [Some(100), None]);
        assert_eq!(whole, [1.0 + 75.0, 0.0]);
    }

    #[test]
    fn stable_goals_score_playouts_that_are_cut() {
        let mut goals = vec![Some(50); 2 * 40];
        goals[24] = Some(60);
        let evaluation = after(&[&goals]);
        assert_eq!(evaluation.limit(), 14, "the goal changes after 12 moves, and two roles play");
        let cut = scores(&*evaluation, Ending::Limit, [Some(100), None]);
        assert_eq!(cut, [1.0 + 75.0, 37.5]);
    }

    #[test]
    fn a_playout_is_never_longer_than_its_limit() {
        assert_eq!(after(&[&[None; 2 * 101], &[None; 2 * 401]]).limit(), 40);
        assert_eq!(after(&[&[None; 2 * 21]]).limit(), 40, "ends do not differ");
    }
}
