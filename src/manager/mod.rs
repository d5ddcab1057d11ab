//! The game manager: players, clocks and a judge -> a match and its record.
//!
//! ```text
//! player          text -> a player                 setup   the options of a match
//! sheet           the rules as players get them    judge   legal moves and next states
//! player_thread   one player in its own thread     event   what the observer gets
//! strategy, http, human                            the kinds of players
//! players         all players of a match           round   one question and its answers in time
//! referee         the match, from start to end
//! ```
//!
//! An answer that comes late, cannot be read or is not legal is replaced by a random legal move and
//! counted as an error; the match goes on. The referee waits for no player beyond its clock, except
//! for people.

mod error;
mod event;
mod http;
mod human;
mod judge;
mod player;
mod player_thread;
mod players;
mod referee;
mod round;
mod setup;
mod sheet;
mod strategy;

pub use error::ManagerError;
pub use event::MatchEvent;
pub use human::{Console, HumanInput};
pub use player::{Player, PlayerError, PlayerKind};
pub use referee::{EndReason, MatchOutcome, Observer, play_match};
pub use setup::{Clocks, MatchSetup};
pub use sheet::starting_at;
