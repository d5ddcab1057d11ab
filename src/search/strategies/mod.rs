//! Simulation strategies: how a role chooses the moves of one playout, by the states that they lead
//! to. One file for each.
//!
//! ```text
//! mix          which strategy a playout follows       look      a state, its moves, what follows
//! exploration  states unlike the last ones            age       the highest goal nearly reached
//! mobility     many legal moves                       history   moves that did well on average
//! score        a score that the state keeps           ssc       symbols that go with high scores
//! symbols      what fluents are made of
//! ```
//!
//! Świechowski, Mańdziuk and Ong 2016, section IV-C. All successors of a state are looked at, so
//! playouts are made one after the other; on lanes, all moves of a state in one pass.

mod age;
mod exploration;
mod history;
mod look;
mod mix;
mod mobility;
mod score;
mod ssc;
mod symbols;

use propnet::game::{Move, PlayError, State};

use super::scheme::{Parameter, Part, Values};

pub(crate) use look::Look;
pub(crate) use mix::{CHOICE_BY, StrategyMix, StrategyPlan};

/// All strategies.
pub(crate) const STRATEGIES: &[&Part<MakeStrategies>] =
    &[&exploration::PART, &age::PART, &ssc::PART, &mobility::PART, &history::PART, &score::PART];

/// Makes the variants of a strategy from the values of its parameters.
pub(crate) type MakeStrategies = fn(&Values) -> Vec<Box<dyn SimulationStrategy>>;

/// How a role chooses its moves in a playout.
pub(crate) trait SimulationStrategy: Send {
    /// How likely a move follows it, instead of being random.
    fn share(&self) -> f64;

    /// What each legal move is worth, the highest being chosen; none where nothing is known.
    fn values(&mut self, look: &mut Look<'_>) -> Result<Option<Vec<f64>>, PlayError>;

    /// Learns from a playout that has ended, whoever chose its moves.
    fn learn(&mut self, _: &EndedPlayout<'_>) {}
}

/// A playout that has ended.
pub(crate) struct EndedPlayout<'p> {
    /// The moves, joint move by joint move.
    pub(crate) moves: &'p [Move],
    /// The last state.
    pub(crate) state: &'p State,
    /// The goals at the end, by role.
    pub(crate) goals: &'p [f64],
}

/// The share of moves that follow a strategy.
const fn share(name: &'static str, default: f64) -> Parameter {
    Parameter::number(
        name,
        "the share of moves that follow the strategy; the others are random",
        default,
        0.0,
        1.0,
    )
}
