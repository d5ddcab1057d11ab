//! What a search plays on: a program that lanes run, or a game that answers questions.

use std::sync::Arc;

use propnet::circuit::Circuit;
use propnet::game::{Game, PlayError};
use propnet::lanes::{Backend, LanesGame, Part, PerWidth, Setup, Word};
use propnet::machine::MachineError;
use propnet::program::{Program, StepOptions};

use super::lanes::LaneSimulator;
use super::plain::PlainSimulator;
use super::simulator::Simulator;
use crate::playouts::Codes;
use crate::search::scheme::{playout_limit, step_needs};
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

/// A program that lanes can run, with what a strategy needs of a step.
#[derive(Clone)]
pub struct LaneProgram {
    pub(crate) program: Arc<Program>,
    pub(crate) codes: Codes,
    setup: Setup,
}

impl LaneProgram {
    /// The program of a circuit for searches with these settings, its code compiled.
    pub fn new(circuit: &Circuit, setup: Setup, settings: &Settings) -> Result<Self, MachineError> {
        Self::ready(program(circuit, setup, settings), setup)
    }

    /// The same, ready at once or later, with someone who may stop the work: none when `proceed` says
    /// no.
    pub fn new_while(
        circuit: &Circuit,
        setup: Setup,
        settings: &Settings,
        is_later: bool,
        proceed: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, MachineError> {
        let options = needs(circuit, settings);
        let program = Program::with_options_while(circuit, setup.mapping(), &options, proceed);
        let Some(program) = program.map(Arc::new) else { return Ok(None) };
        let program =
            if is_later { Self::soon(program, setup) } else { Self::ready(program, setup) };
        program.map(Some)
    }

    fn ready(program: Arc<Program>, setup: Setup) -> Result<Self, MachineError> {
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
        Self::soon(program(circuit, setup, settings), setup)
    }

    fn soon(program: Arc<Program>, setup: Setup) -> Result<Self, MachineError> {
        let codes = match setup.backend() {
            Backend::Machine(level) => Codes::later_with(&program, level, Part::QUESTIONS)?,
            portable => Codes::ready_with(&program, portable, Part::QUESTIONS)?,
        };
        Ok(LaneProgram { program, codes, setup })
    }

    /// The game, for questions about single states.
    pub fn game(&self) -> Box<dyn Game + Send> {
        self.setup.width().dispatch(ForQuestions { program: self })
    }

    /// Whether the code is the fastest that there will be.
    pub fn is_settled(&self) -> bool {
        self.codes.is_settled()
    }

    /// What searches with these settings need and a step cannot do. One that can do more serves as
    /// well: while weights are even, moves are as likely as without.
    fn lacks(&self, settings: &Settings) -> Option<String> {
        let own = &self.program.step.options;
        let needs =
            step_needs(&settings.scheme, &settings.values, self.program.names.roles().len());
        let limit = playout_limit(&settings.scheme, &settings.values);
        match needs.weights {
            Some(bits) if own.weights != Some(bits) => Some(format!("weights of {bits} bits")),
            _ if needs.record && !own.record => Some("a record of moves".to_string()),
            _ if limit > own.highest_limit() => Some(format!("room for a limit of {limit} moves")),
            _ => None,
        }
    }
}

fn program(circuit: &Circuit, setup: Setup, settings: &Settings) -> Arc<Program> {
    Arc::new(Program::with_options(circuit, setup.mapping(), &needs(circuit, settings)))
}

/// What a step must be able to do for searches with these settings.
fn needs(circuit: &Circuit, settings: &Settings) -> StepOptions {
    step_needs(&settings.scheme, &settings.values, circuit.names.roles().len())
}

impl SearchGame {
    /// Whether searches with these settings can play on it.
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), PlayError> {
        let lacking = match self {
            SearchGame::Plain(_) => None,
            SearchGame::Lanes(program) => program.lacks(settings),
        };
        lacking.map_or(Ok(()), |what| Err(PlayError::UnfitProgram { what }))
    }

    /// A simulator of its own.
    pub(crate) fn simulator(&self, seed: u64) -> Box<dyn Simulator> {
        match self {
            SearchGame::Plain(make) => Box::new(PlainSimulator::new(make(), seed)),
            SearchGame::Lanes(program) => program.setup.width().dispatch(OnLanes { program, seed }),
        }
    }
}

/// Makes a game on lanes.
struct ForQuestions<'p> {
    program: &'p LaneProgram,
}

impl PerWidth for ForQuestions<'_> {
    type Output = Box<dyn Game + Send>;

    fn run<W: Word>(self) -> Box<dyn Game + Send> {
        let LaneProgram { program, codes, .. } = self.program;
        Box::new(LanesGame::<W>::new(program.clone(), codes.best()))
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
