//! Arguments that several commands share, and what they become.

use anyhow::Result;
use ludens::engine::Engine;
use ludens::run::{Player, Setup};
use propnet::game::Game;
use propnet::gdl::Rules;

use super::input;

/// A sheet, the engine that plays it, and where to start.
#[derive(clap::Args)]
pub(crate) struct StartArgs {
    /// The rules of the game; `-` for standard input
    sheet: String,
    /// The engine that answers
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Joint moves to make first: a file, or the moves themselves
    ///
    /// Each joint move is a list with one move for each role in the order of the roles; `*` stands
    /// for a move chosen at random. Example: --moves '((mark 1 1) noop) (noop *)'
    #[arg(long, value_name = "FILE|TEXT", verbatim_doc_comment)]
    moves: Option<String>,
    /// A file with the state to start from instead of the initial one
    ///
    /// The file has the true sentences, on lines of their own, in one list, or as a JSON array of
    /// strings; `(true ...)` around them is accepted.
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    state: Option<String>,
}

/// A game ready to be played.
pub(crate) struct Start {
    pub(crate) name: String,
    pub(crate) rules: Rules,
    pub(crate) setup: Setup,
    engine: Engine,
}

impl StartArgs {
    /// Reads everything that is named.
    pub(crate) fn prepare(&self, seed: u64, players: Vec<Player>) -> Result<Start> {
        let rules = input::load_sheet(&self.sheet)?;
        let script = self.moves.as_deref().map(input::scripted_moves).transpose()?;
        let state = self.state.as_deref().map(input::given_state).transpose()?;
        let setup = Setup { state, script: script.unwrap_or_default(), players, seed };
        Ok(Start { name: input::game_name(&rules.source), rules, setup, engine: self.engine })
    }
}

impl Start {
    /// Makes the game.
    pub(crate) fn game(&self) -> Box<dyn Game> {
        self.engine.start(&self.rules)
    }
}
