//! The portable simulator: operations one after the other, on words of any width.
//!
//! It runs everywhere, needs no preparation, and is the judge of compiled code.

use super::word::Word;
use crate::program::{Block, Op, Routine, Slot, Space, table};

/// Runs a routine.
pub fn run<W: Word>(routine: &Routine, before: &[W], after: &mut [W], work: &mut [W]) {
    let mut memory = Memory { before, after, work };
    for block in &routine.blocks {
        if block.feedback.is_empty() {
            memory.sweep(&block.ops);
        } else {
            memory.repeat(block);
        }
    }
}

struct Memory<'a, W> {
    before: &'a [W],
    after: &'a mut [W],
    work: &'a mut [W],
}

impl<W: Word> Memory<'_, W> {
    fn get(&self, slot: Slot) -> W {
        match slot.space() {
            Space::Before => self.before[slot.index()],
            Space::After => self.after[slot.index()],
            Space::Work => self.work[slot.index()],
        }
    }

    fn set(&mut self, slot: Slot, word: W) {
        match slot.space() {
            Space::Before => unreachable!("a step does not change the state that it reads"),
            Space::After => self.after[slot.index()] = word,
            Space::Work => self.work[slot.index()] = word,
        }
    }

    fn sweep(&mut self, ops: &[Op]) {
        for op in ops {
            let [a, b, c] = op.inputs;
            let word = match op.table {
                table::AND => self.get(a) & self.get(b),
                table::AND_NOT => !self.get(a) & self.get(b),
                table::OR => self.get(a) | self.get(b),
                table::XOR => self.get(a) ^ self.get(b),
                table::NOT => !self.get(a),
                table::COPY => self.get(a),
                any => look_up(any, self.get(a), self.get(b), self.get(c)),
            };
            self.set(op.target, word);
        }
    }

    /// Sweeps from all-false until nothing changes.
    fn repeat(&mut self, block: &Block) {
        for member in &block.feedback {
            self.set(member.word, W::ZERO);
        }
        loop {
            self.sweep(&block.ops);
            let mut changed = W::ZERO;
            for member in &block.feedback {
                let value = self.get(member.value);
                changed = changed | (value ^ self.get(member.word));
                self.set(member.word, value);
            }
            if changed.is_zero() {
                return;
            }
        }
    }
}

/// Any table, as an OR over the rows that are true.
fn look_up<W: Word>(table: u8, a: W, b: W, c: W) -> W {
    let side = |word: W, truth: bool| if truth { word } else { !word };
    let rows = (0..8u8).filter(|row| table >> row & 1 == 1);
    rows.fold(W::ZERO, |result, row| {
        result | side(a, row & 4 != 0) & side(b, row & 2 != 0) & side(c, row & 1 != 0)
    })
}
