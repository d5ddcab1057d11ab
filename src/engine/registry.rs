//! The registry of engines: the one place that knows which kinds of game there are.

use std::fmt;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::lanes::Setup;

use super::options::EngineOptions;
use super::stages::Stages;
use crate::ground::Ungrounded;

/// A way to answer the questions of [`Game`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The slow, obvious reasoner: the judge of all others.
    #[default]
    Reference,
    /// Ground rules, evaluated plainly: the judge of the stages behind grounding.
    Ground,
    /// The circuit, one state at a time: the judge of the stages behind it.
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
        options: &EngineOptions,
    ) -> Result<Box<dyn Game>, Ungrounded> {
        Stages::new(rules).start(self, options)
    }

    /// Whether the passes of [`EngineOptions`] make a difference to it.
    pub fn has_passes(self) -> bool {
        matches!(self, Engine::Circuit | Engine::Scalar | Engine::Lanes)
    }

    /// The width and the back end of its lanes, if it has any.
    pub fn lanes(self, options: &EngineOptions) -> Option<Setup> {
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
