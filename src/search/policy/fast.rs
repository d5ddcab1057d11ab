//! FAST (features-to-action sampling technique): playouts prefer moves by the learned values of pieces or
//! cells.
//!
//! Finnsson and Björnsson 2010; section 4.1.4 of the CadiaPlayer thesis. What the features of a game are
//! is found in the first simulations; see `features`. A game without features has no values.

use std::sync::Arc;

use propnet::game::{Move, Role, State};
use propnet::lanes::Condition;
use propnet::names::Names;

use super::lessons::{CreditedLine, FindNames, MetTerms, SeenState};
use super::mast::TAU;
use super::value_source::{LaneValue, MakeValues, Situation, ValueSource};
use crate::features::{
    Episode, FeatureCounter, FeatureCounts, Features, LearnOptions, Learner, Mapping,
    MappingOptions, MoveValues, WATCHED,
};
use crate::search::scheme::{Parameter, Part};

/// The factor of equation 4.2.
const FACTOR: Parameter = Parameter::number(
    "fast_c",
    "cells: a move is worth so many times the value of the cell that it leads to",
    5.0,
    0.0,
    1e6,
);

/// The step size.
const ALPHA: Parameter =
    Parameter::number("fast_alpha", "the step size of TD(lambda)", 0.01, 0.0, 1.0);

/// How far returns look ahead.
const LAMBDA: Parameter =
    Parameter::number("fast_lambda", "how far returns of TD(lambda) look ahead", 0.99, 0.0, 1.0);

/// The value from which on a feature is used.
const LEAST: Parameter = Parameter::number(
    "fast_least",
    "a feature whose value is nearer to 0 is not used",
    1.0,
    0.0,
    1e6,
);

/// The weight of equation 4.3.
const WEIGHT: Parameter = Parameter::number(
    "fast_weight",
    "the weight of FAST where its values are added to averages",
    1.0,
    0.0,
    1e6,
);

/// The part with this name.
pub(super) const PART: Part<MakeValues> = Part {
    name: "fast",
    help: "playouts prefer moves by learned values of pieces or cells",
    paper: "Finnsson and Björnsson 2010 (FAST)",
    parameters: &[TAU, FACTOR, ALPHA, LAMBDA, LEAST, WEIGHT],
    make: MakeValues {
        kind: "features in playouts",
        tau: TAU,
        weight: Some(WEIGHT),
        make: |values, moves| {
            Box::new(Fast {
                learning: LearnOptions { lambda: values.get(&LAMBDA), alpha: values.get(&ALPHA) },
                mapping: MappingOptions {
                    cell_factor: values.get(&FACTOR),
                    least_value: values.get(&LEAST),
                },
                roles: moves.len(),
                stage: Stage::Watching(Vec::new()),
                seen: Vec::new(),
            })
        },
    },
};

/// Features and their values.
struct Fast {
    learning: LearnOptions,
    mapping: MappingOptions,
    roles: usize,
    stage: Stage,
    /// By simulation that is learned from now: its states.
    seen: Vec<Vec<SeenFeatures>>,
}

/// What is known of a game.
enum Stage {
    /// Features are to be found in these simulations.
    Watching(Vec<Episode>),
    /// There are none.
    Nothing,
    /// They are learned.
    Learning(Box<KnownFeatures>),
}

/// What is kept of a state.
enum SeenFeatures {
    Counts(FeatureCounts),
    Whole(State),
}

#[derive(Clone)]
struct KnownFeatures {
    counter: FeatureCounter,
    mapping: Mapping,
    learner: Learner,
    /// By what was learned so far.
    values: MoveValues,
}

impl KnownFeatures {
    fn learn(&mut self, states: &[FeatureCounts], goals: &[f64]) {
        let goals: Vec<Option<i32>> = goals.iter().map(|goal| Some(goal.round() as i32)).collect();
        self.learner.learn(states, &goals);
    }
}

impl Fast {
    /// Looks for features in what was watched, and learns from it.
    fn find(&self, episodes: &[Episode], names: Option<Arc<Names>>) -> Stage {
        let Some(Ok(features)) = names.map(|names| Features::find(&names, episodes)) else {
            return Stage::Nothing;
        };
        let mapping = Mapping::new(&features, &self.mapping);
        let learner = Learner::new(features.kind, self.roles, features.list.len(), self.learning);
        let values = mapping.values(learner.values());
        let counter = FeatureCounter::new(&features);
        let mut known = KnownFeatures { counter, mapping, learner, values };
        for episode in episodes {
            let counts: Vec<_> =
                episode.states.iter().map(|state| known.counter.count(state)).collect();
            known.learner.learn(&counts, &episode.goals);
        }
        Stage::Learning(Box::new(known))
    }
}

/// What was met in simulations.
fn met_in(episodes: &[Episode], roles: usize) -> MetTerms {
    let states = episodes.iter().flat_map(|episode| &episode.states);
    let fluents = states.flat_map(|state| state.iter().last()).max().map_or(0, |last| last + 1);
    let mut moves = vec![0; roles];
    for joint in episodes.iter().flat_map(|episode| episode.moves.chunks_exact(roles.max(1))) {
        for (count, chosen) in moves.iter_mut().zip(joint) {
            *count = (*count).max(chosen.index() + 1);
        }
    }
    MetTerms { fluents, moves }
}

impl ValueSource for Fast {
    fn reads_states(&self) -> bool {
        !matches!(self.stage, Stage::Nothing)
    }

    fn see(&mut self, seen: &SeenState) {
        if self.seen.len() <= seen.line {
            self.seen.resize_with(seen.line + 1, Vec::new);
        }
        let kept = match &mut self.stage {
            Stage::Nothing => return,
            Stage::Learning(known) => {
                let fluents = seen.fluents.iter().map(|&fluent| fluent as usize);
                SeenFeatures::Counts(known.counter.count_of(fluents))
            }
            Stage::Watching(_) => {
                let fluents = seen.fluents.iter().map(|&fluent| fluent as usize);
                SeenFeatures::Whole(State::new(seen.of.start.table(), fluents))
            }
        };
        self.seen[seen.line].push(kept);
    }

    fn end_lines(&mut self, lines: &[CreditedLine], names: &mut FindNames) {
        for (line, seen) in lines.iter().zip(std::mem::take(&mut self.seen)) {
            let (mut counts, mut states) = (Vec::new(), Vec::new());
            for kept in seen {
                match kept {
                    SeenFeatures::Counts(own) => counts.push(own),
                    SeenFeatures::Whole(state) => states.push(state),
                }
            }
            match &mut self.stage {
                Stage::Learning(known) => known.learn(&counts, &line.goals),
                Stage::Watching(episodes) => episodes.push(Episode {
                    states,
                    moves: line.moves.clone(),
                    goals: line.goals.iter().map(|goal| Some(goal.round() as i32)).collect(),
                }),
                Stage::Nothing => {}
            }
        }
        if let Stage::Watching(episodes) = &mut self.stage
            && episodes.len() as u64 >= WATCHED
        {
            let episodes = std::mem::take(episodes);
            self.stage = self.find(&episodes, names(&met_in(&episodes, self.roles)));
        }
        if let Stage::Learning(known) = &mut self.stage {
            known.values = known.mapping.values(known.learner.values());
        }
    }

    fn values(&self, role: Role, moves: &[Move], at: &Situation) -> Vec<f64> {
        let indices: Vec<usize> = moves.iter().map(|chosen| chosen.index()).collect();
        let values = match &self.stage {
            Stage::Learning(known) => known.values.of_moves(at.state, role, &indices),
            _ => None,
        };
        // Where no feature is active, all moves are equal.
        values.unwrap_or_else(|| vec![0.0; moves.len()])
    }

    fn lane_values(&self, role: Role, count: usize) -> Vec<LaneValue> {
        let Stage::Learning(known) = &self.stage else { return vec![LaneValue::default(); count] };
        let of_move = |at: usize| {
            let own = known.values.moves[role].get(at).map_or(&[][..], Vec::as_slice);
            let always = own.iter().find(|one| one.conditions.is_empty());
            let contexts = own.iter().filter(|one| !one.conditions.is_empty());
            let contexts = contexts.map(|one| {
                (one.conditions.iter().map(|&at| Condition::Fluent(at)).collect(), one.value)
            });
            LaneValue {
                base: always.map_or(known.values.otherwise, |one| one.value),
                contexts: contexts.collect(),
            }
        };
        (0..count).map(of_move).collect()
    }

    fn copy(&self) -> Box<dyn ValueSource> {
        let stage = match &self.stage {
            Stage::Learning(known) => Stage::Learning(known.clone()),
            _ => Stage::Nothing,
        };
        let Fast { learning, mapping, roles, .. } = *self;
        Box::new(Fast { learning, mapping, roles, stage, seen: Vec::new() })
    }
}
