//! Rule sheets written from parameters: families of games whose size can be varied.
//!
//! ```text
//! goofspiel    bidding with 2 to 13 cards, by points or by win, with or without the history
//! course       Penalties, Shock Step, Punishment: runners on a course of any width and length
//! progression  a race in which some runners do not move, cut off after a number of moves
//! optimistic   a breakthrough position where a tempting move loses
//! boards       connect four, breakthrough and hex on boards of any size
//! set          the sizes that are kept in games/        text   what sheets are made of
//! family       a sheet by its name, such as penalties_4x5
//! ```

mod boards;
mod course;
mod family;
mod goofspiel;
mod optimistic;
mod progression;
mod set;
mod text;

pub(crate) use boards::{Breakthrough, ConnectFour, Hex};
pub(crate) use course::{Course, Penalty};
pub(crate) use family::by_name;
pub(crate) use goofspiel::Goofspiel;
pub(crate) use optimistic::OptimisticMoves;
pub(crate) use progression::Progression;
pub(crate) use set::{Generated, kept};
