//! The player around the `propnet` library: everything that deals with files, threads and
//! terminals.
//!
//! The binary `ludens` is a thin layer of commands over these modules:
//!
//! ```text
//! pipeline rules -> circuit -> what plays       run     one playout, scripted and random moves
//! start   text   -> moves and states to start from  trace   a playout as recorded data
//! perft   counting move sequences                verify  a recorded trace against an engine
//! draw    a state -> what a terminal shows       picture a circuit -> SVG and PNG
//! library the sheets that come with the program  playouts many random games, counted
//! search  a game and a budget -> a move         strategy names and values -> its settings
//! agent   a player in a match, within its clocks  record  matches as they are written down
//! manager players and clocks -> a match         protocol messages of game managers -> replies
//! sheets  names and paths -> texts of sheets     vector  games side by side, stepped by actions
//! text    text from outside, safe to show        count   counts as people type them
//! statistics  samples -> spreads and intervals   parallel  work on threads, results in order
//! puzzle  games for one role, solved              solve   positions for several roles, solved
//! analysis what the rules tell about a game
//! host    the machine that figures come from    suggest "did you mean" for names
//! web     the page in a browser, and its API     findings what is wrong with a sheet, as data
//! matrix  payoffs of two players -> value and strategies
//! ```

pub mod agent;
pub mod analysis;
pub mod bench;
pub mod count;
pub mod draw;
pub mod features;
pub mod findings;
mod game;
pub mod host;
pub mod library;
pub mod manager;
pub mod matrix;
pub mod parallel;
pub mod perft;
pub mod picture;
pub mod pipeline;
pub mod playouts;
pub mod protocol;
pub mod puzzle;
pub mod record;
pub mod run;
pub mod search;
pub mod sheets;
pub mod solve;
pub mod start;
pub mod statistics;
pub mod strategy;
pub mod suggest;
pub mod text;
pub mod trace;
pub mod vector;
pub mod verify;
mod visited;
pub mod web;

pub use game::{Game, GameError, PlayoutSummary};

/// The code of README.md compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
