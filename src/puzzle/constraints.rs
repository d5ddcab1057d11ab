//! Puzzles of constraints, such as a grid to be filled: the condition of the goal that can be met in
//! the fewest ways goes first, and a state in which one cannot be met any more is given up.
//!
//! Most constrained variable, forward checking: Haralick and Elliott 1980. Conditions of the highest
//! goal stand for variables, moves that make one true for its values. It is a depth-first search that
//! leaves out what may be needed in other puzzles, so it proves nothing.

use propnet::circuit::{Gate, Signal};

use super::breadth_first::CHILD;
use super::expand::{NextStates, Over, expander};
use super::heuristic::{targets, words};
use super::method::Task;
use super::puzzle::Puzzle;
use crate::visited::Visited;

/// Fewer conditions than these can be left to other methods, as can puzzles in which most conditions are
/// met by no first move.
const FEWEST: usize = 4;

/// Searches for a line to the highest goal.
pub(super) fn run(task: &Task<'_>) {
    let mut wanted = wanted(task.puzzle);
    if wanted.len() < FEWEST {
        return;
    }
    let len = task.puzzle.layout.len();
    let mut expander = expander(task.puzzle);
    let mut truths = vec![false; task.puzzle.lanes.program.carried];
    let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
    let mut visited = Visited::new(len);
    visited.add(&task.puzzle.start_code);
    // States to go on from, each with the move before and how many there were.
    let mut open = vec![(task.puzzle.start_code.clone(), 0, 0)];
    let mut line = Vec::new();
    while let Some((state, depth, made)) = open.pop() {
        if depth > 0 {
            line.truncate(depth - 1);
            line.push(made);
        }
        expander.expand(&state, depth, &mut over, &mut children);
        if let Some(score) = over.first().and_then(|over| over.score) {
            task.offer_if_better(&line, score);
        }
        task.puzzle.layout.truths(&state, &mut truths);
        let missing: Vec<(usize, bool)> =
            wanted.iter().copied().filter(|&(word, is)| truths[word] != is).collect();
        // By condition that does not hold: the children in which it does.
        let mut ways = vec![Vec::new(); missing.len()];
        for (child, code) in children.codes.chunks_exact(len).enumerate() {
            task.puzzle.layout.truths(code, &mut truths);
            for (ways, &(word, is)) in ways.iter_mut().zip(&missing) {
                if truths[word] == is {
                    ways.push(child);
                }
            }
        }
        if depth == 0 {
            // Only conditions that some first move meets are like variables.
            let is_met = |condition: &(usize, bool)| {
                let at = missing.iter().position(|other| other == condition);
                at.is_none_or(|at| !ways[at].is_empty())
            };
            wanted.retain(is_met);
            ways.retain(|ways| !ways.is_empty());
            if ways.len() < FEWEST.max(missing.len() / 2) {
                return;
            }
        }
        if let Some(fewest) = ways.iter().min_by_key(|ways| ways.len()) {
            for &child in fewest.iter().rev() {
                let code = &children.codes[child * len..][..len];
                if visited.add(code).1 {
                    open.push((code.to_vec(), depth + 1, children.moves[child]));
                }
            }
        }
        let each = CHILD + truths.len() as u64 + 2 * missing.len() as u64;
        let work = expander.take_work() + each * children.moves.len() as u64;
        if visited.bytes() > task.memory || visited.is_full() || !task.pace.goes_on(work) {
            return;
        }
    }
}

/// Words of the state, and what they must be for the highest goal.
fn wanted(puzzle: &Puzzle) -> Vec<(usize, bool)> {
    let network = &puzzle.circuit.network;
    let words = words(puzzle);
    let mut wanted = Vec::new();
    let mut todo: Vec<Signal> = targets(puzzle).into_iter().take(1).collect();
    while let Some(signal) = todo.pop() {
        match network.gate(signal.node()) {
            Gate::And if !signal.is_complement() => {
                todo.extend_from_slice(network.inputs(signal.node()));
            }
            Gate::Fluent(fluent) => {
                let word = words[fluent as usize];
                wanted.extend(word.map(|word| (word, !signal.is_complement())));
            }
            _ => {}
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}
