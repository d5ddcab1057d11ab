//! How a caller follows a solver and stops it.

use super::node::ValueBounds;

/// What a solver has done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveProgress {
    /// The method.
    pub method: &'static str,
    /// What the figure below counts: states, levels of states.
    pub stage: &'static str,
    /// States that were found or searched.
    pub states: u64,
    /// The depth that is searched, if there is one.
    pub depth: Option<u32>,
    /// What is known about the first role so far.
    pub bounds: Option<ValueBounds>,
}

/// Told how far a solver is, about once a thousand states; says whether it may go on.
pub type SolveWatch<'w> = dyn FnMut(&SolveProgress) -> bool + 'w;
