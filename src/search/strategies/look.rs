//! A state in a playout, and what its moves lead to.

use std::collections::VecDeque;

use propnet::game::{Game, JointMove, Move, PlayError, Role, State};

/// What a strategy sees.
pub(crate) struct Look<'l> {
    pub(crate) game: &'l mut dyn Game,
    pub(crate) role: Role,
    /// The moves that the others are expected to make, with any move of this role.
    pub(crate) joint: &'l [Move],
    /// The legal moves of this role.
    pub(crate) legal: &'l [Move],
    /// The last states of the playout, this one last.
    pub(crate) recent: &'l VecDeque<State>,
    next: Option<Vec<State>>,
}

impl<'l> Look<'l> {
    pub(crate) fn new(
        game: &'l mut dyn Game,
        role: Role,
        joint: &'l [Move],
        legal: &'l [Move],
        recent: &'l VecDeque<State>,
    ) -> Self {
        Look { game, role, joint, legal, recent, next: None }
    }

    /// By legal move: the state that it leads to.
    pub(crate) fn next(&mut self) -> Result<&[State], PlayError> {
        if self.next.is_none() {
            let state = self.recent.back().ok_or(PlayError::Stopped)?;
            let joints: Vec<JointMove> = self
                .legal
                .iter()
                .map(|&chosen| {
                    let mut joint = self.joint.to_vec();
                    joint[self.role] = chosen;
                    joint
                })
                .collect();
            self.next = Some(self.game.next_states(state, &joints)?);
        }
        Ok(self.next.as_deref().unwrap_or_default())
    }
}
