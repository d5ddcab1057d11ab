//! Seeded random play on a circuit, 64 games side by side, to see which states there are.
//!
//! What these states rule out needs no attempt at a proof; what they suggest does.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::super::budget::WorkBudget;
use super::super::circuit::{Circuit, FluentKind, FluentPort, MovePort};
use super::super::cones::{Cone, Cones};
use super::super::evaluate::Values;
use super::super::network::Signal;
use super::super::schedule::Schedule;

/// 64 states: by fluent, the word of those in which it is true. Zero for what is not carried.
pub(in super::super) type States = Vec<u64>;

/// Plays 64 games.
pub(in super::super) struct Simulator<'a> {
    circuit: &'a Circuit,
    before: Schedule,
    next: Schedule,
    values: Values,
    generator: Pcg64Mcg,
    /// Where the games are.
    now: States,
    /// Where a game starts again when it is over.
    start: States,
    /// How much a step costs, in gate inputs that are read.
    cost: u64,
    /// How much was done, in gate inputs that were read.
    effort: u64,
    budget: &'a WorkBudget<'a>,
}

impl<'a> Simulator<'a> {
    /// 64 games at the first state.
    pub(in super::super) fn new(
        circuit: &'a Circuit,
        seed: u64,
        budget: &'a WorkBudget<'a>,
    ) -> Self {
        let cones = Cones::new(circuit);
        let is_before = |node| cones.has_any(node, &[Cone::Legal, Cone::Terminal]);
        let before = Schedule::new(circuit, is_before);
        let next = Schedule::new(circuit, |node| !is_before(node) && cones.has(node, Cone::Next));
        let gates = before.stretches.iter().chain(&next.stretches).flat_map(|part| &part.gates);
        let inputs: usize = gates.map(|&gate| circuit.network.inputs(gate).len()).sum();
        let moves: usize = circuit.moves.iter().map(Vec::len).sum();
        let mut simulator = Simulator {
            circuit,
            before,
            next,
            values: Values::new(circuit),
            generator: Pcg64Mcg::seed_from_u64(seed),
            now: Vec::new(),
            start: Vec::new(),
            cost: (inputs + circuit.fluents.len() + moves) as u64 + 1_000,
            effort: 0,
            budget,
        };
        simulator.start_at(&initial_states(circuit));
        simulator
    }

    /// Puts the games to these states, where they also start again from now on.
    pub(in super::super) fn start_at(&mut self, states: &States) {
        self.start.clone_from(states);
        self.now.clone_from(states);
        self.look();
    }

    /// Where the games are.
    pub(in super::super) fn now(&self) -> &States {
        &self.now
    }

    /// How much a step costs.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    /// How much was done.
    pub(in super::super) fn effort(&self) -> u64 {
        self.effort
    }

    /// In which of the states a signal that depends on no move is true.
    pub(in super::super) fn holds(&self, signal: Signal) -> u64 {
        self.values.of(signal)
    }

    /// In which of the states the game goes on: it is not over, and each role has a move.
    pub(in super::super) fn goes_on(&self) -> u64 {
        let has_move =
            |ports: &Vec<MovePort>| ports.iter().fold(0, |any, port| any | self.holds(port.legal));
        let moves = self.circuit.moves.iter().map(has_move);
        moves.fold(!self.holds(self.circuit.terminal), |all, word| all & word)
    }

    /// A random legal move in each game; games that are over start again.
    pub(in super::super) fn step(&mut self) {
        self.step_with(&vec![None; self.circuit.moves.len()]);
    }

    /// The moves of some roles, which must be legal wherever the games go on, and random moves of
    /// the others; games that are over start again.
    pub(in super::super) fn step_with(&mut self, chosen: &[Option<u32>]) {
        let goes_on = self.goes_on();
        for (role, chosen) in chosen.iter().enumerate() {
            match chosen {
                Some(chosen) => self.choose(role, *chosen),
                None => self.choose_at_random(role, goes_on),
            }
        }
        self.values.compute(self.circuit, &self.next);
        for (fluent, port) in self.circuit.fluents.iter().enumerate() {
            if port.kind == FluentKind::Carried {
                let next = self.values.of(port.next);
                self.now[fluent] = next & goes_on | self.start[fluent] & !goes_on;
            }
        }
        self.look();
    }

    fn choose(&mut self, role: usize, chosen: u32) {
        for (at, port) in self.circuit.moves[role].iter().enumerate() {
            let is_chosen = at == chosen as usize;
            self.values.set(port.does, if is_chosen { !0 } else { 0 });
        }
    }

    fn choose_at_random(&mut self, role: usize, goes_on: u64) {
        let mut counts = [0u32; 64];
        for port in &self.circuit.moves[role] {
            for_each_bit(self.values.of(port.legal) & goes_on, |lane| counts[lane] += 1);
        }
        let mut ranks = counts.map(|count| match count {
            0 | 1 => 0,
            _ => self.generator.random_range(0..count),
        });
        for port in &self.circuit.moves[role] {
            let mut word = 0;
            for_each_bit(self.values.of(port.legal) & goes_on, |lane| {
                word |= ((ranks[lane] == 0) as u64) << lane;
                // Below zero comes the largest number, which is never reached again.
                ranks[lane] = ranks[lane].wrapping_sub(1);
            });
            self.values.set(port.does, word);
        }
    }

    /// Computes what is legal, and whether the games are over.
    fn look(&mut self) {
        for (port, &word) in self.circuit.fluents.iter().zip(&self.now) {
            if port.kind == FluentKind::Carried {
                self.values.set(port.now, word);
            }
        }
        self.values.compute(self.circuit, &self.before);
        self.effort += self.cost;
        self.budget.spend(self.cost);
        self.budget.goes_on(self.cost);
    }
}

fn for_each_bit(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// The first state, 64 times.
pub(super) fn initial_states(circuit: &Circuit) -> States {
    let is_true = |port: &FluentPort| port.initially && port.kind == FluentKind::Carried;
    circuit.fluents.iter().map(|port| if is_true(port) { !0 } else { 0 }).collect()
}
