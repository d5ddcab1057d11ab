//! The moves made in the last steps, in every lane.
//!
//! A step leaves behind the index of each role's move, bit by bit: a few words for all lanes. They
//! are kept as they are, and read lane by lane only when a playout that wants its moves is over.

use super::word::Word;
use crate::game::Move;
use crate::program::Slot;

/// So many steps may always be kept.
const FEW: usize = 64;

/// What was made in the steps from some step on.
pub(super) struct History<W> {
    /// By role: the bits of a move's index in the work space.
    made: Vec<Vec<Slot>>,
    /// The words of a step.
    width: usize,
    /// Step by step, role by role, bit by bit.
    words: Vec<W>,
    /// The number of the first step that is kept.
    first: u64,
    /// The number of steps at which it is worth looking for what can be forgotten.
    full: usize,
    /// The steps that are kept.
    steps: usize,
}

impl<W: Word> History<W> {
    pub(super) fn new(made: Vec<Vec<Slot>>) -> Self {
        let width = made.iter().map(Vec::len).sum();
        History { made, width, words: Vec::new(), first: 0, full: FEW, steps: 0 }
    }

    /// Adds the step that was just made; the steps before it, as far as kept, are those before.
    pub(super) fn push(&mut self, work: &[W]) {
        self.words.extend(self.made.iter().flatten().map(|slot| work[slot.index()]));
        self.steps += 1;
    }

    /// Whether there is much that might be forgotten.
    pub(super) fn is_full(&self) -> bool {
        self.steps >= self.full
    }

    /// Forgets the steps before this one, which is at most the next one to come.
    pub(super) fn forget_before(&mut self, step: u64) {
        let gone = (step.saturating_sub(self.first) as usize).min(self.steps);
        self.words.drain(..gone * self.width);
        self.steps -= gone;
        self.first = self.first.max(step);
        self.full = FEW.max(2 * self.steps);
    }

    /// The joint moves that a lane made in so many steps from one that is kept on, one after the
    /// other.
    pub(super) fn moves(&self, lane: usize, step: u64, count: u64) -> Vec<Move> {
        let width = self.width;
        let words = &self.words[(step - self.first) as usize * width..][..count as usize * width];
        let mut words = words.iter();
        let mut moves = Vec::with_capacity(count as usize * self.made.len());
        for _ in 0..count {
            for bits in &self.made {
                let own = words.by_ref().take(bits.len()).enumerate();
                let index = own.fold(0, |sum, (bit, word)| sum | (word.has(lane) as u32) << bit);
                moves.push(Move(index));
            }
        }
        moves
    }
}
