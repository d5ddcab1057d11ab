//! The rule sheets of `games/`, each shown to be the game it says it is.
//!
//! ```text
//! check      nothing is wrong with a sheet       counts     move sequences, as in games/perft.json
//! playouts   every random game ends well         line, lines hand-written lines of play
//! named      the program knows them by name      optimistic the claims of Optimistic Moves, solved
//! sheet      what is tested                      positions  chess where its special rules meet
//! ```
//!
//! `GAMES=name,name` in the environment restricts the suite to some sheets.

mod check;
mod counts;
mod line;
mod lines;
mod named;
mod optimistic;
mod playouts;
mod positions;
mod sheet;
