//! What is true in all states that can be reached: claims that random play suggests, proven by
//! induction over a step of play.

mod claims;
mod encode;
mod induct;
mod knowledge;
mod never;
mod propose;
mod stage;

pub(super) use claims::Same;
pub(super) use knowledge::{find_groups, find_never, find_same};
