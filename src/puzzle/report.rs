//! What a search of a puzzle found.

use std::time::Duration;

use serde::Serialize;

/// The best line, and what is proven.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleReport {
    /// The score of the best line; `None` if no line was found that ends the game with a score.
    pub score: Option<i32>,
    /// The best line.
    pub moves: Vec<String>,
    /// Whether no line scores more.
    pub is_proven: bool,
    /// No line scores more than this.
    pub bound: i32,
    /// The method that found the line.
    pub found_by: Option<&'static str>,
    /// What proved that there is none better.
    pub proven_by: Option<&'static str>,
    /// How long it took to find the line.
    pub found_after: Option<Duration>,
    /// How long the whole search took.
    pub time: Duration,
    /// The bits of a state.
    pub state_bits: usize,
    /// No line has more moves than this, if that is known.
    pub horizon: Option<usize>,
    /// What each method has done.
    pub methods: Vec<MethodFigures>,
}

/// What a method has done.
#[derive(Clone, Debug, Serialize)]
pub struct MethodFigures {
    /// Its name.
    pub name: &'static str,
    /// Its work, in units of about a nanosecond.
    pub work: u64,
}
