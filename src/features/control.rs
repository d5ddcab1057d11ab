//! Playouts that prefer moves by the values of features: weights for lanes.

use propnet::game::Role;
use propnet::lanes::{Condition, ContextError, Jobs, WeightInContext, Word};
use propnet::names::Names;

use super::mapping::MoveValues;

/// The bits of the weights of moves.
pub(super) const WEIGHT_BITS: usize = 12;

/// The highest weight.
const HIGHEST: u32 = (1 << WEIGHT_BITS) - 1;

/// The temperature of Gibbs sampling.
const TAU: f64 = 10.0;

/// Weights are in steps of a half in the exponent, at most so many: a move has few different ones.
const STEPS: f64 = 16.0;

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
