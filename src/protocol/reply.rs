//! Replies to a manager.

use std::fmt;

/// An answer to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Who we are, and whether there is room for a match.
    Info {
        /// Whether there is.
        is_available: bool,
    },
    /// A match may begin.
    Ready,
    /// A move, in the spelling of the sheet.
    Move(String),
    /// The match is over.
    Done,
    /// The match was given up.
    Aborted,
    /// There is no room for the match, or no such match.
    Busy,
    /// What is wrong with a message.
    Refused(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Info { is_available: true } => f.write_str("((name ludens) (status available))"),
            Reply::Info { is_available: false } => f.write_str("((name ludens) (status busy))"),
            Reply::Ready => f.write_str("ready"),
            Reply::Move(text) => f.write_str(text),
            Reply::Done => f.write_str("done"),
            Reply::Aborted => f.write_str("aborted"),
            Reply::Busy => f.write_str("busy"),
            Reply::Refused(why) => write!(f, "error: {why}"),
        }
    }
}
