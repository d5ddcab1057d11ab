//! Search from both ends: forward from the start, and backward from the states in which the goal
//! holds, where these are few and moves can be taken back.
//!
//! Pohl 1971. Both sides grow level by level, the smaller one first; where they meet, the moves
//! between are found again by playing. A step back is a move to a state that has a move back here:
//! that is tried in random play before, and every line is played before it counts.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::breadth_first::CHILD;
use super::expand::{Expand, NextStates, Over, expander};
use super::goal_codes::GoalCodes;
use super::line::follow;
use super::method::Task;
use crate::visited::Visited;

/// So many goal states are few.
const FEW: usize = 2048;
/// Steps of random play in which every move must be one that can be taken back.
const TRIALS: usize = 64;

/// Searches for the highest goals, one after the other.
pub(super) fn run(task: &Task<'_>) {
    let puzzle = task.puzzle;
    let mut goal_codes = GoalCodes::new(task);
    let mut goals: Vec<(i32, usize)> = Vec::new();
    for (goal, value) in puzzle.values.iter().enumerate() {
        goals.extend(value.map(|value| (value, goal)));
    }
    goals.sort_unstable_by(|one, other| other.cmp(one));
    if !can_take_back(task) {
        return;
    }
    for (at, &(value, goal)) in goals.iter().enumerate() {
        if !task.pace.goes_on(1) || !task.best.is_better(value) {
            return;
        }
        let Some(codes) = goal_codes.of_goal(goal, FEW) else { return };
        if codes.is_empty() {
            // The goal holds at the end of no line.
            if let Some(&(lower, _)) = goals.get(at + 1)
                && value >= task.best.bound()
            {
                task.best.prove(lower, task.name);
            }
            continue;
        }
        if let Some(moves) = meet(task, &codes) {
            let mut expander = expander(puzzle);
            if let Some((score, length)) = follow(puzzle, expander.as_mut(), &moves) {
                task.offer(moves[..length].to_vec(), score);
            }
        }
    }
}

/// Whether every move of some random play has a move that leads back.
fn can_take_back(task: &Task<'_>) -> bool {
    let puzzle = task.puzzle;
    let len = puzzle.layout.len();
    let mut expander = expander(puzzle);
    let mut generator = Pcg64Mcg::seed_from_u64(task.seed);
    let (mut over, mut children) = (Vec::new(), NextStates::default());
    let (mut state, mut depth) = (puzzle.start_code.clone(), 0);
    for _ in 0..TRIALS {
        expander.expand(&state, depth, &mut over, &mut children);
        if children.moves.is_empty() {
            if depth == 0 {
                return false;
            }
            (state, depth) = (puzzle.start_code.clone(), 0);
            continue;
        }
        let place = generator.random_range(0..children.moves.len());
        let next = children.codes[place * len..(place + 1) * len].to_vec();
        expander.expand(&next, depth + 1, &mut over, &mut children);
        let leads_back = children.codes.chunks_exact(len).any(|code| code == state);
        if over.is_empty() && !leads_back {
            return false;
        }
        (state, depth) = (next, depth + 1);
    }
    true
}

/// States that grow from one end.
struct Side {
    visited: Visited,
    /// By state: the number of the one it was reached from.
    from: Vec<u32>,
    /// The states of the last level.
    first: usize,
    depth: usize,
}

impl Side {
    fn new<'c>(len: usize, starts: impl Iterator<Item = &'c [u64]>) -> Self {
        let mut side = Side { visited: Visited::new(len), from: Vec::new(), first: 0, depth: 0 };
        for start in starts {
            if side.visited.add(start).1 {
                side.from.push(u32::MAX);
            }
        }
        side
    }

    fn open(&self) -> usize {
        self.visited.count() - self.first
    }

    fn bytes(&self) -> u64 {
        self.visited.bytes() + 4 * self.from.capacity() as u64
    }

    /// Adds the next level. The first state that the other side has too, if there is one.
    fn grow(
        &mut self,
        task: &Task<'_>,
        expander: &mut dyn Expand,
        other: &Side,
        is_forward: bool,
    ) -> SideEnd {
        let (len, lanes) = (task.puzzle.layout.len(), expander.batch());
        let (mut over, mut children): (Vec<Over>, _) = (Vec::new(), NextStates::default());
        let end = self.visited.count();
        for first in (self.first..end).step_by(lanes) {
            let states = self.visited.states(first..end.min(first + lanes)).to_vec();
            if !is_forward && self.depth == 0 {
                expander.look_beyond_end(&states, &mut children);
                expander.step(&states, 0, &mut children);
            } else {
                let depth = if is_forward { self.depth } else { 0 };
                expander.expand(&states, depth, &mut over, &mut children);
            }
            for (&parent, code) in children.parents.iter().zip(children.codes.chunks_exact(len)) {
                let (number, is_new) = self.visited.add(code);
                if is_new {
                    self.from.push(first as u32 + parent);
                    if let Some(there) = other.visited.find(code) {
                        return SideEnd::Met(number, there);
                    }
                }
            }
            let work = expander.take_work() + CHILD * children.moves.len() as u64;
            let is_full = self.bytes() + other.bytes() > task.memory || self.visited.is_full();
            if is_full || !task.pace.goes_on(work) {
                return SideEnd::Stopped;
            }
        }
        self.first = end;
        self.depth += 1;
        SideEnd::Grown
    }

    /// The states from one back to where the side began.
    fn back(&self, mut number: usize) -> Vec<&[u64]> {
        let mut states = vec![self.visited.state(number)];
        while self.from[number] != u32::MAX {
            number = self.from[number] as usize;
            states.push(self.visited.state(number));
        }
        states
    }
}

enum SideEnd {
    Grown,
    /// The state's number on this side, and on the other.
    Met(usize, usize),
    Stopped,
}

/// A line from the start to one of the goal states.
fn meet(task: &Task<'_>, goals: &[Vec<u64>]) -> Option<Vec<u32>> {
    let puzzle = task.puzzle;
    let len = puzzle.layout.len();
    let mut expander = expander(puzzle);
    let mut forward = Side::new(len, std::iter::once(puzzle.start_code.as_slice()));
    let mut backward = Side::new(len, goals.iter().map(Vec::as_slice));
    let most = puzzle.horizon().unwrap_or(usize::MAX);
    while forward.open() > 0 && backward.open() > 0 && forward.depth + backward.depth < most {
        let is_forward = forward.open() <= backward.open();
        let (one, other) = match is_forward {
            true => (&mut forward, &backward),
            false => (&mut backward, &forward),
        };
        let (here, there) = match one.grow(task, expander.as_mut(), other, is_forward) {
            SideEnd::Grown => continue,
            SideEnd::Stopped => return None,
            SideEnd::Met(here, there) if is_forward => (here, there),
            SideEnd::Met(here, there) => (there, here),
        };
        let mut states = forward.back(here);
        states.reverse();
        states.extend(backward.back(there).into_iter().skip(1));
        return moves_between(expander.as_mut(), len, &states);
    }
    None
}

/// The moves that lead from each state to the next.
fn moves_between(expander: &mut dyn Expand, len: usize, states: &[&[u64]]) -> Option<Vec<u32>> {
    let (mut over, mut children) = (Vec::new(), NextStates::default());
    let step = |(depth, pair): (usize, &[&[u64]])| {
        expander.expand(pair[0], depth, &mut over, &mut children);
        let place = children.codes.chunks_exact(len).position(|code| code == pair[1])?;
        Some(children.moves[place])
    };
    states.windows(2).enumerate().map(step).collect()
}
