//! Questions about lines of play, answered by the SAT solver: whether a goal of the only role can be
//! reached, which states it holds in, whether later is ever better than sooner, what no move changes,
//! what once true or false stays so, which goals that leaves, when a game can be over, who chooses,
//! and whether all goals together always have the same sum. And, from what gates read: the parts of a
//! game that have nothing to do with each other, and which moves win at once.

mod counter;
mod decisive;
mod frames;
mod goals;
mod latches;
mod lengths;
mod lines;
mod observe;
mod open_goals;
mod parts;
mod sooner;
mod sum;
mod turns;

pub use counter::{FixedCourse, StepCounter, fixed_course, step_counter};
pub use decisive::{DecisiveMoves, decisive};
pub use goals::{GoalStates, goal_states};
pub use latches::{Latch, latches};
pub use lengths::{Lengths, lengths};
pub use lines::{LineAnswer, PlanLines};
pub use observe::{RandomChoices, RandomGames, random_games};
pub use open_goals::{GoalOutlook, OpenGoals};
pub use parts::{IndependentPart, PartGoals, conditions_by_part, independent_parts, part_goals};
pub use sooner::sooner_is_better_from;
pub use sum::{GoalSum, goal_sum};
pub use turns::one_chooses;
