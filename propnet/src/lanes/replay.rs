//! Recorded playouts, replayed side by side: all that was true in each of their states.
//!
//! Policies that learn from states (PAST: which fluents were true when a move was made; FAST: the
//! features of each state) read them here, as words or packed, for as many playouts as there are
//! lanes in the time of one.

use std::sync::Arc;

use super::batch::Batch;
use super::code::Code;
use super::word::Word;
use crate::game::{ForeignError, Move, State};
use crate::program::{FluentPlace, Program};

/// A playout that was recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedPlayout<'r> {
    /// Where it started.
    pub state: &'r State,
    /// The joint moves made, one after the other, each a move of every role in order: as
    /// [`Outcome::moves`](super::Outcome::moves) has them. Legal ones; what comes of others means nothing.
    pub moves: &'r [Move],
}

/// Lanes that replay playouts.
pub struct Replay<W> {
    batch: Batch<W>,
}

/// The same step of many playouts.
pub struct ReplayedStep<'s, W> {
    /// The number of the playout in lane 0; those after it are in the lanes after that.
    pub first: usize,
    /// The number of joint moves made before.
    pub step: usize,
    /// Lanes whose playouts had as many states.
    pub lanes: W,
    /// Those of them that made another joint move, in this state.
    pub moving: W,
    batch: &'s Batch<W>,
}

impl<W: Word> Replay<W> {
    /// Lanes for playouts of this program, with its code.
    pub fn new(program: &Arc<Program>, code: &Arc<Code>) -> Self {
        Replay { batch: Batch::new(program, code) }
    }

    /// Replays playouts, as many at a time as there are lanes, and shows each of their states, the
    /// first and the last one included: for each step, all lanes at once. Where a state or move is of another
    /// engine, nothing is replayed.
    pub fn run(
        &mut self,
        playouts: &[RecordedPlayout<'_>],
        mut show: impl FnMut(&ReplayedStep<'_, W>),
    ) -> Result<(), ForeignError> {
        let table = self.batch.program.names.table();
        playouts.iter().try_for_each(|playout| {
            table.check_state(playout.state)?;
            table.check_moves(playout.moves)
        })?;
        for (at, together) in playouts.chunks(W::LANES).enumerate() {
            self.run_together(at * W::LANES, together, &mut show)?;
        }
        Ok(())
    }

    fn run_together<'p>(
        &mut self,
        first: usize,
        playouts: &[RecordedPlayout<'p>],
        show: &mut impl FnMut(&ReplayedStep<'_, W>),
    ) -> Result<(), ForeignError> {
        let roles = self.batch.program.names.roles().len().max(1);
        let lanes_after = |steps: usize| {
            let mut lanes = W::ZERO;
            let long =
                playouts.iter().enumerate().filter(|(_, own)| own.moves.len() / roles >= steps);
            long.for_each(|(lane, _)| lanes.insert(lane));
            lanes
        };
        self.batch.load(playouts.iter().map(|playout| playout.state))?;
        let mut lanes = lanes_after(0);
        for step in 0.. {
            let moving = lanes_after(step + 1);
            show(&ReplayedStep { first, step, lanes, moving, batch: &self.batch });
            if moving.is_zero() {
                break;
            }
            // None where the playout has ended.
            let joint = |own: &RecordedPlayout<'p>| own.moves.chunks_exact(roles).nth(step);
            self.batch.make(playouts.iter().map(|own| joint(own).unwrap_or(&[])))?;
            self.batch.advance();
            self.batch.go_on();
            lanes = moving;
        }
        Ok(())
    }
}

impl<W: Word> ReplayedStep<'_, W> {
    /// The lanes in which a fluent is true; none for a number that no fluent has.
    pub fn fluent(&self, fluent: usize) -> W {
        let truth = match self.batch.program.fluents.get(fluent) {
            Some(&FluentPlace::Word(word)) => self.batch.before[word],
            Some(&FluentPlace::Follows(word, complement)) => {
                self.batch.before[word] ^ W::splat(complement)
            }
            Some(&FluentPlace::Constant(truth)) => W::splat(truth),
            None => W::ZERO,
        };
        truth & self.lanes
    }

    /// Adds the states in the first `count` lanes, packed: see [`Program::pack`]. Those of lanes whose
    /// playout has ended mean nothing.
    pub fn packed(&self, count: usize, states: &mut Vec<u64>) {
        self.batch.packed(count, states);
    }
}
