//! Compares recorded traces with engines: everything that a trace claims, as whole sets.
//!
//! [`replay`] compares one trace with any game, [`verify_contents`] with the text of a sheet;
//! [`verify_all`] does so for a corpus in files, in parallel and with a record to continue from.
//! [`verify_record`] does so for the record of a match.

mod case;
mod corpus;
mod difference;
mod excused;
mod matches;
mod record;
mod replay;
mod summary;

pub use case::{CaseResult, CaseStatus, Contents, VerifySettings, verify_contents};
pub use corpus::{Case, find_cases, verify_all};
pub use difference::{Difference, Where};
pub use excused::{EXCUSED, excuse};
pub use matches::verify_record;
pub use record::{Record, Writer};
pub use replay::{ReplayOutcome, Verdict, replay};
pub use summary::{Problem, VerifySummary};
