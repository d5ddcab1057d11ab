//! Recorded traces against engines: everything that a trace claims, compared as whole sets.
//!
//! [`replay`] compares one trace with any game, [`verify_contents`] with the text of a sheet;
//! [`verify_all`] does so for a corpus in files, in parallel and with a record to continue from.

mod corpus;
mod difference;
mod excused;
mod record;
mod replay;
mod summary;

pub use corpus::{
    Case, CaseResult, Contents, Settings, Status, find_cases, verify_all, verify_contents,
};
pub use difference::{Difference, Where};
pub use excused::{EXCUSED, excuse};
pub use record::{Record, Writer};
pub use replay::{Outcome, Verdict, replay};
pub use summary::{Problem, Summary};
