//! Questions about lines of play, answered by the SAT solver: whether a goal of the only role can be
//! reached, which states it holds in, whether later is ever better than sooner, what counts the steps,
//! and whether all goals together always have the same sum.

mod counter;
mod frames;
mod goals;
mod lines;
mod sooner;
mod sum;

pub use counter::{StepCounter, step_counter};
pub use goals::{GoalStates, goal_states};
pub use lines::{LineAnswer, PlanLines};
pub use sooner::sooner_is_better_from;
pub use sum::{GoalSum, goal_sum};
