//! Puzzles made of parts that have nothing to do with each other: each is solved by itself, and the
//! lines are played one after the other.
//!
//! The highest goal must be a conjunction in which every condition is about one part. The step counter
//! is no part; whether there are enough steps, and whether the game does not end in between, is found
//! by playing the whole line.

use propnet::circuit::Signal;
use propnet::circuit::plan::{IndependentPart, conditions_by_part, independent_parts as parts_of};

use super::breadth_first::CHILD;
use super::expand::{NextStates, Over, expander};
use super::heuristic::{Conditions, targets};
use super::line::follow;
use super::method::Task;
use super::puzzle::Puzzle;
use crate::visited::Visited;

/// Solves each part, and plays the lines one after the other.
pub(super) fn run(task: &Task<'_>) {
    let puzzle = task.puzzle;
    let parts = independent_parts(puzzle);
    if parts.len() < 2 {
        return;
    }
    // That the game ends is left to play, as is what is about no part, such as the step counter.
    let highest = targets(puzzle)[0];
    let Some(conditions) = conditions_by_part(&puzzle.circuit, &parts, highest) else { return };
    let mut moves = Vec::new();
    for (part, wanted) in parts.iter().zip(conditions) {
        match line_of(task, part, wanted) {
            Some(line) => moves.extend(line),
            None => return,
        }
    }
    let mut expander = expander(puzzle);
    if let Some((score, length)) = follow(puzzle, expander.as_mut(), &moves) {
        task.offer(moves[..length].to_vec(), score);
    }
}

/// The parts with moves; one or none where all hangs together.
pub fn independent_parts(puzzle: &Puzzle) -> Vec<IndependentPart> {
    let counter = puzzle.counter.as_ref().map_or(&[][..], |counter| &counter.fluents);
    parts_of(&puzzle.circuit, counter)
}

/// A shortest line of a part's own moves after which its conditions hold.
fn line_of(task: &Task<'_>, part: &IndependentPart, wanted: Vec<Signal>) -> Option<Vec<u32>> {
    let puzzle = task.puzzle;
    let len = puzzle.layout.len();
    let mut conditions = Conditions::new(puzzle, wanted);
    if conditions.missing(&puzzle.start_code, 0) == 0 {
        return Some(Vec::new());
    }
    let mut expander = expander(puzzle);
    let mut is_own = vec![false; puzzle.circuit.moves[0].len()];
    part.moves.iter().for_each(|&(_, at)| is_own[at as usize] = true);
    let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
    let mut visited = Visited::new(len);
    visited.add(&puzzle.start_code);
    // By state: the one before, and the move.
    let mut links = vec![(0, 0)];
    let (mut first, mut depth) = (0, 0);
    while first < visited.count() {
        let (end, lanes) = (visited.count(), expander.batch());
        for begin in (first..end).step_by(lanes) {
            let states = visited.states(begin..end.min(begin + lanes)).to_vec();
            expander.expand(&states, depth, &mut over, &mut children);
            for ((&parent, &chosen), code) in
                children.parents.iter().zip(&children.moves).zip(children.codes.chunks_exact(len))
            {
                if !is_own[chosen as usize] || !visited.add(code).1 {
                    continue;
                }
                if !task.pace.goes_on(conditions.work()) {
                    return None;
                }
                links.push((begin as u32 + parent, chosen));
                if conditions.missing(code, depth + 1) == 0 {
                    return Some(path(&links, links.len() - 1));
                }
            }
            let work = expander.take_work() + CHILD * children.moves.len() as u64;
            let bytes = visited.bytes() + 8 * links.capacity() as u64;
            if bytes > task.memory || visited.is_full() || !task.pace.goes_on(work) {
                return None;
            }
        }
        (first, depth) = (end, depth + 1);
    }
    None
}

fn path(links: &[(u32, u32)], mut number: usize) -> Vec<u32> {
    let mut moves = Vec::new();
    while number != 0 {
        moves.push(links[number].1);
        number = links[number].0 as usize;
    }
    moves.reverse();
    moves
}
