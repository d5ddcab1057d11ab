//! The trait that every engine implements.

use std::sync::Arc;

use rand::{Rng, RngExt};

use super::degrees::GoalDegrees;
use super::error::PlayError;
use super::state::{JointMove, Move, MoveSet, Role, State};

/// A game in progress is a state and these questions. Engines keep scratch space between
/// questions, hence `&mut self`. A question about a state or a move of other tables has the answer
/// [`PlayError::Foreign`].
pub trait Game {
    /// The roles in the order of declaration, in lower case.
    fn roles(&self) -> &[String];

    /// The state the game starts in.
    fn initial_state(&mut self) -> Result<State, PlayError>;

    /// Whether the game is over.
    fn is_terminal(&mut self, state: &State) -> Result<bool, PlayError>;

    /// The legal moves of a role; an error in a non-terminal state without one.
    fn legal_moves(&mut self, state: &State, role: Role) -> Result<MoveSet, PlayError>;

    /// The state after a joint move; an error if one of the moves is not legal.
    fn next_state(&mut self, state: &State, moves: &[Move]) -> Result<State, PlayError>;

    /// The states after several joint moves; an error if one of the moves is not legal. Engines that
    /// compute many states at once do all of them together.
    fn next_states(
        &mut self,
        state: &State,
        joints: &[JointMove],
    ) -> Result<Vec<State>, PlayError> {
        joints.iter().map(|joint| self.next_state(state, joint)).collect()
    }

    /// The goal value of a role; an error where the rules give none, several, or no integer.
    fn goal(&mut self, state: &State, role: Role) -> Result<i32, PlayError>;

    /// The goal value of a role, or nothing where the rules give no proper one.
    fn proper_goal(&mut self, state: &State, role: Role) -> Result<Option<i32>, PlayError> {
        match self.goal(state, role) {
            Ok(goal) => Ok(Some(goal)),
            Err(error) if error.is_about_goal() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The degrees of its goals, about the states of this engine; none where it has no ground rules,
    /// or too many.
    fn goal_degrees(&mut self) -> Option<Arc<GoalDegrees>> {
        None
    }

    /// The sum of the goals of all roles at every end, where that is proven.
    fn goal_sum(&mut self) -> Option<i64> {
        None
    }

    /// The propositions of a state as sorted lower-case text.
    fn sentences(&self, state: &State) -> Result<Vec<String>, PlayError>;

    /// The state in which exactly these sentences are true.
    fn state_of(&mut self, sentences: &[String]) -> Result<State, PlayError>;

    /// A move as lower-case text.
    fn move_text(&self, role: Role, chosen: Move) -> Result<String, PlayError>;

    /// A move in the letter case of the sheet, which game managers insist on.
    fn move_spelling(&self, role: Role, chosen: Move) -> Result<String, PlayError>;

    /// The move with this text, in any letter case; it need not be legal anywhere.
    fn move_of(&mut self, role: Role, text: &str) -> Result<Move, PlayError>;

    /// The joint move with the given moves, the rest chosen uniformly among the legal ones.
    fn complete_joint_move(
        &mut self,
        state: &State,
        given: &[Option<Move>],
        rng: &mut dyn Rng,
    ) -> Result<JointMove, PlayError> {
        let mut joint = Vec::with_capacity(self.roles().len());
        for role in 0..self.roles().len() {
            let chosen = match given.get(role).copied().flatten() {
                Some(chosen) => {
                    state.table().check_move(chosen)?;
                    chosen
                }
                None => {
                    let legal = self.legal_moves(state, role)?;
                    let rank = rng.random_range(0..legal.len().max(1));
                    legal.iter().nth(rank).ok_or_else(|| PlayError::NoLegalMove {
                        role: self.roles()[role].clone(),
                    })?
                }
            };
            joint.push(chosen);
        }
        Ok(joint)
    }
}
