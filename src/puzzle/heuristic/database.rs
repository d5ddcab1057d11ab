//! A pattern database: for every state of a closed set of fluents, the moves that the goal is away
//! if nothing else mattered.
//!
//! Culberson and Schaeffer 1998. The states of the set are found from the start on; distances go
//! back along the moves between them. A move counts as legal unless the set rules it out, and a
//! state as a goal state unless the set rules that out: so no distance is too long.

use propnet::circuit::Signal;
use rustc_hash::FxHashMap;

use super::super::puzzle::Puzzle;
use super::ternary::Ternary;

/// Distances by state of a closed set.
pub(super) struct PatternDatabase {
    /// The fluents, in the order of the bits of a state.
    pub(super) fluents: Vec<u32>,
    /// `None` where the goal cannot be reached.
    distances: FxHashMap<u128, Option<u16>>,
}

/// What became of an attempt to make a database.
pub(super) enum MadeDatabase {
    Made(PatternDatabase),
    /// It has too many states, or its fluents are not known from it alone.
    Unfit,
    Stopped,
}

impl PatternDatabase {
    /// The distance of a state; 0 where nothing is known.
    pub(super) fn distance(&self, state: u128) -> Option<u32> {
        self.distances.get(&state).copied().unwrap_or(Some(0)).map(u32::from)
    }

    /// Whether it says more than nothing.
    pub(super) fn is_useful(&self) -> bool {
        self.distances.values().any(|distance| *distance != Some(0))
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.distances.len()
    }

    /// The database of a set with at most so many states, for goals of at least this value.
    /// `goes_on` hears of the work.
    pub(super) fn make(
        puzzle: &Puzzle,
        fluents: &[u32],
        least: i32,
        most: usize,
        goes_on: &dyn Fn(u64) -> bool,
    ) -> MadeDatabase {
        let mut patterns = PatternStates::new(puzzle, fluents, least);
        let mut first = 0;
        while first < patterns.states.len() {
            let end = patterns.states.len().min(first + 64);
            let is_closed = patterns.expand(first..end);
            if !is_closed || patterns.states.len() > most {
                return MadeDatabase::Unfit;
            }
            if !goes_on(patterns.work) {
                return MadeDatabase::Stopped;
            }
            patterns.work = 0;
            first = end;
        }
        let distances = patterns.distances();
        let distances = patterns.states.into_iter().zip(distances).collect();
        MadeDatabase::Made(PatternDatabase { fluents: fluents.to_vec(), distances })
    }
}

/// The states of a closed set, as they are found.
struct PatternStates<'p> {
    puzzle: &'p Puzzle,
    fluents: &'p [u32],
    goals: Vec<Signal>,
    /// What is legal, and where the game ends.
    looks: Ternary,
    steps: Ternary,
    states: Vec<u128>,
    numbers: FxHashMap<u128, u32>,
    /// By edge: the state after it, and the one before.
    edges: Vec<(u32, u32)>,
    /// By state: whether it may be a goal state.
    is_goal: Vec<bool>,
    work: u64,
}

impl<'p> PatternStates<'p> {
    fn new(puzzle: &'p Puzzle, fluents: &'p [u32], least: i32) -> Self {
        let circuit = &puzzle.circuit;
        let goals = circuit.goals[0].iter().zip(&puzzle.values);
        let goals = goals.filter(|(_, value)| value.is_some_and(|value| value >= least));
        let goals: Vec<Signal> = goals.map(|(goal, _)| goal.holds).collect();
        let legal = circuit.moves[0].iter().map(|port| port.legal);
        let asked: Vec<Signal> =
            legal.chain(goals.iter().copied()).chain([circuit.terminal]).collect();
        let next = fluents.iter().map(|&fluent| circuit.fluents[fluent as usize].next);
        let next: Vec<Signal> = next.collect();
        let truths = puzzle.start_truths();
        let start = state_of(fluents.iter().map(|&fluent| truths[fluent as usize]));
        PatternStates {
            puzzle,
            fluents,
            goals,
            looks: Ternary::new(circuit, &asked),
            steps: Ternary::new(circuit, &next),
            states: vec![start],
            numbers: FxHashMap::from_iter([(start, 0)]),
            edges: Vec::new(),
            is_goal: Vec::new(),
            work: 0,
        }
    }

    /// Finds what follows these states, at most 64. Says whether the set is closed.
    fn expand(&mut self, range: std::ops::Range<usize>) -> bool {
        let circuit = &self.puzzle.circuit;
        let (first, count) = (range.start, range.len());
        let here = if count == 64 { u64::MAX } else { (1 << count) - 1 };
        for (bit, &fluent) in self.fluents.iter().enumerate() {
            let states = self.states[range.clone()].iter().enumerate();
            let truth = states.fold(0, |word, (at, state)| word | (state_bit(*state, bit) << at));
            let now = circuit.fluents[fluent as usize].now;
            self.looks.set(now, [truth, !truth]);
            self.steps.set(now, [truth, !truth]);
        }
        self.looks.compute(circuit);
        self.work += 2 * self.looks.len() as u64;
        let [is_over, goes_on] = self.looks.of(circuit.terminal);
        let any = self.goals.iter().fold(0, |any, &goal| any | !self.looks.of(goal)[1]);
        let goal = any & !goes_on;
        self.is_goal.extend((0..count).map(|at| goal >> at & 1 == 1));
        for port in circuit.moves[0].iter().filter(|port| port.does != Signal::FALSE) {
            self.steps.set(port.does, [0, u64::MAX]);
        }
        for port in circuit.moves[0].iter().filter(|port| port.does != Signal::FALSE) {
            let legal = here & !is_over & !self.looks.of(port.legal)[1];
            if legal == 0 {
                continue;
            }
            self.steps.set(port.does, [u64::MAX, 0]);
            self.steps.compute(circuit);
            self.steps.set(port.does, [0, u64::MAX]);
            self.work += 2 * self.steps.len() as u64 + 40 * u64::from(legal.count_ones());
            let next: Vec<[u64; 2]> = self
                .fluents
                .iter()
                .map(|&fluent| self.steps.of(circuit.fluents[fluent as usize].next))
                .collect();
            if next.iter().any(|[is, is_not]| (is | is_not) & legal != legal) {
                return false;
            }
            for at in (0..count).filter(|at| legal >> at & 1 == 1) {
                let state = state_of(next.iter().map(|[is, _]| is >> at & 1 == 1));
                let number = *self.numbers.entry(state).or_insert_with(|| {
                    self.states.push(state);
                    self.states.len() as u32 - 1
                });
                self.edges.push((number, (first + at) as u32));
            }
        }
        true
    }

    /// By state: its distance, by a search back from the goal states.
    fn distances(&mut self) -> Vec<Option<u16>> {
        self.edges.sort_unstable();
        self.edges.dedup();
        let mut distances: Vec<Option<u16>> =
            self.is_goal.iter().map(|is_goal| is_goal.then_some(0)).collect();
        let mut open: Vec<u32> =
            (0..).zip(&self.is_goal).filter(|(_, is_goal)| **is_goal).map(|(at, _)| at).collect();
        for distance in 1..=u16::MAX {
            let mut next = Vec::new();
            for &state in &open {
                let first = self.edges.partition_point(|&(after, _)| after < state);
                for &(_, before) in self.edges[first..].iter().take_while(|edge| edge.0 == state) {
                    let known = &mut distances[before as usize];
                    if known.is_none() {
                        *known = Some(distance);
                        next.push(before);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            open = next;
        }
        distances
    }
}

/// The number that a state of the set is kept under.
pub(super) fn state_of(truths: impl Iterator<Item = bool>) -> u128 {
    truths.enumerate().fold(0, |state, (bit, truth)| state | (u128::from(truth) << bit))
}

fn state_bit(state: u128, bit: usize) -> u64 {
    (state >> bit) as u64 & 1
}
