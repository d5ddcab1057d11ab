//! What is counted at one depth, and what can go wrong.

use propnet::game::{PlayError, Role};
use serde::{Deserialize, Serialize};

/// What is counted at one depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// The number of joint moves made.
    #[serde(rename = "d")]
    pub depth: u64,
    /// Sequences of exactly this many joint moves.
    pub paths: u128,
    /// The distinct states they lead to.
    pub states: u64,
    /// The sequences that end the game.
    pub terminal_paths: u128,
    /// The distinct terminal states.
    pub terminal_states: u64,
    /// The sum of each role's goal values over the sequences that end the game; `None` if one of
    /// the terminal states has no value.
    pub goal_sums: Vec<Option<i128>>,
    /// For each role, the number of terminal states that give it no goal value, or several.
    #[serde(default)]
    pub goal_errors: Vec<u64>,
}

impl Level {
    /// A level of this many states, before anything is counted.
    pub(super) fn new(depth: u64, roles: usize, states: usize) -> Self {
        Level {
            depth,
            paths: 0,
            states: states as u64,
            terminal_paths: 0,
            terminal_states: 0,
            goal_sums: vec![Some(0); roles],
            goal_errors: vec![0; roles],
        }
    }

    /// Counts a state with the sequences that lead to it.
    pub(super) fn add(&mut self, paths: u128, is_terminal: bool) -> Result<(), PerftError> {
        let overflow = PerftError::Overflow { depth: self.depth };
        self.paths = self.paths.checked_add(paths).ok_or(overflow)?;
        if is_terminal {
            // No overflow: these are some of the paths.
            self.terminal_paths += paths;
            self.terminal_states += 1;
        }
        Ok(())
    }

    /// Counts the goal of a role in a terminal state.
    pub(super) fn add_goal(
        &mut self,
        role: Role,
        goal: Option<i32>,
        paths: u128,
    ) -> Result<(), PerftError> {
        let Some(goal) = goal else {
            self.goal_errors[role] += 1;
            self.goal_sums[role] = None;
            return Ok(());
        };
        if let Some(sum) = &mut self.goal_sums[role] {
            *sum = i128::try_from(paths)
                .ok()
                .and_then(|paths| paths.checked_mul(i128::from(goal)))
                .and_then(|goals| sum.checked_add(goals))
                .ok_or(PerftError::Overflow { depth: self.depth })?;
        }
        Ok(())
    }
}

/// Why counting stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftError {
    /// The cause is in the rules or in the start.
    #[error("after {depth} joint moves: {error}")]
    Play {
        /// The depth of the state.
        depth: u64,
        /// What went wrong.
        error: PlayError,
    },
    /// There are more distinct states than the limit allows.
    #[error(
        "after {depth} joint moves there are more than {most} distinct states: count to a lower \
         depth, or allow more states, each of which takes memory"
    )]
    States {
        /// The depth that could not be counted.
        depth: u64,
        /// How many states a depth may have.
        most: u64,
    },
    /// There are more sequences than can be counted.
    #[error("after {depth} joint moves: the counts do not fit into 128 bits")]
    Overflow {
        /// The depth that could not be counted.
        depth: u64,
    },
}
