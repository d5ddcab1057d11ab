//! A state -> what a terminal shows: boards as grids, the rest as short lists.
//!
//! Nothing here knows a game; what is a board, and how its pieces are abbreviated, is guessed from
//! the sentences. A [`Drawing`] remembers its guesses, so that a board keeps its size and its
//! symbols while a game is played.

mod board;
mod drawing;
mod pieces;
mod sentence;

pub use drawing::Drawing;
