//! Questions about lines of play of a game for one role, answered by the SAT solver: whether a goal
//! can be reached, whether later is ever better than sooner, whether moves can be taken back.

mod counter;
mod frames;
mod goals;
mod inverse;
mod lines;
mod sooner;

pub use counter::{StepCounter, step_counter};
pub use goals::{GoalStates, goal_states};
pub use inverse::inverse_moves;
pub use lines::{LineAnswer, Lines};
pub use sooner::{is_sooner_better, reads_counter};
