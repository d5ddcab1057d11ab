//! Jobs and their outcomes: plain data.

use std::sync::Arc;

use super::goals::LaneGoals;
use crate::game::{ForeignError, Move, MoveSet, State, TableId};
use crate::program::StepOptions;

/// A playout to be made, or several that start alike.
#[derive(Clone, Debug)]
pub struct Job {
    /// The caller's name for it.
    pub tag: u64,
    /// What its random numbers come from, together with the seed. Of several playouts each has the
    /// number after that of the one before.
    pub number: u64,
    /// The number of playouts.
    pub count: usize,
    /// Where it starts.
    pub state: Arc<State>,
    /// The first joint move, if it is not to be chosen at random. It must be legal; the
    /// outcome of an illegal move means nothing.
    pub forced: Option<Arc<[Move]>>,
    /// The joint moves after which it ends even if the game is not over.
    pub limit: Option<u64>,
    /// Whether the state after the first move is wanted: that of the first playout only.
    pub wants_first: bool,
    /// The number of playouts, from the first on, whose moves are wanted.
    pub wants_moves: usize,
}

impl Job {
    /// A playout at random from a state, of which only the outcome is wanted.
    pub fn new(tag: u64, number: u64, state: &Arc<State>) -> Self {
        Job {
            tag,
            number,
            count: 1,
            state: state.clone(),
            forced: None,
            limit: None,
            wants_first: false,
            wants_moves: 0,
        }
    }

    /// Whether moves have to be recorded for its next playout.
    pub(super) fn needs_record(&self) -> bool {
        self.wants_moves > 0 || self.wants_first && self.forced.is_none()
    }

    /// Complains about what a step with these options, for a game with these tables and these
    /// numbers of moves by role, cannot do.
    pub(super) fn check(
        &self,
        options: &StepOptions,
        table: TableId,
        moves: &[usize],
    ) -> Result<(), JobError> {
        table.check_state(&self.state)?;
        if let Some(forced) = &self.forced {
            table.check_moves(forced)?;
            if !options.forced {
                return Err(JobError::NotForced);
            }
            let is_known = |(chosen, &count): (&Move, &usize)| chosen.index() < count;
            if forced.len() != moves.len() || !forced.iter().zip(moves).all(is_known) {
                return Err(JobError::NoJointMove);
            }
        }
        if self.needs_record() && !options.record {
            return Err(JobError::NotRecorded);
        }
        match (self.limit, options.highest_limit()) {
            (Some(limit), highest) if limit > highest || options.limit_bits == 0 => {
                Err(JobError::Limit { limit, bits: options.limit_bits })
            }
            _ => Ok(()),
        }
    }
}

/// Why a job is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The state, or a forced move, belongs to another engine.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// A move is forced.
    #[error("a move is forced, but the program was made without forced moves")]
    NotForced,
    /// What is forced is no joint move.
    #[error("the forced moves are not one for each role")]
    NoJointMove,
    /// Moves are wanted.
    #[error("the moves are asked for, but the program was made without a record of them")]
    NotRecorded,
    /// The limit is too high.
    #[error("the limit of {limit} moves does not fit the {bits} bits that the program has for it")]
    Limit {
        /// The limit.
        limit: u64,
        /// The bits.
        bits: usize,
    },
}

/// The outcome of a playout, or of several playouts of a job that began together and ended alike. A
/// playout whose moves or first state are wanted has an outcome of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The tag of the job.
    pub tag: u64,
    /// How many playouts it is about.
    pub count: usize,
    /// Why it ended.
    pub ending: Ending,
    /// By role: the goal value in the last state; none where the rules give none or several.
    pub goals: LaneGoals,
    /// How many joint moves were made.
    pub length: u64,
    /// The moves made, if they were wanted: the joint moves one after the other, each a move of
    /// every role in order.
    pub moves: Vec<Move>,
    /// The state after the first move, if it was wanted and a move was made.
    pub first: Option<Box<FirstState>>,
}

/// Why a playout ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Ending {
    /// The game was over.
    #[default]
    Terminal,
    /// The game was not over, but a role had no legal move: the rules are at fault.
    Stuck,
    /// The game was not over, but the limit on moves was reached.
    Limit,
}

/// The state after the first joint move of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstState {
    /// The joint move that led there.
    pub moves: Arc<[Move]>,
    /// The state.
    pub state: State,
    /// By role: its legal moves there.
    pub legal: Vec<MoveSet>,
    /// Whether the game is over there.
    pub is_terminal: bool,
}
