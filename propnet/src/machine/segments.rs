//! A routine cut into stretches of straight-line code, and what each leaves in memory.
//!
//! Values stay in registers within a segment only, so a segment is as long as can be: neighbouring
//! blocks that run once are one. A repeated block is a segment of its own.

use super::error::MachineError;
use crate::program::{Block, Feedback, Op, Routine, Slot, Space};

/// Words that can be reached with a displacement of 32 bits, with room for spilled values.
const MAX_WORDS: usize = 1 << 22;

/// How many words of each space a routine touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SpaceSizes {
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) work: usize,
}

/// Straight-line code, done once or repeated.
pub(super) struct Segment<'r> {
    blocks: &'r [Block],
    /// Of each operation: whether its target is read in memory after the segment.
    pub(super) stores: Vec<bool>,
    /// Words that are read as they were before the segment, but written in it as well; sorted.
    pub(super) rewritten: Vec<Slot>,
}

impl<'r> Segment<'r> {
    pub(super) fn ops(&self) -> impl Iterator<Item = &'r Op> + use<'r> {
        self.blocks.iter().flat_map(|block| &block.ops)
    }

    /// What is fed back where the segment is repeated; nothing otherwise.
    pub(super) fn feedback(&self) -> &'r [Feedback] {
        self.blocks.first().map_or(&[], |block| &block.feedback)
    }
}

impl SpaceSizes {
    /// The words that a routine touches.
    pub(super) fn of(routine: &Routine) -> Result<Self, MachineError> {
        let mut sizes = SpaceSizes::default();
        for block in &routine.blocks {
            for op in &block.ops {
                op.inputs.iter().for_each(|&slot| sizes.include(slot));
                sizes.include(op.target);
            }
            for feedback in &block.feedback {
                sizes.include(feedback.word);
                sizes.include(feedback.value);
            }
        }
        routine.keeps.iter().for_each(|&slot| sizes.include(slot));
        sizes.check()
    }

    /// The sizes, unless they are more than an instruction can reach.
    pub(super) fn check(self) -> Result<Self, MachineError> {
        let words = self.before.max(self.after).max(self.work);
        if words > MAX_WORDS {
            return Err(MachineError::Words { words, limit: MAX_WORDS });
        }
        Ok(self)
    }

    fn include(&mut self, slot: Slot) {
        let size = match slot.space() {
            Space::Before => &mut self.before,
            Space::After => &mut self.after,
            Space::Work => &mut self.work,
        };
        *size = (*size).max(slot.index() + 1);
    }

    /// Words of all spaces.
    pub(super) fn total(self) -> usize {
        self.before + self.after + self.work
    }

    /// A number for a word, below the total.
    pub(super) fn number(self, slot: Slot) -> usize {
        slot.index()
            + match slot.space() {
                Space::Before => 0,
                Space::After => self.before,
                Space::Work => self.before + self.after,
            }
    }
}

/// The segments of a routine, in order.
pub(super) fn cut(routine: &Routine, sizes: SpaceSizes) -> Result<Vec<Segment<'_>>, MachineError> {
    let mut scan = Scan::new(routine, sizes);
    let repeated = |block: &Block| !block.feedback.is_empty();
    let runs: Vec<&[Block]> =
        routine.blocks.chunk_by(|a, b| !repeated(a) && !repeated(b)).collect();
    // What a segment leaves in memory depends on what the later ones read.
    let mut segments = Vec::with_capacity(runs.len());
    for blocks in runs.into_iter().rev() {
        segments.push(scan.segment(blocks)?);
    }
    segments.reverse();
    Ok(segments)
}

/// What is known of each word while the segments are visited, the last one first.
struct Scan {
    sizes: SpaceSizes,
    /// Whether the word is read after the segment.
    live: Vec<bool>,
    /// The segment that the word was last seen in, with what it does there.
    seen: Vec<SeenWord>,
    visited: u32,
}

#[derive(Clone, Copy, Default)]
struct SeenWord {
    segment: u32,
    /// It is read before it is written.
    exposed: bool,
    /// It is a feedback word.
    fed: bool,
    /// The last operation that writes it, plus one.
    written: u32,
}

impl Scan {
    fn new(routine: &Routine, sizes: SpaceSizes) -> Self {
        let mut live = vec![false; sizes.total()];
        live[sizes.before..sizes.before + sizes.after].fill(true);
        for &slot in &routine.keeps {
            live[sizes.number(slot)] = true;
        }
        Scan { sizes, live, seen: vec![SeenWord::default(); sizes.total()], visited: 0 }
    }

    fn segment<'r>(&mut self, blocks: &'r [Block]) -> Result<Segment<'r>, MachineError> {
        self.visited += 1;
        let mut segment = Segment { blocks, stores: Vec::new(), rewritten: Vec::new() };
        self.mark_feedback(segment.feedback())?;
        let exposed = self.mark_ops(&segment)?;
        let repeated = !segment.feedback().is_empty();
        for (position, op) in segment.ops().enumerate() {
            let number = self.sizes.number(op.target);
            let seen = self.seen[number];
            // The next sweep reads what this one left.
            let read_later = self.live[number] || repeated && seen.exposed;
            segment.stores.push(seen.written == position as u32 + 1 && read_later);
        }
        for feedback in segment.feedback() {
            segment.rewritten.push(feedback.word);
        }
        for op in segment.ops() {
            self.live[self.sizes.number(op.target)] = false;
        }
        for slot in exposed {
            let number = self.sizes.number(slot);
            self.live[number] = true;
            if self.seen[number].written > 0 {
                segment.rewritten.push(slot);
            }
        }
        // Feedback words are set before they are read.
        for feedback in segment.feedback() {
            self.live[self.sizes.number(feedback.word)] = false;
        }
        segment.rewritten.sort_unstable();
        Ok(segment)
    }

    fn mark_feedback(&mut self, feedback: &[Feedback]) -> Result<(), MachineError> {
        for &Feedback { word, .. } in feedback {
            if word.space() == Space::Before {
                return Err(MachineError::ReadOnly { slot: word });
            }
            let seen = self.see(word);
            if std::mem::replace(&mut seen.fed, true) {
                return Err(MachineError::Feedback { slot: word });
            }
        }
        for &Feedback { word, value } in feedback {
            if self.see(value).fed && value != word {
                return Err(MachineError::Feedback { slot: value });
            }
        }
        Ok(())
    }

    /// Notes reads and writes; the words that are read before they are written.
    fn mark_ops(&mut self, segment: &Segment) -> Result<Vec<Slot>, MachineError> {
        let mut exposed = Vec::new();
        let mut read = |seen: &mut SeenWord, slot| {
            if seen.written == 0 && !std::mem::replace(&mut seen.exposed, true) {
                exposed.push(slot);
            }
        };
        for (position, op) in segment.ops().enumerate() {
            for slot in op.inputs {
                read(self.see(slot), slot);
            }
            if op.target.space() == Space::Before {
                return Err(MachineError::ReadOnly { slot: op.target });
            }
            let seen = self.see(op.target);
            if seen.fed {
                return Err(MachineError::Feedback { slot: op.target });
            }
            seen.written = position as u32 + 1;
        }
        for feedback in segment.feedback() {
            read(self.see(feedback.value), feedback.value);
        }
        Ok(exposed)
    }

    /// What is known of a word in the current segment.
    fn see(&mut self, slot: Slot) -> &mut SeenWord {
        let seen = &mut self.seen[self.sizes.number(slot)];
        if seen.segment != self.visited {
            *seen = SeenWord { segment: self.visited, ..SeenWord::default() };
        }
        seen
    }
}
