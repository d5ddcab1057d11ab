//! How far a state is from the highest goal that is not reached, told from the circuit.

mod distance;
mod relaxed;

pub(super) use distance::GoalDistance;
pub(super) use relaxed::Relaxed;
