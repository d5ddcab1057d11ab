//! Best-first search: the states that seem nearest to the highest goal go on first, as many as
//! there are lanes at once; of equal ones, the deepest. By goal counting, by relaxed plans, by
//! pattern databases, and by depth alone, which is a depth-first search that knows what it has seen.
//!
//! Greedy best-first search: Doran and Michie 1966; batches of open states: Vidal, Bordeaux and
//! Hamadi 2010.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::breadth_first::{CHILD, finish};
use super::expand::{NextStates, Over, expander};
use super::heuristic::{Conditions, Patterns, Relaxed};
use super::method::Task;
use crate::visited::Visited;

/// Greedy by the conditions of the goal that do not hold.
pub(super) fn by_goal_count(task: &Task<'_>) {
    let mut distance = Conditions::of_goal(task.puzzle);
    search(task, |code, depth| (Some(distance.missing(code, depth)), distance.work()));
}

/// Greedy by the length of relaxed plans.
pub(super) fn by_relaxed_plan(task: &Task<'_>) {
    let mut relaxed = Relaxed::new(task.puzzle);
    let goes_on = |work| task.pace.goes_on(work);
    search(task, |code, depth| (relaxed.of(code, depth, &goes_on), 0));
}

/// Greedy by the sum of distances in pattern databases.
pub(super) fn by_patterns(task: &Task<'_>) {
    let goes_on = |work| task.pace.goes_on(work);
    if let Some(mut patterns) = Patterns::new(task.puzzle, task.best.bound(), &goes_on) {
        search(task, |code, _| (patterns.sum(code), patterns.work()));
    }
}

/// The deepest first.
pub(super) fn by_depth(task: &Task<'_>) {
    search(task, |_, _| (Some(0), 0));
}

/// How a state was reached.
#[derive(Clone, Copy)]
struct OpenLink {
    from: u32,
    chosen: u32,
}

/// Searches by an estimate of the way that is left, and the work that each estimate took. States
/// without one lead nowhere.
fn search(task: &Task<'_>, mut estimate: impl FnMut(&[u64], usize) -> (Option<u32>, u64)) {
    let puzzle = task.puzzle;
    let len = puzzle.layout.len();
    let mut expander = expander(puzzle);
    let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
    let mut visited = Visited::new(len);
    visited.add(&puzzle.start_code);
    let mut links = vec![OpenLink { from: 0, chosen: 0 }];
    // By estimate and depth: numbers of states. States of a batch are at one depth.
    let mut open: BTreeMap<(u32, Reverse<usize>), Vec<u32>> = BTreeMap::new();
    open.insert((0, Reverse(0)), vec![0]);
    let mut states = Vec::new();
    let mut top = None;
    // Where steps count, a state that was first seen late is not searched as far as it may be.
    let mut is_complete = puzzle.counter.is_none();
    while let Some((&(value, Reverse(depth)), _)) = open.first_key_value() {
        let Some(waiting) = open.get_mut(&(value, Reverse(depth))) else { return };
        let batch = waiting.split_off(waiting.len().saturating_sub(expander.batch()));
        if waiting.is_empty() {
            open.remove(&(value, Reverse(depth)));
        }
        states.clear();
        batch.iter().for_each(|&number| states.extend_from_slice(visited.state(number as usize)));
        expander.expand(&states, depth, &mut over, &mut children);
        for found in &over {
            top = top.max(found.score);
            if let Some(score) = found.score
                && task.best.is_better(score)
            {
                task.offer(path(&links, batch[found.place] as usize), score);
            }
        }
        let work = expander.take_work() + CHILD * children.moves.len() as u64;
        for ((&parent, &chosen), code) in
            children.parents.iter().zip(&children.moves).zip(children.codes.chunks_exact(len))
        {
            let (number, is_new) = visited.add(code);
            if !is_new {
                continue;
            }
            links.push(OpenLink { from: batch[parent as usize], chosen });
            let (left, cost) = estimate(code, depth + 1);
            if !task.pace.goes_on(cost) {
                return;
            }
            match left {
                Some(left) => {
                    open.entry((left, Reverse(depth + 1))).or_default().push(number as u32);
                }
                None => is_complete = false,
            }
        }
        let bytes = visited.bytes() + 16 * links.capacity() as u64;
        let is_full = bytes > task.memory || visited.is_full();
        if is_full || !task.pace.goes_on(work) {
            return;
        }
    }
    if is_complete {
        finish(task, top);
    }
}

fn path(links: &[OpenLink], mut number: usize) -> Vec<u32> {
    let mut moves = Vec::new();
    while number != 0 {
        moves.push(links[number].chosen);
        number = links[number].from as usize;
    }
    moves.reverse();
    moves
}
