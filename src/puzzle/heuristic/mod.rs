//! How far a state is from the highest goal that is not reached, told from the circuit.

mod closed;
mod database;
mod distance;
mod patterns;
mod reads;
mod relaxed;
mod ternary;

pub(super) use closed::closed_sets;
pub(super) use distance::{Conditions, targets, words};
pub(super) use patterns::Patterns;
pub(super) use relaxed::Relaxed;
