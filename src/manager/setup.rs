//! What a match is: plain data.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use propnet::circuit::Circuit;

use super::human::Console;
use super::player::Player;
use crate::engine::EngineOptions;

/// The time that players have.
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
    /// What it is called. Players get it as one word.
    pub match_id: String,
    /// The name of the game.
    pub game: String,
    /// The rules as players get them: readable by anybody, and starting in the state in which the
    /// match starts.
    pub sheet: String,
    /// The roles in their order, in the letter case of the sheet.
    pub roles: Vec<String>,
    /// Who plays them.
    pub players: Vec<Player>,
    /// The time for all but people, and strategies with a budget.
    pub clocks: Clocks,
    /// Simulations that a strategy spends on a move, instead of its time.
    pub simulations: Option<u64>,
    /// What all chance comes from.
    pub seed: u64,
    /// The joint moves after which the match is given up.
    pub max_steps: u64,
    /// How strategies make what they play on.
    pub engine: EngineOptions,
    /// The circuit of the sheet, where somebody has made it.
    pub circuit: Option<Arc<Circuit>>,
    /// Where people are asked.
    pub console: Console,
    /// Set by somebody who wants the match to end now.
    pub interrupt: Arc<AtomicBool>,
}
