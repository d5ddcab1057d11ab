//! Lanes as a [`Game`]: one state at a time, in lane 0.

use std::sync::Arc;

use super::batch::Batch;
use super::code::Code;
use super::word::Word;
use crate::game::{Game, GoalDegrees, JointMove, Move, MoveSet, PlayError, Role, State, one_goal};
use crate::names::Names;
use crate::program::Program;

/// Plays a program in the first of its lanes.
pub struct LanesGame<W> {
    program: Arc<Program>,
    batch: Batch<W>,
    /// The state that the answers are about.
    current: Option<State>,
    /// Whether the goals of the current state are there.
    has_goals: bool,
}

impl<W: Word> LanesGame<W> {
    /// A game of this program, with its code.
    pub fn new(program: Arc<Program>, code: &Arc<Code>) -> Self {
        let batch = Batch::new(&program, code);
        LanesGame { batch, program, current: None, has_goals: false }
    }

    /// Goes on with other code of the same program.
    pub fn set_code(&mut self, code: &Arc<Code>) {
        self.batch.set_code(code);
    }

    /// Its lanes, for questions about many states at once.
    pub fn batch(&mut self) -> &mut Batch<W> {
        self.current = None;
        &mut self.batch
    }

    /// Makes `state` the state that the answers are about.
    fn enter(&mut self, state: &State) -> Result<(), PlayError> {
        if self.current.as_ref() != Some(state) {
            self.batch.load([state])?;
            self.batch.look();
            self.has_goals = false;
            self.current = Some(state.clone());
        }
        Ok(())
    }

    fn names(&self) -> &Names {
        &self.program.names
    }
}

impl<W: Word> Game for LanesGame<W> {
    fn goal_degrees(&mut self) -> Option<Arc<GoalDegrees>> {
        self.program.degrees.clone()
    }

    fn goal_sum(&mut self) -> Option<i64> {
        self.program.goal_sum
    }

    fn roles(&self) -> &[String] {
        self.names().roles()
    }

    fn initial_state(&mut self) -> Result<State, PlayError> {
        Ok(self.program.initial.clone())
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, PlayError> {
        self.enter(state)?;
        Ok(self.batch.is_terminal(0))
    }

    fn legal_moves(&mut self, state: &State, role: Role) -> Result<MoveSet, PlayError> {
        self.enter(state)?;
        let legal = self.batch.legal_moves(role, 1).swap_remove(0);
        if legal.is_empty() && !self.batch.is_terminal(0) {
            return Err(self.names().no_legal_move(role));
        }
        Ok(legal)
    }

    fn next_state(&mut self, state: &State, moves: &[Move]) -> Result<State, PlayError> {
        self.names().check_joint_move(moves)?;
        for (role, &chosen) in moves.iter().enumerate() {
            if !self.legal_moves(state, role)?.contains(chosen) {
                return Err(self.names().illegal_move(role, chosen));
            }
        }
        self.batch.make([moves])?;
        self.batch.advance();
        Ok(self.batch.next_states(1).swap_remove(0))
    }

    fn next_states(
        &mut self,
        state: &State,
        joints: &[JointMove],
    ) -> Result<Vec<State>, PlayError> {
        joints.iter().try_for_each(|joint| self.names().check_joint_move(joint))?;
        for role in 0..self.names().roles().len() {
            let legal = self.legal_moves(state, role)?;
            let is_illegal = |chosen: &Move| !legal.contains(*chosen);
            if let Some(chosen) = joints.iter().map(|joint| joint[role]).find(is_illegal) {
                return Err(self.names().illegal_move(role, chosen));
            }
        }
        let mut states = Vec::with_capacity(joints.len());
        for joints in joints.chunks(W::LANES) {
            self.current = None;
            self.batch.load_repeated([(state, joints.len())])?;
            self.batch.make(joints.iter().map(Vec::as_slice))?;
            self.batch.advance();
            states.extend(self.batch.next_states(joints.len()));
        }
        Ok(states)
    }

    fn goal(&mut self, state: &State, role: Role) -> Result<i32, PlayError> {
        self.enter(state)?;
        if !self.has_goals {
            self.batch.score();
            self.has_goals = true;
        }
        one_goal(&self.names().roles()[role], self.batch.goals(0, role))
    }

    fn sentences(&self, state: &State) -> Result<Vec<String>, PlayError> {
        self.names().sentences(state)
    }

    fn state_of(&mut self, sentences: &[String]) -> Result<State, PlayError> {
        self.names().state_of(sentences)
    }

    fn move_text(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.names().move_text(role, chosen)
    }

    fn move_spelling(&self, role: Role, chosen: Move) -> Result<String, PlayError> {
        self.names().move_spelling(role, chosen)
    }

    fn move_of(&mut self, role: Role, text: &str) -> Result<Move, PlayError> {
        self.names().move_of(role, text)
    }
}
