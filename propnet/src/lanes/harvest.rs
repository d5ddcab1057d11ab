//! The goals of playouts that ended.
//!
//! Goals are asked for once in a playout, so computing them in every step would be a waste. What
//! they depend on is put aside for lanes that ended, and the goals of all lanes are computed at
//! once, when a lane ends whose last end was not counted yet.

use super::word::Word;
use crate::program::{Program, Space};

/// Ended lanes whose goals are not counted yet.
pub(super) struct Harvest<W> {
    /// The words of the state that goals depend on.
    reads: Vec<usize>,
    /// The state at the end, in the lanes that wait; false elsewhere.
    pub(super) state: Vec<W>,
    /// The lanes that wait.
    pub(super) waiting: W,
    /// The work space of the goals.
    pub(super) work: Vec<W>,
}

impl<W: Word> Harvest<W> {
    pub(super) fn new(program: &Program) -> Self {
        let questions = &program.questions;
        let ops = questions.score.blocks.iter().flat_map(|block| &block.ops);
        let slots = ops.flat_map(|op| op.inputs).filter(|slot| slot.space() == Space::Before);
        let mut reads: Vec<usize> = slots.map(|slot| slot.index()).collect();
        reads.sort_unstable();
        reads.dedup();
        Harvest {
            reads,
            state: vec![W::ZERO; questions.state_words],
            waiting: W::ZERO,
            work: vec![W::ZERO; questions.work_words],
        }
    }

    /// Whether the lanes that wait must be counted before these are put aside.
    pub(super) fn is_due(&self, ended: W) -> bool {
        !(self.waiting & ended).is_zero()
    }

    /// Puts lanes aside that ended in this state.
    pub(super) fn put_aside(&mut self, ended: W, state: &[W]) {
        for &at in &self.reads {
            self.state[at] = self.state[at] | state[at] & ended;
        }
        self.waiting = self.waiting | ended;
    }

    /// Forgets the lanes that wait.
    pub(super) fn clear(&mut self) {
        for &at in &self.reads {
            self.state[at] = W::ZERO;
        }
        self.waiting = W::ZERO;
    }
}
