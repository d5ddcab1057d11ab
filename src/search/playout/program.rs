//! What a search plays on: a program that lanes run, or a game that answers questions.

use std::sync::Arc;

use propnet::game::{Game, PlayError};
use propnet::lanes::{PerWidth, Word};
use propnet::program::Program;

use super::lanes::{LaneHall, LaneSimulator};
use super::plain::PlainSimulator;
use super::simulator::{SharedLanes, Simulator};
use crate::pipeline::LaneProgram;
use crate::search::scheme::playout_limit;
use crate::search::settings::Settings;

/// Makes a game anew, for each tree that is searched.
pub type GameMaker = Arc<dyn Fn() -> Box<dyn Game + Send> + Send + Sync>;

/// The game of a search.
#[derive(Clone)]
pub enum SearchGame {
    /// On lanes.
    Lanes(LaneProgram),
    /// One playout at a time.
    Plain(GameMaker),
}

/// What searches with these settings need and a step cannot do. A step that can do more is fine
/// too: while all weights are equal, moves are as likely as without weights.
fn lacks(program: &Program, settings: &Settings) -> Option<String> {
    let own = &program.step.options;
    let needs = settings.step_options(program.names.roles().len());
    let limit = playout_limit(&settings.scheme, &settings.values);
    match needs.weights {
        Some(bits) if own.weights != Some(bits) => Some(format!("weights of {bits} bits")),
        _ if needs.decisive != own.decisive || needs.ends_early != own.ends_early => {
            Some("the same decisive moves and latches".to_string())
        }
        _ if needs.record && !own.record => Some("a record of moves".to_string()),
        _ if limit > own.highest_limit() => Some(format!("room for a limit of {limit} moves")),
        _ => None,
    }
}

impl SearchGame {
    /// Whether searches with these settings can play on it.
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), PlayError> {
        let lacking = match self {
            SearchGame::Plain(_) => None,
            SearchGame::Lanes(lanes) => lacks(&lanes.program, settings),
        };
        lacking.map_or(Ok(()), |what| Err(PlayError::UnfitProgram { what }))
    }

    /// A simulator for a search with these settings.
    pub(crate) fn simulator_for(&self, settings: &Settings, seed: u64) -> Box<dyn Simulator> {
        if !settings.scheme.looks_ahead() {
            return self.simulator(seed);
        }
        let game = match self {
            SearchGame::Plain(make) => make(),
            SearchGame::Lanes(program) => program.game(),
        };
        let mix = settings.strategy_mix(game.roles().len());
        Box::new(PlainSimulator::following(game, seed, mix))
    }

    /// A simulator of its own.
    pub(crate) fn simulator(&self, seed: u64) -> Box<dyn Simulator> {
        match self {
            SearchGame::Plain(make) => Box::new(PlainSimulator::new(make(), seed)),
            SearchGame::Lanes(program) => program.setup.width().dispatch(OnLanes { program, seed }),
        }
    }

    /// Lanes that several searches can share, if it is played on lanes.
    pub(crate) fn shared_lanes(&self) -> Option<Box<dyn SharedLanes>> {
        match self {
            SearchGame::Plain(_) => None,
            SearchGame::Lanes(program) => Some(program.setup.width().dispatch(OnShared(program))),
        }
    }
}

/// Makes a simulator on lanes.
struct OnLanes<'p> {
    program: &'p LaneProgram,
    seed: u64,
}

impl PerWidth for OnLanes<'_> {
    type Output = Box<dyn Simulator>;

    fn run<W: Word>(self) -> Box<dyn Simulator> {
        Box::new(LaneSimulator::<W>::new(self.program, self.seed))
    }
}

/// Makes lanes that simulators share.
struct OnShared<'p>(&'p LaneProgram);

impl PerWidth for OnShared<'_> {
    type Output = Box<dyn SharedLanes>;

    fn run<W: Word>(self) -> Box<dyn SharedLanes> {
        Box::new(LaneHall::<W>::new(self.0))
    }
}
