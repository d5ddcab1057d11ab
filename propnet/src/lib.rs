//! GDL rule sheets to games that can be played: pure, deterministic, without I/O.
//!
//! A million random playouts, where `text` is the sheet of a game:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tic_tac_toe.kif"));
//! use propnet::{CompileOptions, Compiled, load};
//!
//! let rules = load(text)?;
//! let game = Compiled::new(&rules, &CompileOptions::default())?;
//! let totals = game.playouts(1_000_000, 1);
//! let means = totals.mean_goals(game.program()); // In the order of game.names().roles().
//! # assert_eq!(totals.playouts, 1_000_000);
//! # let near = |at: usize, goal: f64| means[at].is_some_and(|mean| (mean - goal).abs() < 0.3);
//! # assert!(near(0, 64.8) && near(1, 35.2), "{means:?}");
//! # Ok(())
//! # }
//! ```
//!
//! [`Compiled::batch`] answers questions about many states at once, [`Compiled::game`] about one.
//! What a sheet means is defined by the slow, obvious [`reference::Reasoner`], which needs no
//! compiling:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tic_tac_toe.kif"));
//! use propnet::game::Game;
//! use propnet::{load, reference::Reasoner};
//!
//! let mut game = Reasoner::new(&load(text)?);
//! let state = game.initial_state()?;
//! assert_eq!(game.legal_moves(&state, 0)?.len(), 9);
//! # Ok(())
//! # }
//! ```
//!
//! Data moves one way, and each stage sees only the one before it:
//!
//! ```text
//! text -> gdl::Rules -> ground::GroundRules -> circuit::Circuit -> program::Program -> lanes
//!                   \-> reference::Reasoner (the slow, obvious judge)
//! ```
//!
//! The feature `serde` derives `Serialize` and `Deserialize` for plain figures: the statistics and
//! sizes of circuits and ground rules, totals of playouts, and places in a sheet.

pub mod circuit;
mod components;
mod facade;
pub mod game;
pub mod gdl;
pub mod ground;
pub mod lanes;
pub mod machine;
pub mod names;
pub mod program;
pub mod reference;
pub mod terms;

pub use facade::{BatchError, CompileError, CompileOptions, Compiled, Situation, StateBatch, load};
