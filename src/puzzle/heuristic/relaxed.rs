//! Relaxed plans: what has become true once stays true, and what has become false stays false too;
//! the distance is the number of moves of a plan under that relaxation.
//!
//! Hoffmann and Nebel 2001, with sums of costs to choose what achieves a condition (Bonet and
//! Geffner 2001), on the gates of the circuit instead of operators.

use propnet::circuit::{FluentKind, Gate, Signal};

use super::super::puzzle::Puzzle;
use super::distance::{NEVER, nodes_below, seen, targets, words};

/// Finds relaxed plans to the highest goal of a puzzle.
pub(in super::super) struct Relaxed {
    puzzle: Puzzle,
    targets: Vec<Signal>,
    nodes: Vec<u32>,
    /// By node: the cost to make it true, and false.
    costs: Vec<[u32; 2]>,
    truths: Vec<bool>,
    words: Vec<Option<usize>>,
    /// By literal: the plan that has it.
    marks: Vec<u32>,
    plan: u32,
}

/// No relaxed plan is looked for in more layers.
const LAYERS: usize = 200;
/// The work of a node in a layer.
const LITERAL: u64 = 6;

impl Relaxed {
    pub(in super::super) fn new(puzzle: &Puzzle) -> Self {
        let circuit = &puzzle.circuit;
        let targets = targets(puzzle);
        let legal = circuit.moves.iter().flatten().map(|port| port.legal);
        let next = circuit.fluents.iter().filter(|port| port.kind == FluentKind::Carried);
        let all: Vec<Signal> =
            targets.iter().copied().chain(legal).chain(next.map(|port| port.next)).collect();
        Relaxed {
            nodes: nodes_below(circuit, &all),
            targets,
            costs: vec![[0, 0]; circuit.network.len()],
            truths: vec![false; puzzle.lanes.program.carried],
            words: words(puzzle),
            marks: vec![0; 2 * circuit.network.len()],
            plan: 0,
            puzzle: puzzle.clone(),
        }
    }

    /// The moves of a relaxed plan from a state, so many moves from the start; `None` where there
    /// is no plan even so, or the caller wants no more. `goes_on` hears of the work of each layer.
    pub(in super::super) fn of(
        &mut self,
        code: &[u64],
        depth: usize,
        goes_on: &dyn Fn(u64) -> bool,
    ) -> Option<u32> {
        self.puzzle.layout.truths(code, &mut self.truths);
        self.puzzle.layout.left_out_truths(self.puzzle.counts(depth), &mut self.truths);
        self.begin();
        for _ in 0..LAYERS {
            self.sweep();
            if !goes_on(LITERAL * self.nodes.len() as u64) {
                return None;
            }
            if !self.spread() {
                break;
            }
        }
        let cost: u32 = self.targets.iter().map(|&target| seen(&self.costs, target)[0]).sum();
        (cost < NEVER).then(|| self.extract())
    }

    /// What holds costs nothing, everything else cannot be had yet.
    fn begin(&mut self) {
        let network = &self.puzzle.circuit.network;
        self.costs[0] = [NEVER, 0];
        for &node in &self.nodes {
            match network.gate(node) {
                Gate::Fluent(fluent) => {
                    let word = self.words[fluent as usize];
                    let is_true = word.is_some_and(|word| self.truths[word]);
                    self.costs[node as usize] = if is_true { [0, NEVER] } else { [NEVER, 0] };
                }
                Gate::Move(..) => self.costs[node as usize] = [NEVER, 0],
                _ => self.costs[node as usize] = [0, 0],
            }
        }
    }

    /// Computes the gates.
    fn sweep(&mut self) {
        let network = &self.puzzle.circuit.network;
        for &node in &self.nodes {
            if network.gate(node) == Gate::And {
                let (mut all, mut any) = (0u32, NEVER);
                for &input in network.inputs(node) {
                    let [is, is_not] = seen(&self.costs, input);
                    all = all.saturating_add(is).min(NEVER);
                    any = any.min(is_not);
                }
                self.costs[node as usize] = [all, any];
            }
        }
    }

    /// Makes fluents cheaper by what moves do. Says whether anything changed.
    fn spread(&mut self) -> bool {
        let circuit = &self.puzzle.circuit;
        let mut has_changed = false;
        for port in &circuit.moves[0] {
            let cost = seen(&self.costs, port.legal)[0];
            let old = &mut self.costs[port.does.node() as usize][0];
            if port.does != Signal::FALSE && cost < *old {
                *old = cost;
                has_changed = true;
            }
        }
        for port in &circuit.fluents {
            if port.kind != FluentKind::Carried {
                continue;
            }
            let next = seen(&self.costs, port.next).map(|cost| cost.saturating_add(1).min(NEVER));
            for (old, new) in self.costs[port.now.node() as usize].iter_mut().zip(next) {
                has_changed |= new < *old;
                *old = new.min(*old);
            }
        }
        has_changed
    }

    /// The distinct moves by which the targets are achieved most cheaply.
    fn extract(&mut self) -> u32 {
        self.plan += 1;
        let circuit = &self.puzzle.circuit;
        let mut todo = self.targets.clone();
        let mut moves = 0;
        while let Some(wanted) = todo.pop() {
            if std::mem::replace(&mut self.marks[wanted.index()], self.plan) == self.plan
                || seen(&self.costs, wanted)[0] == 0
            {
                continue;
            }
            let node = wanted.node();
            match circuit.network.gate(node) {
                Gate::Fluent(fluent) => {
                    let next = circuit.fluents[fluent as usize].next;
                    todo.push(next.complement_if(wanted.is_complement()));
                }
                Gate::Move(role, at) if !wanted.is_complement() => {
                    moves += 1;
                    todo.push(circuit.moves[role as usize][at as usize].legal);
                }
                Gate::And if wanted.is_complement() => {
                    let inputs = circuit.network.inputs(node).iter().map(|&input| !input);
                    todo.extend(inputs.min_by_key(|&input| seen(&self.costs, input)[0]));
                }
                Gate::And => todo.extend_from_slice(circuit.network.inputs(node)),
                _ => {}
            }
        }
        moves
    }
}
