//! The registry of engines: the one place that knows which kinds of game there are.

use std::fmt;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::reference::Reasoner;

/// A way to answer the questions of [`Game`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The slow, obvious reasoner: the judge of all others.
    #[default]
    Reference,
}

impl Engine {
    /// All engines, the most trusted first.
    pub const ALL: &[Engine] = &[Engine::Reference];

    /// Makes a game from rules that `propnet::reference::load` gave.
    pub fn start(self, rules: &Rules) -> Box<dyn Game> {
        match self {
            Engine::Reference => Box::new(Reasoner::new(rules)),
        }
    }

    /// What the engine is called on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Reference => "reference",
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
