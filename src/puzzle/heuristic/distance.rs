//! Goal counting: how many conditions of the goal do not hold. Of all conditions that must hold
//! together the sum, of alternatives the least.

use propnet::circuit::{Circuit, Gate, Signal};

use super::super::puzzle::Puzzle;
use propnet::program::FluentPlace;

/// Counts what is missing for conditions, such as the goal with the highest value.
pub(in super::super) struct Conditions {
    puzzle: Puzzle,
    /// The signals that must be true.
    targets: Vec<Signal>,
    /// The nodes that they depend on, inputs first.
    nodes: Vec<u32>,
    /// By node: what is missing for it to be true, and to be false.
    costs: Vec<[u32; 2]>,
    truths: Vec<bool>,
    /// By fluent: the word of the state that it is.
    words: Vec<Option<usize>>,
}

/// More than can be missing.
pub(super) const NEVER: u32 = 1 << 24;

impl Conditions {
    /// For the highest goal of a puzzle, at the end of the game.
    pub(in super::super) fn of_goal(puzzle: &Puzzle) -> Self {
        Self::new(puzzle, targets(puzzle))
    }

    /// For signals that must all be true.
    pub(in super::super) fn new(puzzle: &Puzzle, targets: Vec<Signal>) -> Self {
        let circuit = &puzzle.circuit;
        Conditions {
            nodes: nodes_below(circuit, &targets),
            targets,
            costs: vec![[0, NEVER]; circuit.network.len()],
            truths: vec![false; puzzle.lanes.program.carried],
            words: words(puzzle),
            puzzle: puzzle.clone(),
        }
    }

    /// About the work of one answer.
    pub(in super::super) fn work(&self) -> u64 {
        (3 * self.nodes.len() + self.truths.len()) as u64
    }

    /// What is missing in a state, so many moves from the start.
    pub(in super::super) fn missing(&mut self, code: &[u64], depth: usize) -> u32 {
        self.puzzle.layout.truths(code, &mut self.truths);
        self.puzzle.layout.left_out_truths(self.puzzle.counts(depth), &mut self.truths);
        let network = &self.puzzle.circuit.network;
        // The first entry of a node is for true, the second for false.
        self.costs[0] = [NEVER, 0];
        for &node in &self.nodes {
            self.costs[node as usize] = match network.gate(node) {
                Gate::Fluent(fluent) => match self.words[fluent as usize] {
                    Some(word) if self.truths[word] => [0, 1],
                    _ => [1, 0],
                },
                Gate::And => {
                    let inputs = network.inputs(node).iter();
                    let (mut all, mut any) = (0u32, NEVER);
                    for input in inputs {
                        let [is, is_not] = seen(&self.costs, *input);
                        all = all.saturating_add(is).min(NEVER);
                        any = any.min(is_not);
                    }
                    [all, any]
                }
                _ => [0, 0],
            };
        }
        self.targets.iter().map(|&target| seen(&self.costs, target)[0]).sum()
    }
}

/// The costs of a signal to be true and to be false.
pub(super) fn seen(costs: &[[u32; 2]], signal: Signal) -> [u32; 2] {
    let [is, is_not] = costs[signal.node() as usize];
    if signal.is_complement() { [is_not, is] } else { [is, is_not] }
}

/// The highest goal, and the end.
pub(in super::super) fn targets(puzzle: &Puzzle) -> Vec<Signal> {
    let goals = puzzle.circuit.goals[0].iter().zip(&puzzle.values);
    let highest = goals.max_by_key(|(_, value)| **value).map(|(goal, _)| goal.holds);
    highest.into_iter().chain([puzzle.circuit.terminal]).collect()
}

/// By fluent: the word of the state that it is.
pub(in super::super) fn words(puzzle: &Puzzle) -> Vec<Option<usize>> {
    let program = &puzzle.lanes.program;
    let word = |place: &FluentPlace| match place {
        &FluentPlace::Word(word) if word < program.carried => Some(word),
        _ => None,
    };
    program.fluents.iter().map(word).collect()
}

/// The nodes that signals depend on, inputs first.
pub(super) fn nodes_below(circuit: &Circuit, signals: &[Signal]) -> Vec<u32> {
    let mut is_below = vec![false; circuit.network.len()];
    let mut todo: Vec<u32> = signals.iter().map(|signal| signal.node()).collect();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut is_below[node as usize], true) {
            todo.extend(circuit.network.inputs(node).iter().map(|input| input.node()));
        }
    }
    (1..circuit.network.len() as u32).filter(|&node| is_below[node as usize]).collect()
}
