//! Records of matches, written while they are played, so that a crash loses nothing.
//!
//! ```text
//! format   what is known of a match, with the usual keys   file   names and safe writing
//! journal  the same line by line, while it is played       time   calendar time
//! pgn      the same for people who read games              game   names for sheets
//! recorder a match's files: MATCHID.json, MATCHID.pgn, MATCHID.log
//! replay   a record's match, played again                 rules  the sheet that it was played by
//! position where a record starts, and the moves that it makes, for a game that plays them again
//! recover  leftover journals                   read, read_pgn   files of any form -> a match
//! ```
//!
//! While a match is played, its journal and its log only grow by lines. At the end the record is
//! written once, to a temporary file, and renamed to its final name; then the journal is removed.
//! At any moment one of the two can be read.

mod file;
mod format;
mod game;
mod journal;
mod pgn;
mod position;
mod read;
mod read_pgn;
mod recorder;
mod recover;
mod replay;
mod rules;
mod time;

pub use file::{file_name, prepare_folder};
pub use format::{Head, MatchRecord};
pub use game::{fingerprint, game_name};
pub use pgn::pgn;
pub use read::{ReadError, is_record, read_record};
pub use recorder::Recorder;
pub use recover::finish_left_over;
pub use replay::{ReplayedMatch, ReplayedStep};
pub use time::{date, now, timestamp};
