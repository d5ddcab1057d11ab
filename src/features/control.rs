//! Playouts that prefer moves by the values of features, and what they teach.
//!
//! FAST learns from the simulations that it controls itself (section 4.1.4 of Finnsson's thesis), and
//! that matters. In skirmish, a rook that moves at random is lost more often than a pawn that stands
//! still, so that random playouts value pawns most: in 100,000 of them pawns come to 9, knights and
//! bishops to 8, rooks to 7. Where captures are preferred, pawns come to 8, knights and bishops to 11,
//! rooks to 19: an order as in the thesis (5, 10, 10, 13).

use propnet::game::Role;
use propnet::lanes::{Condition, ContextError, Jobs, WeightInContext, Word};
use propnet::names::Names;

use super::episode::{CHUNK, EpisodeError, EpisodePlan, play_episodes};
use super::find::{FeatureCounter, Features};
use super::learn::{LearnOptions, Learner};
use super::mapping::{Mapping, MappingOptions, MoveValues};
use crate::pipeline::LaneProgram;

/// The bits of the weights of moves.
pub(super) const WEIGHT_BITS: usize = 12;

/// The highest weight.
const HIGHEST: u32 = (1 << WEIGHT_BITS) - 1;

/// The temperature of Gibbs sampling.
const TAU: f64 = 10.0;

/// Weights are in steps of a half in the exponent, at most so many: a move has few different ones.
const STEPS: f64 = 16.0;

/// Learns the values of features from playouts, each of which prefers moves by what was learned from
/// those before.
pub fn learn_by_play(
    program: &LaneProgram,
    features: &Features,
    plan: &EpisodePlan,
) -> Result<Learner, EpisodeError> {
    let roles = program.program.names.roles().len();
    let mapping = Mapping::new(features, &MappingOptions::default());
    let mut counter = FeatureCounter::new(features);
    let mut learner = Learner::new(roles, features.list.len(), LearnOptions::default());
    let end = plan.first.saturating_add(plan.count);
    let mut first = plan.first;
    while first < end {
        let count = CHUNK.min(end - first);
        let values = mapping.values(learner.values());
        let some = EpisodePlan { first, count, ..*plan };
        play_episodes(program, &some, Some(&values), &mut |episode| {
            let estimated = episode.states.len().saturating_sub(1);
            let states = &episode.states[..estimated];
            let counts: Vec<_> = states.iter().map(|state| counter.count(state)).collect();
            learner.learn(&counts, &episode.goals);
        })?;
        first += count;
    }
    Ok(learner)
}

/// Makes all moves as likely.
pub(super) fn play_at_random<W: Word>(
    names: &Names,
    jobs: &mut Jobs<W>,
) -> Result<(), ContextError> {
    for role in 0..names.roles().len() {
        for chosen in names.moves(role) {
            jobs.set_weights_in_context(role, chosen, HIGHEST, &[])?;
        }
    }
    Ok(())
}

/// Makes moves as likely as their values say, by Gibbs sampling.
pub(super) fn prefer<W: Word>(
    names: &Names,
    values: &MoveValues,
    jobs: &mut Jobs<W>,
) -> Result<(), ContextError> {
    for role in 0..names.roles().len() {
        let highest = highest(values, role);
        let weight = |value: f64| {
            let steps = (2.0 * (highest - value) / TAU).round().min(STEPS);
            (f64::from(HIGHEST) * (-steps / 2.0).exp()).ceil() as u32
        };
        for chosen in names.moves(role) {
            let own = &values.moves[role][chosen.index()];
            let always = own.iter().find(|one| one.conditions.is_empty());
            let base = weight(always.map_or(values.otherwise, |one| one.value));
            let contexts = own.iter().filter(|one| !one.conditions.is_empty());
            let contexts = contexts.map(|one| WeightInContext {
                conditions: one.conditions.iter().map(|&at| Condition::Fluent(at)).collect(),
                weight: weight(one.value),
            });
            let contexts: Vec<WeightInContext> = contexts.collect();
            jobs.set_weights_in_context(role, chosen, base, &contexts)?;
        }
    }
    Ok(())
}

/// The highest value that a role's move may have.
fn highest(values: &MoveValues, role: Role) -> f64 {
    let all = values.moves[role].iter().flatten().map(|one| one.value);
    all.fold(values.otherwise, f64::max)
}
