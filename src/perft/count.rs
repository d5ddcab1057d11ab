//! Who counts: a game, or lanes where there are any.

use propnet::game::{Game, State};
use propnet::lanes::{PerWidth, Word};

use super::game::Perft;
use super::lanes::LanesPerft;
use super::level::{Level, PerftError};
use crate::engine::Lanes;

/// A count in progress.
pub trait Counter {
    /// Whether no state is left that has moves.
    fn is_done(&self) -> bool;

    /// Counts the next depth; `None` when every sequence has ended.
    fn next_level(&mut self) -> Result<Option<Level>, PerftError>;
}

/// Starts in a state, which is the level of the depth given: in lanes where there are any, in the
/// game otherwise.
pub fn count<'g>(
    game: &'g mut dyn Game,
    lanes: Option<&Lanes>,
    start: State,
    depth: u64,
) -> Result<(Box<dyn Counter + 'g>, Level), PerftError> {
    match lanes {
        Some(lanes) => lanes.setup.width().dispatch(InLanes { lanes, start: &start, depth }),
        None => {
            let (perft, level) = Perft::new(game, start, depth)?;
            Ok((Box::new(perft), level))
        }
    }
}

struct InLanes<'a> {
    lanes: &'a Lanes,
    start: &'a State,
    depth: u64,
}

impl PerWidth for InLanes<'_> {
    type Output = Result<(Box<dyn Counter>, Level), PerftError>;

    fn run<W: Word>(self) -> Self::Output {
        let Lanes { program, code, .. } = self.lanes;
        let (perft, level) = LanesPerft::<W>::new(program, code, self.start, self.depth)?;
        Ok((Box::new(perft), level))
    }
}
