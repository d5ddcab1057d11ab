//! Matches: an agent and its clocks, what is said to game managers, the game manager itself, and the
//! example programs, which play.
//! Many of these tests wait for clocks, so they are apart from those that keep all cores busy.

mod agent;
mod examples;
mod manager;
mod protocol;
mod support;
mod web;
