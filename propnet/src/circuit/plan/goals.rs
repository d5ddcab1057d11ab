//! The states in which a goal holds at the end, if they are few.

use batsat::Lit;

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind};
use super::super::solver::Answer;
use super::frames::{FrameStart, Frames};

/// States, each as the truth of the fluents that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalStates {
    /// All of them. Some may be states that cannot be reached.
    All(Vec<Vec<bool>>),
    /// There are more than were asked for, or finding them takes too much work.
    Many,
}

/// The most work that one question may cost.
const EFFORT: u64 = 20_000_000;

/// The states in which the game is over and the goal of the only role, by its index, holds, as far
/// as these fluents tell them apart.
pub fn goal_states(
    circuit: &Circuit,
    goal: usize,
    fluents: &[u32],
    most: usize,
    budget: &WorkBudget<'_>,
) -> GoalStates {
    let mut frames = Frames::new(circuit, budget);
    let frame = frames.add(FrameStart::Free, Vec::new());
    frames.keep_groups(frame);
    let carried = |&&fluent: &&u32| circuit.fluents[fluent as usize].kind == FluentKind::Carried;
    let literals: Vec<Lit> = fluents
        .iter()
        .filter(carried)
        .map(|&fluent| frames.fluent(frame, fluent as usize))
        .collect();
    let question = [
        frames.literal(frame, circuit.terminal),
        frames.literal(frame, circuit.goals[0][goal].holds),
    ];
    let mut found = Vec::new();
    loop {
        match frames.ask(&question, EFFORT) {
            Answer::Never => return GoalStates::All(found),
            Answer::Possible if found.len() < most => {}
            _ => return GoalStates::Many,
        }
        let state: Vec<bool> = literals.iter().map(|&literal| frames.holds(literal)).collect();
        let other: Vec<Lit> = literals
            .iter()
            .zip(&state)
            .map(|(&literal, &is_true)| if is_true { !literal } else { literal })
            .collect();
        frames.clause(&other);
        found.push(state);
    }
}
