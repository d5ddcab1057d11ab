//! A circuit as a [`Game`], one state at a time.

use std::sync::Arc;

use super::circuit::{Circuit, FluentKind};
use super::cones::{Cone, Cones};
use super::evaluate::Values;
use super::network::Signal;
use super::schedule::Schedule;
use crate::game::{Game, GoalDegrees, Move, MoveSet, PlayError, Role, State, one_goal};

/// Plays a circuit by plain evaluation.
///
/// A state's bits are indices into [`Circuit::fluents`], and all fluents are shown, whatever their
/// kind. The answers about one state are kept until another state is asked about.
pub struct CircuitGame {
    circuit: Circuit,
    /// What is legal, and whether the game is over.
    before: Schedule,
    /// What comes next, as far as `before` has not computed it.
    next: Schedule,
    /// The goals, as far as `before` has not computed them.
    goals: Schedule,
    values: Values,
    /// The state that the values are about.
    current: Option<State>,
    /// Whether the goals of the current state are computed.
    has_goals: bool,
}

/// Situations are words; a single one is a word of equal bits.
fn word(truth: bool) -> u64 {
    if truth { !0 } else { 0 }
}

impl CircuitGame {
    /// A game of this circuit.
    pub fn new(circuit: Circuit) -> Self {
        let cones = Cones::new(&circuit);
        let is_before = |node| cones.has_any(node, &[Cone::Legal, Cone::Terminal]);
        let is_next = |node| !is_before(node) && cones.has_any(node, &[Cone::Next, Cone::Observed]);
        let is_goal = |node| !is_before(node) && cones.has(node, Cone::Goal);
        CircuitGame {
            before: Schedule::new(&circuit, is_before),
            next: Schedule::new(&circuit, is_next),
            goals: Schedule::new(&circuit, is_goal),
            values: Values::new(&circuit),
            current: None,
            has_goals: false,
            circuit,
        }
    }

    /// The circuit that is played.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// Makes `state` the state that the values are about.
    fn enter(&mut self, state: &State) -> Result<(), PlayError> {
        if self.current.as_ref() == Some(state) {
            return Ok(());
        }
        self.circuit.names.table().check_state(state)?;
        for (fluent, port) in self.circuit.fluents.iter().enumerate() {
            if port.kind != FluentKind::Follows {
                self.values.set(port.now, word(state.contains(fluent)));
            }
        }
        for port in self.circuit.moves.iter().flatten() {
            self.values.set(port.does, 0);
        }
        self.values.compute(&self.circuit, &self.before);
        self.has_goals = false;
        self.current = Some(state.clone());
        Ok(())
    }

    fn holds(&self, signal: Signal) -> bool {
        self.values.of(signal) != 0
    }
}

impl Game for CircuitGame {
    fn goal_degrees(&mut self) -> Option<Arc<GoalDegrees>> {
        self.circuit.degrees.clone()
    }

    fn roles(&self) -> &[String] {
        self.circuit.names.roles()
    }

    fn initial_state(&mut self) -> Result<State, PlayError> {
        Ok(self.circuit.initial_state())
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, PlayError> {
        self.enter(state)?;
        Ok(self.holds(self.circuit.terminal))
    }

    fn legal_moves(&mut self, state: &State, role: Role) -> Result<MoveSet, PlayError> {
        self.enter(state)?;
        let moves = self.circuit.moves[role].iter().enumerate();
        let legal = moves.filter(|(_, port)| self.holds(port.legal)).map(|(index, _)| index);
        let legal = MoveSet::new(self.circuit.names.table(), legal);
        if legal.is_empty() && !self.holds(self.circuit.terminal) {
            return Err(self.circuit.names.no_legal_move(role));
        }
        Ok(legal)
    }

    fn next_state(&mut self, state: &State, moves: &[Move]) -> Result<State, PlayError> {
        self.circuit.names.check_joint_move(moves)?;
        self.enter(state)?;
        for (role, &chosen) in moves.iter().enumerate() {
            if !self.legal_moves(state, role)?.contains(chosen) {
                return Err(self.circuit.names.illegal_move(role, chosen));
            }
        }
        for (ports, chosen) in self.circuit.moves.iter().zip(moves) {
            for (at, port) in ports.iter().enumerate() {
                self.values.set(port.does, word(at == chosen.index()));
            }
        }
        self.values.compute(&self.circuit, &self.next);
        let mut next = Vec::new();
        let mut by_input = vec![false; self.circuit.network.len()];
        for (fluent, port) in self.circuit.fluents.iter().enumerate() {
            if port.kind != FluentKind::Follows && self.holds(port.next) {
                by_input[port.now.node() as usize] = true;
                next.push(fluent);
            }
        }
        for (fluent, port) in self.circuit.fluents.iter().enumerate() {
            let truth = by_input[port.now.node() as usize] != port.now.is_complement();
            if port.kind == FluentKind::Follows && truth {
                next.push(fluent);
            }
        }
        Ok(State::new(self.circuit.names.table(), next))
    }

    fn goal(&mut self, state: &State, role: Role) -> Result<i32, PlayError> {
        self.enter(state)?;
        if !self.has_goals {
            self.values.compute(&self.circuit, &self.goals);
            self.has_goals = true;
        }
        let names = &self.circuit.names;
        let values = self.circuit.goals[role].iter().filter(|port| self.holds(port.holds));
        one_goal(&names.roles()[role], values.map(|port| names.text(port.value)).collect())
    }

    fn sentences(&self, state: &State) -> Result<Vec<String>, PlayError> {
        self.circuit.names.sentences(state)
    }

    fn state_of(&mut self, sentences: &[String]) -> Result<State, PlayError> {
        self.circuit.names.state_of(sentences)
    }

    fn move_text(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.circuit.names.move_text(role, chosen)
    }

    fn move_spelling(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.circuit.names.move_spelling(role, chosen)
    }

    fn move_of(&mut self, role: Role, text: &str) -> Result<Move, PlayError> {
        self.circuit.names.move_of(role, text)
    }
}
