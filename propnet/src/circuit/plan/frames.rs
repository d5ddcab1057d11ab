//! Several states of a game as clauses, each a frame: gates are encoded where they are asked for.
//!
//! A frame may come after another, by a move that is made there, or share its fluents. Loops need
//! only satisfy their equations, so more may seem possible than is; what is impossible is so.
//!
//! A literal and clauses for each gate: Tseitin 1968. Frames joined by the transition: bounded
//! model checking, Biere, Cimatti, Clarke and Zhu 1999; planning as satisfiability, Kautz and
//! Selman 1992.

use batsat::Lit;

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, Group};
use super::super::network::{Gate, Signal};
use super::super::solver::{Answer, Solver};

/// States, and what is done in them.
pub(super) struct Frames<'b> {
    pub(super) circuit: &'b Circuit,
    solver: Solver<'b>,
    never: Lit,
    frames: Vec<Frame>,
}

struct Frame {
    start: FrameStart,
    /// By fluent: what is known of it.
    fixed: Vec<Option<bool>>,
    /// By node: its literal, if it is encoded.
    literals: Vec<Lit>,
}

/// Where the fluents of a frame come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameStart {
    /// They may be anything.
    Free,
    /// From the move that is made in another frame.
    After(usize),
    /// They are those of another frame, except where they are fixed.
    Like(usize),
}

impl<'b> Frames<'b> {
    pub(super) fn new(circuit: &'b Circuit, budget: &'b WorkBudget<'b>) -> Self {
        let mut solver = Solver::new(budget);
        let never = solver.literal();
        solver.clause(&[!never]);
        Frames { circuit, solver, never, frames: Vec::new() }
    }

    /// Adds a frame. Fluents that are fixed have no other value there.
    pub(super) fn add(&mut self, start: FrameStart, fixed: Vec<Option<bool>>) -> usize {
        let mut literals = vec![Lit::UNDEF; self.circuit.network.len()];
        literals[0] = self.never;
        self.frames.push(Frame { start, fixed, literals });
        self.frames.len() - 1
    }

    /// About the bytes that a frame takes.
    pub(super) fn bytes_of_frame(circuit: &Circuit) -> u64 {
        // Clauses of two literals for each input of a gate and one for all, with their watches.
        60 * circuit.two_input_gates() as u64 + 8 * circuit.network.len() as u64
    }

    /// A new literal.
    pub(super) fn fresh(&mut self) -> Lit {
        self.solver.literal()
    }

    /// One of the literals is true.
    pub(super) fn clause(&mut self, literals: &[Lit]) {
        self.solver.clause(literals);
    }

    /// Whether all the literals can be true.
    pub(super) fn ask(&mut self, literals: &[Lit], effort: u64) -> Answer {
        self.solver.ask(literals, effort)
    }

    /// Whether a signal is true in the example; false if the question was not about it.
    pub(super) fn is_true(&self, frame: usize, signal: Signal) -> bool {
        match self.known(frame, signal) {
            Some(literal) => self.holds(literal),
            None => false,
        }
    }

    /// Whether a literal is true in the example.
    pub(super) fn holds(&self, literal: Lit) -> bool {
        self.solver.is_true(literal)
    }

    /// What a fluent is in the frame: what is fixed, or what the input says.
    pub(super) fn fluent(&mut self, frame: usize, fluent: usize) -> Lit {
        self.literal(frame, self.circuit.fluents[fluent].now)
    }

    /// The groups of the circuit hold in a frame, those of which nothing is fixed.
    pub(super) fn keep_groups(&mut self, frame: usize) {
        let circuit = self.circuit;
        for Group { members, exactly_one } in &circuit.groups {
            let fixed = &self.frames[frame].fixed;
            if members.iter().any(|&member| matches!(fixed.get(member as usize), Some(Some(_)))) {
                continue;
            }
            let members: Vec<Lit> =
                members.iter().map(|&member| self.fluent(frame, member as usize)).collect();
            self.at_most_one(&members);
            if *exactly_one {
                self.clause(&members);
            }
        }
    }

    /// A literal that is true only where the game goes on in the frame, and a legal move is made.
    pub(super) fn move_made(&mut self, frame: usize) -> Lit {
        let circuit = self.circuit;
        let made = self.fresh();
        let terminal = self.literal(frame, circuit.terminal);
        self.clause(&[!made, !terminal]);
        for ports in &circuit.moves {
            let mut does = Vec::with_capacity(ports.len());
            for port in ports.iter().filter(|port| port.does != Signal::FALSE) {
                let (one, legal) =
                    (self.literal(frame, port.does), self.literal(frame, port.legal));
                self.clause(&[!one, legal]);
                does.push(one);
            }
            self.at_most_one(&does);
            does.push(!made);
            self.clause(&does);
        }
        made
    }

    /// The move of the role that the example makes in a frame.
    pub(super) fn example_move(&self, frame: usize, role: usize) -> Option<usize> {
        let ports = &self.circuit.moves[role];
        ports.iter().position(|port| port.does != Signal::FALSE && self.is_true(frame, port.does))
    }

    /// Numbers in binary: two true literals would need two numbers.
    fn at_most_one(&mut self, literals: &[Lit]) {
        let bits = literals.len().next_power_of_two().trailing_zeros();
        let code: Vec<Lit> = (0..bits).map(|_| self.fresh()).collect();
        for (number, &literal) in literals.iter().enumerate() {
            for (bit, &digit) in code.iter().enumerate() {
                let digit = if number >> bit & 1 == 1 { digit } else { !digit };
                self.clause(&[!literal, digit]);
            }
        }
    }

    fn known(&self, frame: usize, signal: Signal) -> Option<Lit> {
        let literal = self.frames[frame].literals[signal.node() as usize];
        let seen = if signal.is_complement() { !literal } else { literal };
        (literal != Lit::UNDEF).then_some(seen)
    }

    /// The literal of a signal; its gates are encoded if they were not.
    pub(super) fn literal(&mut self, frame: usize, signal: Signal) -> Lit {
        if self.known(frame, signal).is_none() {
            self.encode(frame, signal.node());
        }
        self.known(frame, signal).expect("the node was encoded")
    }

    /// Encodes a node and all that it depends on, in earlier frames too.
    fn encode(&mut self, frame: usize, node: u32) {
        let circuit = self.circuit;
        let mut todo = vec![(frame, node)];
        let mut equations = Vec::new();
        while let Some(&(frame, node)) = todo.last() {
            if self.known(frame, Signal::of(node)).is_some() {
                todo.pop();
                continue;
            }
            match circuit.network.gate(node) {
                Gate::And => {
                    let inputs = circuit.network.inputs(node).iter();
                    let before = todo.len();
                    let open = inputs.filter(|&&input| self.known(frame, input).is_none());
                    todo.extend(open.map(|input| (frame, input.node())));
                    if todo.len() == before {
                        self.encode_gate(frame, node);
                    }
                }
                Gate::Fluent(fluent) => {
                    if let Some(open) = self.encode_fluent(frame, node, fluent as usize) {
                        todo.push(open);
                    }
                }
                Gate::Move(..) | Gate::False => {
                    let literal = self.fresh();
                    self.frames[frame].literals[node as usize] = literal;
                }
                Gate::Feedback(number, _) => {
                    for member in &circuit.loops[number as usize].members {
                        let literal = self.fresh();
                        self.frames[frame].literals[member.feedback.node() as usize] = literal;
                        equations.push((frame, member.feedback, member.value));
                        todo.push((frame, member.value.node()));
                    }
                }
            }
        }
        for (frame, feedback, value) in equations {
            let (found, value) = (self.literal(frame, feedback), self.literal(frame, value));
            self.clause(&[!found, value]);
            self.clause(&[found, !value]);
        }
    }

    /// Encodes a fluent, or says what must be encoded before it.
    fn encode_fluent(&mut self, frame: usize, node: u32, fluent: usize) -> Option<(usize, u32)> {
        let literal = match (self.frames[frame].fixed.get(fluent), self.frames[frame].start) {
            (Some(Some(true)), _) => !self.never,
            (Some(Some(false)), _) => self.never,
            (_, FrameStart::Free) => self.fresh(),
            (_, FrameStart::Like(other)) => match self.known(other, Signal::of(node)) {
                Some(literal) => literal,
                None => return Some((other, node)),
            },
            (_, FrameStart::After(before)) => {
                let next = self.circuit.fluents[fluent].next;
                match self.known(before, next) {
                    Some(literal) => literal,
                    None => return Some((before, next.node())),
                }
            }
        };
        self.frames[frame].literals[node as usize] = literal;
        None
    }

    fn encode_gate(&mut self, frame: usize, node: u32) {
        let gate = self.fresh();
        let mut clause = vec![gate];
        for &input in self.circuit.network.inputs(node) {
            let input = self.known(frame, input).expect("inputs come first");
            self.clause(&[!gate, input]);
            clause.push(!input);
        }
        self.clause(&clause);
        self.frames[frame].literals[node as usize] = gate;
    }
}
