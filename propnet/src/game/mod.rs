//! A game that can be played: the questions an agent asks, whatever engine answers them.
//!
//! States and move sets are bit sets over the engine's tables of propositions and moves. A table
//! may grow while a game is played (the reference reasoner discovers propositions as it meets
//! them), so an index keeps its meaning for the life of an engine, and sets of different capacity
//! compare equal when they hold the same indices.
//!
//! An index means nothing in the tables of another engine. So every state, move set and move
//! carries the [`TableId`] of its tables, and an engine answers [`ForeignError`] when it is given
//! one of other tables:
//!
//! - Each [`Reasoner`](crate::reference::Reasoner) and each
//!   [`GroundGame`](crate::ground::GroundGame) has its own tables.
//! - A [`Circuit`](crate::circuit::Circuit), all circuits that passes make of it, all programs
//!   of these and all that plays such a program (lanes, batches, jobs,
//!   [`Compiled`](crate::Compiled)) share their tables, on any thread.
//! - Equal sheets that are loaded or compiled twice have two tables, although their indices happen
//!   to agree.
//!
//! [`Game::sentences`] and [`Game::state_of`] carry a state from one engine to another,
//! [`Game::move_text`] and [`Game::move_of`] a move.

mod degrees;
mod error;
#[expect(clippy::module_inception, reason = "the trait is what the module is about")]
mod game;
mod goal;
mod state;
mod table;

pub(crate) use degrees::{DegreeTerm, Formula, FormulaKind, FormulaLoop};
pub use degrees::{GoalDegrees, StateDegrees};
pub use error::{PlayError, RulePlace};
pub use game::Game;
pub use goal::goal_value;
pub(crate) use goal::one_goal;
pub use state::{JointMove, Move, MoveSet, Role, State};
pub use table::{ForeignError, TableId};
