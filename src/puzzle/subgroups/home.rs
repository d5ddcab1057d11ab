//! Where things that are closed sets of fluents must be for the highest goal: each where least of it is
//! missing, one thing after the other.

use propnet::game::State;

use super::super::heuristic::{Conditions, targets, words};
use super::super::puzzle::Puzzle;
use super::moved::Moved;

/// A state in which the goal holds and all else is as at the start; `None` if none is found.
pub(super) fn home(puzzle: &Puzzle, moved: &Moved) -> Option<Vec<u64>> {
    let goal = targets(puzzle).into_iter().take(1).collect();
    let mut conditions = Conditions::new(puzzle, goal);
    let mut truths = vec![false; puzzle.lanes.program.carried];
    puzzle.layout.truths(&puzzle.start_code, &mut truths);
    for thing in &moved.things {
        let mut missing = |place: &Vec<(usize, bool)>| {
            place.iter().for_each(|&(word, is)| truths[word] = is);
            Some(conditions.missing(&code_of(puzzle, &truths)?, 0))
        };
        let counts: Option<Vec<u32>> = thing.places.iter().map(&mut missing).collect();
        let (at, _) = counts?.into_iter().enumerate().min_by_key(|&(_, count)| count)?;
        thing.places[at].iter().for_each(|&(word, is)| truths[word] = is);
    }
    let code = code_of(puzzle, &truths)?;
    (conditions.missing(&code, 0) == 0).then_some(code)
}

/// A state by the truths of its words.
fn code_of(puzzle: &Puzzle, truths: &[bool]) -> Option<Vec<u64>> {
    let words = words(puzzle);
    let is_held = |&fluent: &usize| words[fluent].is_some_and(|word| truths[word]);
    let held = (0..words.len()).filter(is_held);
    let state = State::new(puzzle.circuit.names.table(), held);
    Some(puzzle.layout.pack(&puzzle.lanes.program, &state).ok()?.0)
}
