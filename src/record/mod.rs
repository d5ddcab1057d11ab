//! Matches as they are written down: while they are played, so that a crash loses nothing.
//!
//! ```text
//! format   what is known of a match, with the keys of the field       file   names and safe writing
//! pgn      the same for people who read games                          time   clocks of the calendar
//! recorder a match's files: MATCHID.json, MATCHID.pgn, MATCHID.log     game   names for sheets
//! ```
//!
//! At any moment the files on disk are whole: a record is written beside the one before it and takes
//! its place at once; a log only grows by lines.

mod file;
mod format;
mod game;
mod pgn;
mod recorder;
mod time;

pub use file::{file_name, prepare_folder};
pub use format::{Head, MatchRecord};
pub use game::{fingerprint, game_name};
pub use pgn::pgn;
pub use recorder::Recorder;
pub use time::{date, now, timestamp};
