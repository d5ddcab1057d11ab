//! The registry of engines: the one place that knows which kinds of game there are.

use std::fmt;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use propnet::circuit::CircuitGame;
use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::ground::GroundGame;
use propnet::lanes::Setup;
use propnet::reference::Reasoner;

use super::control::Control;
use super::error::PipelineError;
use super::lanes::LaneProgram;
use super::options::PipelineOptions;
use super::stages::Stages;

/// A way to answer the questions of [`Game`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The slow, obvious reasoner: the judge of all others.
    #[default]
    Reference,
    /// Ground rules, evaluated plainly: the judge of the stages after grounding.
    Ground,
    /// The circuit, one state at a time: the judge of the stages after it.
    Circuit,
    /// Lanes, one state at a time in plain numbers: the judge of wider ones.
    Scalar,
    /// Lanes as wide as the options say.
    Lanes,
}

impl Engine {
    /// All engines, the most trusted first.
    pub const ALL: &[Engine] =
        &[Engine::Reference, Engine::Ground, Engine::Circuit, Engine::Scalar, Engine::Lanes];

    /// Makes a game from rules that `propnet::reference::load` gave. The reference reasoner can
    /// always be made; the others ground the rules, which may be too many.
    pub fn start(
        self,
        rules: &Rules,
        options: &PipelineOptions,
    ) -> Result<Box<dyn Game>, PipelineError> {
        Stages::new(rules.clone()).start(self, options)
    }

    /// Whether the passes of [`PipelineOptions`] make a difference to it.
    pub fn has_passes(self) -> bool {
        matches!(self, Engine::Circuit | Engine::Scalar | Engine::Lanes)
    }

    /// The width and the back end of its lanes, if it has any.
    pub fn lanes(self, options: &PipelineOptions) -> Option<Setup> {
        match self {
            Engine::Reference | Engine::Ground | Engine::Circuit => None,
            Engine::Scalar => Some(Setup::SCALAR),
            Engine::Lanes => Some(options.lanes),
        }
    }

    /// What the engine is called on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Reference => "reference",
            Engine::Ground => "ground",
            Engine::Circuit => "circuit",
            Engine::Scalar => "scalar",
            Engine::Lanes => "lanes",
        }
    }
}

/// A game that was made.
pub struct Made {
    /// The game.
    pub game: Box<dyn Game>,
    /// What it runs on, where that is lanes: for questions about many states.
    pub lanes: Option<LaneProgram>,
}

impl Stages {
    /// Makes a game; see [`Engine::start`].
    pub fn start(
        &self,
        engine: Engine,
        options: &PipelineOptions,
    ) -> Result<Box<dyn Game>, PipelineError> {
        Ok(self.make(engine, options)?.game)
    }

    /// Makes a game, together with the lanes that it runs on.
    pub fn make(&self, engine: Engine, options: &PipelineOptions) -> Result<Made, PipelineError> {
        let control = Control::default();
        let game: Box<dyn Game> = match engine {
            Engine::Reference => Box::new(Reasoner::new(self.rules())),
            Engine::Ground => {
                Box::new(GroundGame::new(self.ground_rules(&options.bounds, control)?))
            }
            Engine::Circuit => {
                Box::new(CircuitGame::new(self.circuit(options, control)?.as_ref().clone()))
            }
            Engine::Scalar | Engine::Lanes => {
                let setup = engine.lanes(options).unwrap_or_default();
                let circuit = self.circuit(options, control)?;
                let lanes = LaneProgram::for_questions(&circuit, setup)?;
                return Ok(Made { game: lanes.game(), lanes: Some(lanes) });
            }
        };
        Ok(Made { game, lanes: None })
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ValueEnum for Engine {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}
