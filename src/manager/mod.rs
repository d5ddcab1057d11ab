//! The game manager: players, clocks and a judge -> a match and its record.
//!
//! ```text
//! player    who plays, as it is written             setup    what a match is
//! sheet     the rules as players get them           judge    what is legal, and what follows
//! seat      a player in a thread of its own         event    what those who watch are told
//! strategy, http, human                             the players themselves
//! table     all players of a match                  round    a question, and who answers in time
//! referee   the match, from start to end
//! ```
//!
//! A player is asked, and has its time. What it does with it is its own affair: an answer that
//! comes late, cannot be read or is not legal is replaced by a legal move at random and counted, and
//! the match goes on. Nobody waits for a player beyond its clock, except for people.

mod error;
mod event;
mod http;
mod human;
mod judge;
mod player;
mod referee;
mod round;
mod seat;
mod setup;
mod sheet;
mod strategy;
mod table;

pub use error::ManagerError;
pub use event::Event;
pub use human::Console;
pub use player::{Player, PlayerError, PlayerKind};
pub use referee::{End, Outcome, Watch, play_match};
pub use setup::{Clocks, MatchSetup};
pub use sheet::starting_at;
