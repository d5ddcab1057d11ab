//! A legal move at random, without a search.

use std::cmp::Ordering;

use super::{Decision, Field, MakeDecision};
use crate::search::scheme::Part;
use crate::search::tree::MoveStats;

/// The part with this name.
pub(crate) const PART: Part<MakeDecision> = Part {
    name: "random",
    help: "a legal move at random, without a search",
    paper: "",
    parameters: &[],
    make: |_| Box::new(Random),
};

struct Random;

impl Decision for Random {
    fn compare(&self, _: &MoveStats, _: &MoveStats, _: &Field) -> Ordering {
        Ordering::Equal
    }

    fn needs_search(&self) -> bool {
        false
    }
}
