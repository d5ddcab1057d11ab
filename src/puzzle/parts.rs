//! Puzzles made of parts that have nothing to do with each other: each is solved by itself, and the
//! lines are played one after the other.
//!
//! Two fluents or moves belong together if the circuit says so: what a fluent will be, or whether a
//! move is legal, depends on them. The highest goal must be a conjunction in which every condition is
//! about one part. The step counter is no part; whether there are enough steps, and whether the
//! game does not end in between, is found by playing the whole line.

use propnet::circuit::{FluentKind, Gate, Signal};

use super::breadth_first::CHILD;
use super::expand::{NextStates, Over, expander};
use super::heuristic::{Conditions, is_quick, reads, targets};
use super::line::follow;
use super::method::Task;
use super::puzzle::Puzzle;
use crate::visited::Visited;

/// Fluents and moves that depend on no others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndependentPart {
    /// The fluents, by their index.
    pub fluents: Vec<u32>,
    /// The moves, by their index.
    pub moves: Vec<u32>,
}

/// Solves each part, and plays the lines one after the other.
pub(super) fn run(task: &Task<'_>) {
    let puzzle = task.puzzle;
    let parts = independent_parts(puzzle);
    if parts.len() < 2 {
        return;
    }
    let Some(conditions) = conditions_of(puzzle, &parts) else { return };
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

/// The parts with moves; one or none where all hangs together, or it takes long to tell.
pub fn independent_parts(puzzle: &Puzzle) -> Vec<IndependentPart> {
    let circuit = &puzzle.circuit;
    if !is_quick(circuit) {
        return Vec::new();
    }
    let counter = puzzle.counter.as_ref().map_or(&[][..], |counter| &counter.fluents);
    let is_searched = |fluent: u32| {
        circuit.fluents[fluent as usize].kind == FluentKind::Carried
            && counter.binary_search(&fluent).is_err()
    };
    let (fluents, moves) = (circuit.fluents.len(), circuit.moves[0].len());
    // Fluents first, then moves.
    let mut groups = Groups((0..fluents + moves).collect());
    let mut join = |at: usize, signal: Signal| {
        let read = reads(circuit, signal);
        let read_fluents = read.fluents.iter().filter(|&&fluent| is_searched(fluent));
        read_fluents.for_each(|&fluent| groups.join(at, fluent as usize));
        read.moves.iter().for_each(|&chosen| groups.join(at, fluents + chosen as usize));
    };
    for fluent in (0..fluents as u32).filter(|&fluent| is_searched(fluent)) {
        join(fluent as usize, circuit.fluents[fluent as usize].next);
    }
    for (at, port) in circuit.moves[0].iter().enumerate() {
        join(fluents + at, port.legal);
    }
    let mut parts: Vec<IndependentPart> = vec![IndependentPart::default(); fluents + moves];
    for fluent in (0..fluents as u32).filter(|&fluent| is_searched(fluent)) {
        parts[groups.find(fluent as usize)].fluents.push(fluent);
    }
    for at in 0..moves {
        parts[groups.find(fluents + at)].moves.push(at as u32);
    }
    parts.retain(|part| !part.fluents.is_empty() && !part.moves.is_empty());
    parts
}

/// Disjoint sets of numbers (Tarjan 1975).
struct Groups(Vec<usize>);

impl Groups {
    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one] = other;
    }
}

/// By part: what the highest goal wants of it; `None` where a condition is about several parts. What
/// is about no part, such as the step counter, is left to the play of the whole line.
fn conditions_of(puzzle: &Puzzle, parts: &[IndependentPart]) -> Option<Vec<Vec<Signal>>> {
    let network = &puzzle.circuit.network;
    let mut conditions = vec![Vec::new(); parts.len()];
    // That the game ends is left to play, too: often it does so with the last part.
    let mut todo: Vec<Signal> = targets(puzzle).into_iter().take(1).collect();
    while let Some(wanted) = todo.pop() {
        if network.gate(wanted.node()) == Gate::And && !wanted.is_complement() {
            todo.extend_from_slice(network.inputs(wanted.node()));
            continue;
        }
        let read = reads(&puzzle.circuit, wanted);
        let is_in = |part: &IndependentPart| {
            read.fluents.iter().any(|fluent| part.fluents.binary_search(fluent).is_ok())
        };
        let mut about = (0..parts.len()).filter(|&at| is_in(&parts[at]));
        match (about.next(), about.next()) {
            (Some(part), None) => conditions[part].push(wanted),
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
    }
    Some(conditions)
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
    part.moves.iter().for_each(|&at| is_own[at as usize] = true);
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
