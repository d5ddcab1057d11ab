//! The game manager: matches between all kinds of players, and what is written down of them.

mod commands;
mod fake;
mod http;
mod matches;
mod people;
mod records;
#[cfg(unix)]
mod signals;
mod table;
