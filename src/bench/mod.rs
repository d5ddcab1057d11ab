//! How fast games are played, and what it takes to get there.
//!
//! ```text
//! sheet      a sheet -> its figures: every stage timed, then all measurements
//! rates      playouts for a given time, counted together and one by one
//! split      a step -> the time of its parts
//! scalar     one state at a time: what lanes are compared with
//! report     the figures as data that can be written, read again and compared
//! signature  one number for all that is played: the same on every machine
//! ```
//!
//! Rates are given by the wall clock and by the processor time of the threads that played: on a
//! busy machine the second says what the first would be without the other work.

mod rates;
mod report;
mod scalar;
mod sheet;
mod signature;
mod split;

pub use report::{BenchReport, MakeSeconds, Rate, SheetBench, SheetRates, SplitNanoseconds};
pub use sheet::{BenchOptions, bench};
pub use signature::{SIGNATURE_GAMES, Signature, signature};
