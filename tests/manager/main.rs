//! The game manager: matches between all kinds of players, and what is written down of them.

#[path = "../support/mod.rs"]
mod support;

mod commands;
mod fake;
mod http;
mod matches;
mod people;
mod records;
mod signals;
mod table;
