//! What a solver has proven.

use std::time::Duration;

use serde::Serialize;

use super::node::ValueBounds;
use crate::matrix::POINT;

/// The value of a position, as far as it is known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solution {
    /// The method that was used.
    pub variant: &'static str,
    /// Whether the value of every role is known.
    pub is_solved: bool,
    /// Whether nothing more can be proven: all bounds are as close as they get.
    pub is_complete: bool,
    /// The sum of all goals, if it is the same at every end.
    pub sum: Option<SumOfGoals>,
    /// By role: what is proven, and how to play for it.
    pub roles: Vec<RoleValue>,
    /// States that were found, or searched.
    pub states: u64,
    /// Whether a state can be reached again from itself; `None` if that is not known.
    pub is_cyclic: Option<bool>,
    /// Matrix games that were solved, in which both sides had a choice.
    pub matrices: u64,
    /// The depth that was searched, where depth limits the search.
    pub depth: Option<u32>,
    /// How long it took.
    pub time: Duration,
}

/// The sum of all goals at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SumOfGoals {
    /// The sum.
    pub value: i64,
    /// How that is known.
    pub known_by: SumProof,
}

/// How it is known that all goals have the same sum at every end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SumProof {
    /// Proven of all states from the circuit.
    Circuit,
    /// All states were looked at.
    States,
    /// No end that was met had another; others might.
    Observed,
}

/// What is proven for a role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleValue {
    /// The role.
    pub role: String,
    /// It can enforce at least this much, in expectation.
    pub lower: f64,
    /// If the sum of all goals of two roles is constant, the other can keep it to this; otherwise the
    /// most that it could get.
    pub upper: f64,
    /// Whether both are the same value.
    pub is_solved: bool,
    /// A strategy that secures the lower bound: moves with their probabilities. Empty if the game is
    /// over.
    pub strategy: Vec<MoveShare>,
}

/// A move of a strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveShare {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Its probability.
    pub probability: f64,
}

impl RoleValue {
    pub(super) fn new(role: &str, bounds: ValueBounds, strategy: Vec<MoveShare>) -> Self {
        let points = |units: i64| units as f64 / POINT as f64;
        // Bounds that differ by rounding alone are shown as the value between them.
        let (lower, upper) = match bounds.is_closed() {
            true => (bounds.lower + (bounds.upper - bounds.lower) / 2, None),
            false => (bounds.lower, Some(bounds.upper)),
        };
        RoleValue {
            role: role.to_string(),
            lower: points(lower),
            upper: points(upper.unwrap_or(lower)),
            is_solved: bounds.is_closed(),
            strategy,
        }
    }
}
