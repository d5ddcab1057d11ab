//! Planning as satisfiability: the game unrolled step by step, the highest goal first. A model is a
//! line; none at any depth that the step counter allows is a proof.
//!
//! Kautz and Selman 1992; work is spread over depths as in Rintanen 2004: every depth gets some,
//! and those that are left get more in the next round.

use propnet::circuit::WorkBudget;
use propnet::circuit::plan::{LineAnswer, PlanLines};

use super::expand::expander;
use super::line::follow;
use super::method::Task;

/// The work for a question in the first round, and how it grows.
const FIRST: u64 = 20_000_000;
const GROWTH: u64 = 4;
/// Depths that are added with each round where no step counter bounds them.
const DEPTHS: usize = 16;

/// Asks for lines to goals, highest first.
pub(super) fn run(task: &Task<'_>) {
    let proceed = || task.pace.goes_on(1 << 20);
    let budget = WorkBudget::with_proofs(u64::MAX, &proceed);
    let puzzle = task.puzzle;
    let mut lines = PlanLines::new(&puzzle.circuit, &puzzle.start_truths(), &budget);
    let mut expander = expander(puzzle);
    let deepest = usize::try_from(task.memory / PlanLines::bytes_of_step(&puzzle.circuit).max(1));
    let deepest = deepest.unwrap_or(usize::MAX);
    let horizon = puzzle.horizon();
    if horizon.is_some_and(|horizon| horizon > deepest) {
        // A part of the depths would prove nothing, but may still hold a line.
        tracing::debug!(deepest, "the unrolled game does not fit its memory");
    }
    let mut goals: Vec<(i32, usize)> = Vec::new();
    for (goal, value) in puzzle.values.iter().enumerate() {
        goals.extend(value.map(|value| (value, goal)));
    }
    goals.sort_unstable_by(|one, other| other.cmp(one));
    // By goal: the depths without an answer, and the first depth that was not asked for.
    let mut open: Vec<(Vec<usize>, usize)> = vec![(Vec::new(), 0); goals.len()];
    let mut effort = FIRST;
    let mut reach = DEPTHS;
    while task.pace.goes_on(1) {
        let last = horizon.unwrap_or(reach).min(deepest);
        let mut is_done = true;
        for (at, &(value, goal)) in goals.iter().enumerate() {
            if !task.best.is_better(value) || value > task.best.bound() {
                continue;
            }
            let (depths, next) = &mut open[at];
            depths.extend(*next..=last);
            *next = (*next).max(last + 1);
            let mut left = Vec::new();
            for &depth in depths.iter() {
                match lines.ask(depth, goal, effort) {
                    LineAnswer::Never => {}
                    LineAnswer::Unknown => left.push(depth),
                    LineAnswer::Line(moves) => {
                        let moves: Vec<u32> = moves.into_iter().map(|at| at as u32).collect();
                        match follow(puzzle, expander.as_mut(), &moves) {
                            Some((score, length)) => {
                                task.offer(moves[..length].to_vec(), score);
                            }
                            // A loop of the rules was not at its least fixpoint.
                            None => left.push(depth),
                        }
                    }
                }
                // A byte of the unrolled game takes about as long as a unit of work.
                if !task.pace.goes_on(PlanLines::bytes_of_step(&puzzle.circuit)) {
                    return;
                }
                if !task.best.is_better(value) {
                    break;
                }
            }
            *depths = left;
            is_done &= depths.is_empty();
            let is_highest = goals[..at].iter().all(|&(higher, _)| higher > task.best.bound());
            if is_highest && depths.is_empty() && horizon.is_some_and(|horizon| horizon <= last) {
                let lower = goals[at + 1..].iter().map(|&(lower, _)| lower);
                match lower.filter(|&lower| lower < value).max() {
                    Some(lower) if goals[at + 1..].iter().all(|&(other, _)| other < value) => {
                        task.best.prove(lower, task.name);
                    }
                    _ => {}
                }
            }
        }
        let is_at_end = horizon.is_some() || last >= deepest;
        if is_done && is_at_end {
            return;
        }
        effort = effort.saturating_mul(GROWTH);
        reach = reach.saturating_add(DEPTHS);
    }
}
