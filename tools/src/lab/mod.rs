//! The laboratory: experiments as files, played, resumed, and shown beside what was published.
//!
//! ```text
//! file -> experiment: cells of games and sides -> run -> records -> score -> table, figure, rating
//! ```
//!
//! ```text
//! command     the commands                       file        an experiment as it is written in TOML
//! experiment  the same, checked: its cells       games       sheets by name, path or family
//! run         plays what is not recorded yet     progress    how far a run is
//! records     games as lines of JSON             score       a cell in figures
//! table       scores as Markdown and CSV         report      tables and plots as one page
//! figure      what a plot shows                  chart, png  figures as SVG and PNG
//! rating      strengths from all games           sequential  a test that stops when it knows
//! sprt        plays cells for such a test        sweep       an experiment over budgets
//! ```
//!
//! A game is identified by its cell and its number; a record also has a hash of all that defines the
//! cell. So a run goes on where it was killed, records of several machines are merged by
//! concatenation, and records of a cell that was changed are noticed.

mod chart;
mod command;
mod experiment;
mod figure;
mod file;
mod games;
mod png;
mod progress;
mod rating;
mod records;
mod report;
mod run;
mod score;
mod sequential;
mod sprt;
mod sweep;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use command::{LabCommand, lab};
