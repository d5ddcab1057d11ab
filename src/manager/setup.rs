//! What a match is: plain data.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::human::Console;
use super::player::Player;
use crate::pipeline::{PipelineOptions, Stages};

/// The clocks of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Before the first move.
    pub start: Duration,
    /// For each move.
    pub play: Duration,
}

/// A match to be played.
#[derive(Clone)]
pub struct MatchSetup {
    /// The identifier of the match. Players get it as one word.
    pub match_id: String,
    /// The name of the game.
    pub game: String,
    /// The rules as players get them. Their initial state is the one in which the match starts.
    pub sheet: String,
    /// The roles in their order, in the letter case of the sheet.
    pub roles: Vec<String>,
    /// Who plays them.
    pub players: Vec<Player>,
    /// The time for all but people, and strategies with a budget.
    pub clocks: Clocks,
    /// Simulations that a strategy spends on a move, instead of its time.
    pub simulations: Option<u64>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The match ends after this many joint moves.
    pub max_steps: u64,
    /// How strategies compile the game.
    pub pipeline: PipelineOptions,
    /// The parsed rules of the sheet, if the caller has them; otherwise strategies parse the sheet.
    /// The strategies of all matches with the same stages share the circuit and the program.
    pub stages: Option<Arc<Stages>>,
    /// Input and output of people.
    pub console: Console,
    /// Set by the caller to end the match now.
    pub interrupt: Arc<AtomicBool>,
}
