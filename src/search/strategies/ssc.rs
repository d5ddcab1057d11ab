//! SSC: states with many of the symbols that went with high scores.
//!
//! Statistical symbols counting: Mańdziuk and Świechowski 2012. Features of a state are the number
//! of facts of each relation, and of facts with a symbol at a place of a relation. Over the last
//! states of playouts each is correlated with the role's score; those that matter are weighted by
//! their regression on it.

use propnet::game::{Game, PlayError, Role, State};
use rustc_hash::FxHashMap;

use super::symbols::Symbols;
use super::{EndedPlayout, Look, MakeStrategies, SimulationStrategy, share};
use crate::search::scheme::{Parameter, Part};

const SHARE: Parameter = share("ssc_share", 0.8);

/// The playouts that are learned from before it is followed.
const LEAST: Parameter = Parameter::count(
    "ssc_least",
    "playouts that are learned from before it is followed",
    50,
    2,
    1 << 20,
);

/// A correlation below this says nothing.
const MATTERS: f64 = 0.1;

/// The part with this name.
pub(crate) const PART: Part<MakeStrategies> = Part {
    name: "ssc",
    help: "playouts seek states with symbols that went with high scores",
    paper: "Mańdziuk and Świechowski 2012",
    parameters: &[SHARE, LEAST],
    make: |values| {
        vec![Box::new(Ssc { least: values.count(&LEAST) as f64, ..Ssc::new(values.get(&SHARE)) })]
    },
};

/// A relation, or a symbol at a place of a relation.
type Feature = String;

struct Ssc {
    share: f64,
    least: f64,
    symbols: Symbols,
    /// Last states that are not counted yet: whoever learns has no game to name them.
    waiting: Vec<(State, Vec<f64>)>,
    /// By role: how the score varies.
    scores: Vec<Sums>,
    /// By role and feature.
    features: FxHashMap<(Role, Feature), Sums>,
}

/// Sums of a feature x and a score y over playouts; those without the feature count as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    count: f64,
    x: f64,
    xx: f64,
    xy: f64,
    y: f64,
    yy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.xx += x * x;
        self.xy += x * y;
        self.y += y;
        self.yy += y * y;
    }

    /// What a feature with these sums adds to the score for each occurrence, by the scores of all
    /// playouts; nothing where both hardly go together.
    fn weight(&self, all: &Sums) -> Option<f64> {
        let n = all.count;
        let covariance = self.xy / n - self.x / n * (all.y / n);
        let of_x = self.xx / n - (self.x / n).powi(2);
        let of_y = all.yy / n - (all.y / n).powi(2);
        let correlation = covariance / (of_x * of_y).sqrt();
        (correlation.abs() >= MATTERS).then_some(covariance / of_x)
    }
}

impl Ssc {
    fn new(share: f64) -> Self {
        Ssc {
            share,
            least: 2.0,
            symbols: Symbols::default(),
            waiting: Vec::new(),
            scores: Vec::new(),
            features: FxHashMap::default(),
        }
    }

    /// The features of a state, each with its number.
    fn counts(&mut self, game: &mut dyn Game, state: &State) -> FxHashMap<Feature, f64> {
        let mut counts: FxHashMap<Feature, f64> = FxHashMap::default();
        for fluent in state.iter() {
            let words = self.symbols.of(game, state.table(), fluent);
            let [relation, arguments @ ..] = words else { continue };
            *counts.entry(relation.clone()).or_default() += 1.0;
            for (place, symbol) in arguments.iter().enumerate() {
                *counts.entry(format!("{relation} {place} {symbol}")).or_default() += 1.0;
            }
        }
        counts
    }

    /// Counts the states that wait.
    fn catch_up(&mut self, game: &mut dyn Game) {
        for (state, goals) in std::mem::take(&mut self.waiting) {
            let counts = self.counts(game, &state);
            self.scores.resize(goals.len(), Sums::default());
            for (role, &goal) in goals.iter().enumerate() {
                self.scores[role].add(0.0, goal);
                for (feature, &count) in &counts {
                    self.features.entry((role, feature.clone())).or_default().add(count, goal);
                }
            }
        }
    }

    /// What a state is worth to a role.
    fn value(&mut self, game: &mut dyn Game, state: &State, role: Role) -> f64 {
        let all = self.scores[role];
        let counts = self.counts(game, state);
        let worth = |(feature, count): (Feature, f64)| {
            let sums = self.features.get(&(role, feature))?;
            Some(count * sums.weight(&all)?)
        };
        counts.into_iter().filter_map(worth).sum()
    }
}

impl SimulationStrategy for Ssc {
    fn share(&self) -> f64 {
        self.share
    }

    fn values(&mut self, look: &mut Look<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        let next = look.next()?.to_vec();
        self.catch_up(look.game);
        let known = self.scores.get(look.role).map_or(0.0, |scores| scores.count);
        if known < self.least {
            return Ok(None);
        }
        Ok(Some(next.iter().map(|state| self.value(look.game, state, look.role)).collect()))
    }

    fn learn(&mut self, ended: &EndedPlayout<'_>) {
        self.waiting.push((ended.state.clone(), ended.goals.to_vec()));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use propnet::gdl::Source;
    use propnet::reference::{self, Reasoner};

    use super::*;

    #[test]
    fn a_feature_is_worth_its_regression_on_the_score() {
        // x is 0, 1, 2 and the score 10, 30, 50: each occurrence adds 20.
        let (mut all, mut feature) = (Sums::default(), Sums::default());
        for (x, y) in [(0.0, 10.0), (1.0, 30.0), (2.0, 50.0)] {
            all.add(0.0, y);
            if x > 0.0 {
                feature.add(x, y);
            }
        }
        let weight = feature.weight(&all).expect("a perfect correlation");
        assert!((weight - 20.0).abs() < 1e-9, "{weight}");
        // The same number in all states tells nothing.
        let mut constant = Sums::default();
        [10.0, 30.0, 50.0].into_iter().for_each(|y| constant.add(1.0, y));
        assert_eq!(constant.weight(&all), None);
    }

    const SHEET: &str =
        "(role a) (init (cell 1 white)) (legal a (paint red)) (legal a (paint blue))
        (<= (next (cell 1 ?c)) (does a (paint ?c)))
        (<= terminal (not (true (cell 1 white)))) (goal a 0)";

    #[test]
    fn states_with_symbols_of_good_ends_are_preferred() {
        let rules = reference::load(Source::from_text("sheet", SHEET)).expect("a sheet");
        let mut game = Reasoner::new(&rules);
        let state = game.initial_state().expect("a state");
        let texts = ["(paint red)", "(paint blue)"];
        let legal = texts.map(|text| game.move_of(0, text).expect("a move"));
        let ends = legal.map(|chosen| game.next_state(&state, &[chosen]).expect("a state"));
        let mut ssc = Ssc::new(1.0);
        let recent = VecDeque::from([state]);
        let mut look = Look::new(&mut game, 0, &legal[..1], &legal, &recent);
        assert_eq!(ssc.values(&mut look).expect("states"), None, "nothing is learned yet");
        for (state, goal) in [(&ends[0], 100.0), (&ends[1], 0.0)] {
            ssc.learn(&EndedPlayout { moves: &[], state, goals: &[goal] });
        }
        // Red at the second place goes with 100, blue with 0; the rest is in both.
        let values = ssc.values(&mut look).expect("states").expect("values");
        assert_eq!(values, [100.0, -100.0]);
    }
}
