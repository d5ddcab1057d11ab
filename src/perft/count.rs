//! The ways to count: with a game, with lanes, or with a game until lanes are ready.

use propnet::game::{Game, State};
use propnet::lanes::{PerWidth, Word};

use super::game::Perft;
use super::lanes::LanesPerft;
use super::later::LanesLater;
use super::level::{Level, PerftError};
use super::soonest::SoonestPerft;
use crate::pipeline::LaneProgram;

/// A count in progress.
pub trait Counter {
    /// Whether no state is left that has moves.
    fn is_done(&self) -> bool;

    /// Stops with an error if a depth has more distinct states than this.
    fn limit_states(&mut self, most: u64);

    /// Counts the next depth; `None` when every sequence has ended.
    fn next_level(&mut self) -> Result<Option<Level>, PerftError>;
}

/// The engine that counts.
pub enum Means<'l> {
    /// A game, one state at a time.
    Game,
    /// Lanes of the same game, whose states have the same numbers.
    Lanes(&'l LaneProgram),
    /// A game until lanes are ready.
    Later(&'l mut LanesLater),
}

impl<'l> From<Option<&'l LaneProgram>> for Means<'l> {
    fn from(lanes: Option<&'l LaneProgram>) -> Self {
        lanes.map_or(Means::Game, Means::Lanes)
    }
}

impl Means<'_> {
    /// The same for a part of the work.
    pub(super) fn lend(&mut self) -> Means<'_> {
        match self {
            Means::Game => Means::Game,
            Means::Lanes(lanes) => Means::Lanes(lanes),
            Means::Later(later) => Means::Later(later),
        }
    }
}

/// Starts in a state, which is the level of the depth given.
pub fn count<'g>(
    game: &'g mut dyn Game,
    means: impl Into<Means<'g>>,
    start: State,
    depth: u64,
) -> Result<(Box<dyn Counter + 'g>, Level), PerftError> {
    match means.into() {
        Means::Lanes(lanes) => {
            let (counter, level) = in_lanes(lanes, &start, depth)?;
            Ok((counter, level))
        }
        Means::Game => {
            let (perft, level) = Perft::new(game, start, depth)?;
            Ok((Box::new(perft), level))
        }
        Means::Later(later) => {
            let (perft, level) = SoonestPerft::new(game, later, start, depth)?;
            Ok((Box::new(perft), level))
        }
    }
}

/// The same in lanes.
pub(super) fn in_lanes(
    lanes: &LaneProgram,
    start: &State,
    depth: u64,
) -> Result<(Box<dyn Counter>, Level), PerftError> {
    lanes.setup.width().dispatch(InLanes { lanes, start, depth })
}

struct InLanes<'a> {
    lanes: &'a LaneProgram,
    start: &'a State,
    depth: u64,
}

impl PerWidth for InLanes<'_> {
    type Output = Result<(Box<dyn Counter>, Level), PerftError>;

    fn run<W: Word>(self) -> Self::Output {
        let LaneProgram { program, codes, .. } = self.lanes;
        let (perft, level) = LanesPerft::<W>::new(program, codes.best(), self.start, self.depth)?;
        Ok((Box::new(perft), level))
    }
}
