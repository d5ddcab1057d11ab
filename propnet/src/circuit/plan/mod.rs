//! Questions about lines of play of a game for one role, answered by the SAT solver: whether a goal
//! can be reached, which states it holds in, whether later is ever better than sooner.

mod counter;
mod frames;
mod goals;
mod lines;
mod sooner;

pub use counter::{StepCounter, step_counter};
pub use goals::{GoalStates, goal_states};
pub use lines::{LineAnswer, PlanLines};
pub use sooner::sooner_is_better_from;
