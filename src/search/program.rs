//! What a search plays on: a program that lanes run, or a game that answers questions.

use std::sync::Arc;

use propnet::circuit::Circuit;
use propnet::game::{Game, PlayError};
use propnet::lanes::{Backend, Part, PerWidth, Setup, Word};
use propnet::machine::MachineError;
use propnet::program::{Program, StepOptions};

use super::lanes::LaneSimulator;
use super::plain::PlainSimulator;
use super::settings::{Settings, Strategy};
use super::simulator::Simulator;
use crate::playouts::Codes;

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

/// A program that lanes can run, with what a strategy needs of a step.
#[derive(Clone)]
pub struct LaneProgram {
    pub(super) program: Arc<Program>,
    pub(super) codes: Codes,
    setup: Setup,
}

impl LaneProgram {
    /// The program of a circuit for searches with these settings, its code compiled.
    pub fn new(circuit: &Circuit, setup: Setup, settings: &Settings) -> Result<Self, MachineError> {
        let program = program(circuit, setup, settings);
        let codes = Codes::ready_with(&program, setup.backend(), Part::QUESTIONS)?;
        Ok(LaneProgram { program, codes, setup })
    }

    /// The same, ready sooner: the portable simulator plays until a thread of its own has compiled
    /// the code, and searches change over in the middle of a run. They find the same either way,
    /// but how soon depends on the clock, so this is for searches with a deadline.
    pub fn later(
        circuit: &Circuit,
        setup: Setup,
        settings: &Settings,
    ) -> Result<Self, MachineError> {
        let program = program(circuit, setup, settings);
        let codes = match setup.backend() {
            Backend::Machine(level) => Codes::later_with(&program, level, Part::QUESTIONS)?,
            portable => Codes::ready_with(&program, portable, Part::QUESTIONS)?,
        };
        Ok(LaneProgram { program, codes, setup })
    }

    /// Whether the code is the fastest that there will be.
    pub fn is_settled(&self) -> bool {
        self.codes.is_settled()
    }

    /// What searches with these settings need and a step cannot do. One that can do more serves as
    /// well: while weights are even, moves are as likely as without.
    fn lacks(&self, settings: &Settings) -> Option<String> {
        let own = &self.program.step.options;
        let roles = self.program.names.roles().len();
        let limit = settings.playout_limit;
        match weights(settings) {
            Some(bits) if own.weights != Some(bits) => Some(format!("weights of {bits} bits")),
            _ if records(settings, roles) && !own.record => Some("a record of moves".to_string()),
            _ if limit > own.highest_limit() => Some(format!("room for a limit of {limit} moves")),
            _ => None,
        }
    }
}

fn program(circuit: &Circuit, setup: Setup, settings: &Settings) -> Arc<Program> {
    let options = step_options(settings, circuit.names.roles().len());
    Arc::new(Program::with_options(circuit, setup.mapping(), &options))
}

/// What a step must be able to do.
fn step_options(settings: &Settings, roles: usize) -> StepOptions {
    let limit_bits = (settings.playout_limit + 2).next_power_of_two().trailing_zeros() as usize;
    StepOptions {
        weights: weights(settings),
        forced: true,
        limit_bits,
        record: records(settings, roles),
        ..StepOptions::default()
    }
}

/// The bits of the weights that moves have, if any.
fn weights(settings: &Settings) -> Option<usize> {
    (settings.strategy == Strategy::Mast).then_some(settings.weight_bits)
}

/// Whether moves of playouts are read.
fn records(settings: &Settings, roles: usize) -> bool {
    settings.strategy == Strategy::Mast || settings.one_role && roles == 1
}

impl SearchGame {
    /// Whether searches with these settings can play on it.
    pub(super) fn check(&self, settings: &Settings) -> Result<(), PlayError> {
        let lacking = match self {
            SearchGame::Plain(_) => None,
            SearchGame::Lanes(program) => program.lacks(settings),
        };
        lacking.map_or(Ok(()), |what| Err(PlayError::UnfitProgram { what }))
    }

    /// A simulator of its own.
    pub(super) fn simulator(&self, seed: u64) -> Box<dyn Simulator> {
        match self {
            SearchGame::Plain(make) => Box::new(PlainSimulator::new(make(), seed)),
            SearchGame::Lanes(program) => program.setup.width().dispatch(OnLanes { program, seed }),
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
