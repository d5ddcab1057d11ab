//! Values of moves for lanes: whole numbers, in as many contexts as lanes can look at.

use propnet::game::{Move, Role};
use propnet::lanes::{Condition, ContextualValue, ValueInContext, ValueTable};

use super::sampling::SamplingRule;
use super::value_source::{LaneValue, Situation};

/// What lanes choose by.
pub(crate) enum LaneChoice {
    /// By role and move: its weight in all lanes.
    Weights(Vec<Vec<u32>>),
    /// Values that depend on what is true in a lane.
    Values(ValueTable),
}

impl LaneChoice {
    /// How likely each of these moves of a role is in a lane.
    pub(crate) fn chances(&self, role: Role, moves: &[Move], at: &Situation) -> Vec<f64> {
        match self {
            LaneChoice::Weights(weights) => {
                let weights = moves.iter().map(|chosen| f64::from(weights[role][chosen.index()]));
                let sum: f64 = weights.clone().sum();
                weights.map(|weight| weight / sum).collect()
            }
            LaneChoice::Values(table) => {
                let value = |chosen: &Move| value_in(table, role, *chosen, at);
                table.sampling.chances(&moves.iter().map(value).collect::<Vec<u16>>())
            }
        }
    }
}

/// The value of a move in a lane.
fn value_in(table: &ValueTable, role: Role, chosen: Move, at: &Situation) -> u16 {
    let holds = |condition: &Condition| match *condition {
        Condition::Fluent(fluent) => at.state.contains(fluent),
        Condition::Made { role, chosen, steps_ago } => {
            at.made_before(role, steps_ago, table.parts[0].len()) == Some(chosen)
        }
    };
    let of_part = |part: &Vec<Vec<ContextualValue>>| {
        let own = &part[role][chosen.index()];
        let first = own.contexts.iter().find(|one| one.conditions.iter().all(holds));
        first.map_or(own.base, |one| one.value)
    };
    table.parts.iter().map(of_part).sum()
}

/// The values of a part: by role and move.
type PartValues = Vec<Vec<LaneValue>>;

/// A table for lanes of parts with their weights. Where one of them does not depend on the lane, its
/// values are added here.
pub(super) fn lane_table(
    parts: Vec<(f64, PartValues)>,
    rule: SamplingRule,
    is_in_playouts: &dyn Fn(usize) -> bool,
) -> ValueTable {
    let mut sums: Vec<PartValues> = Vec::new();
    for (weight, mut part) in parts {
        part.iter_mut().flatten().for_each(|own| own.multiply(weight));
        match sums.pop_if(|other| is_fixed(other) || is_fixed(&part)) {
            Some(other) => sums.push(sum(other, part)),
            None => sums.push(part),
        }
    }
    let parts = sums.into_iter().map(|part| whole_values(part, rule, is_in_playouts));
    ValueTable { sampling: rule.on_lanes(), parts: parts.collect() }
}

/// Whether the values of a part are the same in all lanes.
fn is_fixed(part: &PartValues) -> bool {
    part.iter().flatten().all(|own| own.contexts.is_empty())
}

/// Two parts, of which one is the same in all lanes, as one.
fn sum(one: PartValues, other: PartValues) -> PartValues {
    let (fixed, mut sums) = if is_fixed(&one) { (one, other) } else { (other, one) };
    for (sum, fixed) in sums.iter_mut().flatten().zip(fixed.iter().flatten()) {
        sum.base += fixed.base;
        sum.contexts.iter_mut().for_each(|(_, value)| *value += fixed.base);
    }
    sums
}

impl LaneValue {
    fn multiply(&mut self, factor: f64) {
        self.base *= factor;
        self.contexts.iter_mut().for_each(|(_, value)| *value *= factor);
    }
}

/// Values relative to the highest one of each role.
fn whole_values(
    part: PartValues,
    rule: SamplingRule,
    is_in_playouts: &dyn Fn(usize) -> bool,
) -> Vec<Vec<ContextualValue>> {
    let is_known = |condition: &Condition| match *condition {
        Condition::Fluent(fluent) => is_in_playouts(fluent),
        Condition::Made { .. } => true,
    };
    let of_role = |moves: Vec<LaneValue>| {
        let all = moves
            .iter()
            .flat_map(|own| own.contexts.iter().map(|(_, value)| *value).chain([own.base]));
        let scale = rule.scale(all.fold(f64::NEG_INFINITY, f64::max));
        let of_move = |own: LaneValue| {
            let known = own.contexts.into_iter();
            let known = known.filter(|(conditions, _)| conditions.iter().all(is_known));
            let contexts = known.map(|(conditions, value)| ValueInContext {
                conditions,
                value: scale.value(value),
            });
            let mut value =
                ContextualValue { base: scale.value(own.base), contexts: contexts.collect() };
            value.fit();
            value
        };
        moves.into_iter().map(of_move).collect()
    };
    part.into_iter().map(of_role).collect()
}

#[cfg(test)]
mod tests {
    use propnet::game::{State, TableId};
    use smallvec::smallvec;

    use super::*;

    #[test]
    fn parts_are_added_and_relative_to_the_best() {
        let table = TableId::unique();
        let moves: Vec<Move> = (0..2).map(|at| Move::new(table, at)).collect();
        let fixed = |base| LaneValue { base, contexts: Vec::new() };
        let fluent = |fluent, value| (smallvec![Condition::Fluent(fluent)], value);
        let captures = LaneValue { base: -100.0, contexts: vec![fluent(3, 10.0), fluent(4, 90.0)] };
        let parts = vec![
            (1.0, vec![vec![fixed(60.0), fixed(50.0)]]),
            (2.0, vec![vec![captures, fixed(-100.0)]]),
        ];
        let rule = SamplingRule::Gibbs { tau: 10.0 };
        // Fluent 4 is not known in lanes.
        let table = lane_table(parts, rule, &|fluent| fluent != 4);
        assert_eq!(table.parts.len(), 1);
        let choice = LaneChoice::Values(table);
        let chances = |fluents: &[usize]| {
            let state = State::new(moves[0].table(), fluents.iter().copied());
            choice.chances(0, &moves, &Situation { state: &state, made: &[] })
        };
        // 60 - 200 against 50 - 200: e to 1.
        assert!((chances(&[])[0] - 0.7311).abs() < 0.003, "{:?}", chances(&[]));
        assert_eq!(chances(&[3]), [1.0, 0.0]);
        assert_eq!(chances(&[4]), chances(&[]));
    }

    #[test]
    fn parts_that_both_depend_on_the_lane_stay_apart() {
        let table = TableId::unique();
        let made = Condition::Made { role: 0, chosen: Move::new(table, 1), steps_ago: 1 };
        let part = |condition: Condition| {
            let own = LaneValue { base: 0.0, contexts: vec![(smallvec![condition], 10.0)] };
            (1.0, vec![vec![own, LaneValue::default()]])
        };
        let rule = SamplingRule::Epsilon { epsilon: 0.5 };
        let parts = vec![part(Condition::Fluent(0)), part(made)];
        let table_of_lanes = lane_table(parts, rule, &|_| true);
        assert_eq!(table_of_lanes.parts.len(), 2);
        let moves: Vec<Move> = (0..2).map(|at| Move::new(table, at)).collect();
        let choice = LaneChoice::Values(table_of_lanes);
        let chances = |fluents: &[usize], made: &[Move]| {
            let state = State::new(table, fluents.iter().copied());
            choice.chances(0, &moves, &Situation { state: &state, made })
        };
        assert_eq!(chances(&[], &moves[..1]), [0.5, 0.5]);
        assert_eq!(chances(&[0], &[]), [0.75, 0.25]);
        assert_eq!(chances(&[], &moves), [0.75, 0.25]);
    }
}
