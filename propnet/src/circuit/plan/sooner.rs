//! Whether it is never better to reach the same things later: then a search may forget a state that
//! it has seen at an earlier step.

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind};
use super::super::network::{Gate, Signal};
use super::super::rebuild::cone;
use super::super::solver::Answer;
use super::counter::StepCounter;
use super::frames::{FrameStart, Frames};
use crate::game::goal_value;

/// The most work that one question may cost.
const EFFORT: u64 = 20_000_000;

/// Whether one of the signals reads a fluent of the counter.
fn reads_counter(
    circuit: &Circuit,
    counter: &StepCounter,
    signals: impl Iterator<Item = Signal>,
) -> bool {
    let marks = cone(&circuit.network, &circuit.loops, signals);
    let is_counter = |node: usize| match circuit.network.gate(node as u32) {
        Gate::Fluent(fluent) => counter.fluents.binary_search(&fluent).is_ok(),
        _ => false,
    };
    marks.iter().enumerate().any(|(node, &mark)| mark && is_counter(node))
}

/// The step from which on a state is worth at least as much one step sooner, everything but the
/// counter being the same: the counter decides neither what is legal nor what comes next, no line is
/// cut off sooner that goes on later, and where a line ends with more than the lowest goal, it ends
/// one step sooner too, with at least as much. The last step of all where no such step is proven.
pub fn sooner_is_better_from(
    circuit: &Circuit,
    counter: &StepCounter,
    budget: &WorkBudget<'_>,
) -> usize {
    let is_counter = |fluent: usize| counter.fluents.binary_search(&(fluent as u32)).is_ok();
    let rest = circuit
        .fluents
        .iter()
        .enumerate()
        .filter(|&(fluent, port)| port.kind == FluentKind::Carried && !is_counter(fluent));
    let legal = circuit.moves.iter().flatten().map(|port| port.legal);
    let horizon = counter.horizon();
    if reads_counter(circuit, counter, rest.map(|(_, port)| port.next).chain(legal)) {
        return horizon;
    }
    let Some(goals) = circuit.goals.first() else { return horizon };
    let mut values: Vec<(i32, Signal)> = Vec::new();
    for goal in goals {
        let Some(value) = goal_value(&circuit.names.text(goal.value)) else { return horizon };
        values.push((value, goal.holds));
    }
    values.sort_by_key(|&(value, _)| value);
    let last_bad =
        (0..horizon).rev().find(|&step| !is_kept(circuit, counter, budget, &values, step));
    last_bad.map_or(0, |step| step + 1)
}

/// Whether that is so between this step and the next.
fn is_kept(
    circuit: &Circuit,
    counter: &StepCounter,
    budget: &WorkBudget<'_>,
    values: &[(i32, Signal)],
    step: usize,
) -> bool {
    let mut frames = Frames::new(circuit, budget);
    let fixed = |step: usize| {
        let mut fixed = vec![None; circuit.fluents.len()];
        for (&fluent, &is_true) in counter.fluents.iter().zip(&counter.course[step]) {
            fixed[fluent as usize] = Some(is_true);
        }
        fixed
    };
    let sooner = frames.add(FrameStart::Free, fixed(step));
    frames.keep_groups(sooner);
    let later = frames.add(FrameStart::Like(sooner), fixed(step + 1));
    let ends_later = frames.literal(later, circuit.terminal);
    let ends_sooner = frames.literal(sooner, circuit.terminal);
    // A line that goes on later must not be cut off sooner.
    if frames.ask(&[ends_sooner, !ends_later], EFFORT) != Answer::Never {
        return false;
    }
    for at in 1..values.len() {
        let holds_later = frames.literal(later, values[at].1);
        // As much sooner: the end, and one of the goals from this one up.
        let less = frames.fresh();
        let mut missing = vec![!less, !ends_sooner];
        let none = frames.fresh();
        for &(_, holds) in &values[at..] {
            let holds = frames.literal(sooner, holds);
            frames.clause(&[!none, !holds]);
        }
        missing.push(none);
        frames.clause(&missing);
        if frames.ask(&[ends_later, holds_later, less], EFFORT) != Answer::Never {
            return false;
        }
    }
    true
}
