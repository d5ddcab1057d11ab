//! Playouts that prefer moves by the values of features: values for lanes.

use propnet::lanes::{
    Condition, ContextError, ContextualValue, Jobs, ValueInContext, ValueTable, Word,
};
use propnet::names::Names;
use propnet::program::{Sampling, ValueScale};

use super::mapping::{ConditionalValue, MoveValues};

/// The bits of the weights of moves.
pub(super) const WEIGHT_BITS: usize = 12;

/// The temperature of Gibbs sampling.
const TAU: f64 = 10.0;

/// Makes moves as likely as their values say, by Gibbs sampling; all as likely without values.
pub(super) fn prefer<W: Word>(
    names: &Names,
    values: Option<&MoveValues>,
    jobs: &mut Jobs<W>,
) -> Result<(), ContextError> {
    let roles = (0..names.roles().len()).map(|role| match values {
        None => vec![ContextualValue::default(); names.move_count(role)],
        Some(values) => {
            let all = values.moves[role].iter().flatten().map(|one| one.value);
            let scale = ValueScale::new(all.fold(values.otherwise, f64::max), TAU);
            let moves = values.moves[role].iter();
            moves.map(|own| contextual(own, values.otherwise, &scale)).collect()
        }
    });
    let part = roles.collect();
    jobs.set_values(&ValueTable { sampling: Sampling::Gibbs, parts: vec![part] })
}

/// The value of a move by what is true.
fn contextual(own: &[ConditionalValue], otherwise: f64, scale: &ValueScale) -> ContextualValue {
    let always = own.iter().find(|one| one.conditions.is_empty());
    let contexts = own.iter().filter(|one| !one.conditions.is_empty());
    let contexts = contexts.map(|one| ValueInContext {
        conditions: one.conditions.iter().map(|&at| Condition::Fluent(at)).collect(),
        value: scale.value(one.value),
    });
    let base = scale.value(always.map_or(otherwise, |one| one.value));
    let mut value = ContextualValue { base, contexts: contexts.collect() };
    value.fit();
    value
}
