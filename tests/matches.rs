//! Matches: an agent and its clocks, what is said to game managers, and the game manager itself.
//! Many of these tests wait for clocks, so they are apart from those that keep all cores busy.

mod agent;
mod manager;
mod protocol;
mod support;
