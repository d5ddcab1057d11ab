//! The states in which a goal holds at the end, where these are few, as compact states.

use propnet::circuit::plan::{GoalStates, goal_states};
use propnet::circuit::{FluentKind, WorkBudget};
use propnet::game::State;

use super::method::Task;
use super::puzzle::Puzzle;

/// Work on finding the goal states: about a second.
const PROOFS: u64 = 1_000_000_000;

/// Finds goal states of a puzzle.
pub(super) struct GoalCodes<'t> {
    task: &'t Task<'t>,
    /// The fluents that tell searched states apart.
    fluents: Vec<u32>,
}

impl<'t> GoalCodes<'t> {
    pub(super) fn new(task: &'t Task<'t>) -> Self {
        GoalCodes { task, fluents: searched_fluents(task.puzzle) }
    }

    /// The states of a goal, by its index; `None` where there are more, or it takes long to find
    /// them.
    pub(super) fn of_goal(&mut self, goal: usize, most: usize) -> Option<Vec<Vec<u64>>> {
        let proceed = || self.task.pace.goes_on(1 << 20);
        let budget = WorkBudget::with_proofs(PROOFS, &proceed);
        let puzzle = self.task.puzzle;
        match goal_states(&puzzle.circuit, goal, &self.fluents, most, &budget) {
            GoalStates::All(states) => {
                Some(states.iter().filter_map(|truths| self.code_of(truths)).collect())
            }
            GoalStates::Many => None,
        }
    }

    /// The states of the first goal with this value.
    pub(super) fn of_value(&mut self, value: i32, most: usize) -> Option<Vec<Vec<u64>>> {
        let goal = self.task.puzzle.values.iter().position(|other| *other == Some(value))?;
        self.of_goal(goal, most)
    }

    fn code_of(&self, truths: &[bool]) -> Option<Vec<u64>> {
        let puzzle = self.task.puzzle;
        let held = self.fluents.iter().zip(truths).filter(|(_, truth)| **truth);
        let held = held.map(|(&fluent, _)| fluent as usize);
        let state = State::new(puzzle.circuit.names.table(), held);
        Some(puzzle.layout.pack(&puzzle.lanes.program, &state).ok()?.0)
    }
}

/// The fluents that tell searched states apart.
fn searched_fluents(puzzle: &Puzzle) -> Vec<u32> {
    let counter = puzzle.counter.as_ref().map_or(&[][..], |counter| &counter.fluents);
    let is_searched = |&fluent: &u32| {
        puzzle.circuit.fluents[fluent as usize].kind == FluentKind::Carried
            && counter.binary_search(&fluent).is_err()
    };
    (0..puzzle.circuit.fluents.len() as u32).filter(is_searched).collect()
}
