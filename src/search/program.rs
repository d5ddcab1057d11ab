//! What a search plays on: a program that lanes run, or a game that answers questions.

use std::sync::Arc;

use propnet::circuit::Circuit;
use propnet::game::Game;
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
}

fn program(circuit: &Circuit, setup: Setup, settings: &Settings) -> Arc<Program> {
    let options = step_options(settings, circuit.names.roles().len());
    Arc::new(Program::with_options(circuit, setup.mapping(), &options))
}

/// What a step must be able to do.
fn step_options(settings: &Settings, roles: usize) -> StepOptions {
    let is_mast = settings.strategy == Strategy::Mast;
    let limit_bits = (settings.playout_limit + 2).next_power_of_two().trailing_zeros() as usize;
    StepOptions {
        weights: is_mast.then_some(settings.weight_bits),
        forced: true,
        limit_bits,
        record: is_mast || settings.one_role && roles == 1,
        ..StepOptions::default()
    }
}

impl SearchGame {
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
