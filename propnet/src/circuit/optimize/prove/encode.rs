//! Gates -> clauses, only those that a question is about.
//!
//! What is left out makes more situations possible, never fewer, so what is found impossible
//! stays impossible. Loops need only satisfy their equations here, which the least fixpoint does
//! among others: again more situations, never fewer.
//!
//! A literal and clauses for each gate: Tseitin 1968.

use std::mem::replace;

use batsat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::budget::WorkBudget;
use super::super::super::circuit::Circuit;
use super::super::super::needs::Needs;
use super::super::super::network::{Gate, Signal};
use crate::circuit::solver::Solver;

/// A step of play as clauses: a state, what is done in it, and the gates that were asked for.
pub(super) struct StepEncoder<'a> {
    circuit: &'a Circuit,
    needs: Needs,
    pub(super) solver: Solver<'a>,
    /// By node, the question it was encoded for, and its literal.
    literals: Vec<(u32, Lit)>,
    /// Counts the questions.
    question: u32,
    /// The fluents that were encoded, in that order.
    fluents: Vec<u32>,
    /// The moves that were encoded, in that order.
    moves: Vec<(u32, u32)>,
    /// By role, the number of the move that is made, in binary.
    codes: FxHashMap<usize, Vec<Lit>>,
    /// What is said exactly.
    said: FxHashSet<Said>,
    /// The game goes on: assumed where a question is about what comes next.
    goes_on: Lit,
    /// What was done for earlier questions.
    spent: u64,
    budget: &'a WorkBudget<'a>,
}

/// What need not be said, since leaving it out only makes more possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Said {
    /// When a move is legal, and that it is made only then.
    Legal(u32, u32),
    /// That a role makes a legal move.
    SomeMove(u32),
    /// When the game is over.
    Terminal,
}

impl<'a> StepEncoder<'a> {
    pub(super) fn new(circuit: &'a Circuit, budget: &'a WorkBudget<'a>) -> Self {
        let legal = circuit.moves.iter().flatten().map(|port| port.legal);
        let mut encoder = StepEncoder {
            circuit,
            needs: Needs::new(circuit, legal.chain([circuit.terminal])),
            solver: Solver::new(budget),
            literals: vec![(0, Lit::UNDEF); circuit.network.len()],
            question: 0,
            fluents: Vec::new(),
            moves: Vec::new(),
            codes: FxHashMap::default(),
            said: FxHashSet::default(),
            goes_on: Lit::UNDEF,
            spent: 0,
            budget,
        };
        encoder.begin();
        encoder
    }

    /// Begins a new question, about which nothing is said yet.
    pub(super) fn begin(&mut self) {
        self.spent += replace(&mut self.solver, Solver::new(self.budget)).effort();
        self.question += 1;
        self.fluents.clear();
        self.moves.clear();
        self.codes.clear();
        self.said.clear();
        let never = self.solver.literal();
        self.solver.clause(&[!never]);
        self.literals[0] = (self.question, never);
        self.goes_on = self.solver.literal();
        self.add_needs(self.goes_on, !self.circuit.terminal);
    }

    /// How much was done for all questions.
    pub(super) fn effort(&self) -> u64 {
        self.spent + self.solver.effort()
    }

    /// The game goes on.
    pub(super) fn goes_on(&self) -> Lit {
        self.goes_on
    }

    /// The fluents that the question is about so far.
    pub(super) fn fluents(&self) -> &[u32] {
        &self.fluents
    }

    /// The literal of a signal; its gates are encoded if they were not.
    pub(super) fn literal(&mut self, signal: Signal) -> Lit {
        if self.known(signal).is_none() {
            self.encode(signal.node());
        }
        self.known(signal).expect("the node was encoded")
    }

    /// Whether a signal is true in the example; `None` if the question is not about it.
    pub(super) fn is_true(&self, signal: Signal) -> Option<bool> {
        self.known(signal).map(|literal| self.solver.is_true(literal))
    }

    /// The moves that are made in the example, by role.
    pub(super) fn moves_made(&self) -> Vec<Option<u32>> {
        let mut made = vec![None; self.circuit.moves.len()];
        for &(role, at) in &self.moves {
            let does = self.circuit.moves[role as usize][at as usize].does;
            if self.is_true(does) == Some(true) {
                made[role as usize] = Some(at);
            }
        }
        made
    }

    /// Says more about the game. False if that was said already.
    pub(super) fn say(&mut self, what: Said) -> bool {
        if !self.said.insert(what) {
            return false;
        }
        match what {
            Said::Legal(role, at) => {
                let port = &self.circuit.moves[role as usize][at as usize];
                let (does, legal) = (self.literal(port.does), self.literal(port.legal));
                self.solver.clause(&[!does, legal]);
            }
            Said::SomeMove(role) => {
                let mut clause = vec![!self.goes_on];
                for at in 0..self.circuit.moves[role as usize].len() as u32 {
                    self.say(Said::Legal(role, at));
                    clause.push(self.literal(self.circuit.moves[role as usize][at as usize].does));
                }
                self.solver.clause(&clause);
            }
            Said::Terminal => {
                let terminal = self.literal(self.circuit.terminal);
                self.solver.clause(&[!self.goes_on, !terminal]);
            }
        }
        true
    }

    fn known(&self, signal: Signal) -> Option<Lit> {
        let (question, literal) = self.literals[signal.node() as usize];
        let literal = if signal.is_complement() { !literal } else { literal };
        (question == self.question).then_some(literal)
    }

    /// Encodes a node and all that it depends on.
    fn encode(&mut self, node: u32) {
        let circuit = self.circuit;
        let mut todo = vec![node];
        let mut equations = Vec::new();
        while let Some(&node) = todo.last() {
            if self.known(Signal::of(node)).is_some() {
                todo.pop();
                continue;
            }
            match circuit.network.gate(node) {
                Gate::And => {
                    let inputs = circuit.network.inputs(node).iter();
                    let before = todo.len();
                    let open = inputs.filter(|&&input| self.known(input).is_none());
                    todo.extend(open.map(|input| input.node()));
                    if todo.len() == before {
                        self.encode_gate(node);
                    }
                }
                Gate::False => {}
                Gate::Fluent(fluent) => {
                    self.fluents.push(fluent);
                    self.new_literal(node);
                }
                Gate::Move(role, at) => self.encode_move(node, role, at),
                Gate::Feedback(number, _) => {
                    for member in &circuit.loops[number as usize].members {
                        self.new_literal(member.feedback.node());
                        equations.push((member.feedback, member.value));
                        todo.push(member.value.node());
                    }
                }
            }
        }
        for (feedback, value) in equations {
            let (found, value) = (self.literal(feedback), self.literal(value));
            self.solver.clause(&[!found, value]);
            self.solver.clause(&[found, !value]);
        }
    }

    fn new_literal(&mut self, node: u32) -> Lit {
        let literal = self.solver.literal();
        self.literals[node as usize] = (self.question, literal);
        literal
    }

    /// Encodes a gate whose inputs are encoded.
    fn encode_gate(&mut self, node: u32) {
        let gate = self.new_literal(node);
        let mut clause = vec![gate];
        for &input in self.circuit.network.inputs(node) {
            let input = self.known(input).expect("inputs come first");
            self.solver.clause(&[!gate, input]);
            clause.push(!input);
        }
        self.solver.clause(&clause);
    }

    /// No other move of the role is made, and what its legality needs is true.
    fn encode_move(&mut self, node: u32, role: u32, at: u32) {
        self.moves.push((role, at));
        let does = self.new_literal(node);
        let count = self.circuit.moves[role as usize].len();
        let solver = &mut self.solver;
        let code = self.codes.entry(role as usize).or_insert_with(|| new_code(solver, count));
        add_code(solver, code, &[does], at as usize);
        self.add_needs(does, self.circuit.moves[role as usize][at as usize].legal);
    }

    /// What the signal needs is true wherever the literal is.
    fn add_needs(&mut self, literal: Lit, signal: Signal) {
        for at in 0..self.needs.of(signal).len() {
            // Needs are inputs: encoding them goes no deeper.
            let need = self.literal(self.needs.of(signal)[at]);
            self.solver.clause(&[!literal, need]);
        }
    }
}

/// Literals that can be any of `count` numbers.
pub(super) fn new_code(solver: &mut Solver<'_>, count: usize) -> Vec<Lit> {
    let bits = count.next_power_of_two().trailing_zeros();
    (0..bits).map(|_| solver.literal()).collect()
}

/// Where all the literals are true, the code is the number. So if two are true that have different
/// numbers, there is no code: at most one is, said with few clauses.
pub(super) fn add_code(solver: &mut Solver<'_>, code: &[Lit], literals: &[Lit], number: usize) {
    for (bit, &literal) in code.iter().enumerate() {
        let mut clause: Vec<Lit> = literals.iter().map(|&literal| !literal).collect();
        clause.push(if number >> bit & 1 == 1 { literal } else { !literal });
        solver.clause(&clause);
    }
}
