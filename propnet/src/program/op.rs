//! The operations of a program: plain data, without graph and names.
//!
//! A program works on words, one for each proposition, one bit of it for each lane. Words live in
//! three spaces: the state that a step reads, the state that it makes (the two change places from
//! step to step, so that no word is overwritten before it was read), and the work space.

use rustc_hash::FxHashSet;

/// Where a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(u32);

/// A space of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The state at the beginning of a step; read only.
    Before,
    /// The state at the end of a step; written, and read back only by the routines of that step.
    After,
    /// Everything else.
    Work,
}

impl Slot {
    /// The word with this index in a space.
    pub fn new(space: Space, index: usize) -> Self {
        debug_assert!(index < 1 << 30, "a space has fewer words");
        Slot((space as u32) << 30 | index as u32)
    }

    /// The space.
    pub fn space(self) -> Space {
        match self.0 >> 30 {
            0 => Space::Before,
            1 => Space::After,
            _ => Space::Work,
        }
    }

    /// The index in its space.
    pub fn index(self) -> usize {
        (self.0 & ((1 << 30) - 1)) as usize
    }
}

/// One word made from up to three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    /// The truth table: bit `4a + 2b + c` is the result for the inputs `a`, `b`, `c`, as the
    /// ternary logic of processors has it.
    pub table: u8,
    /// The inputs. One that the table does not depend on repeats another.
    pub inputs: [Slot; 3],
    /// The result. It may be the slot of an input.
    pub target: Slot,
}

/// The tables of operations on the first two inputs that every processor has.
pub mod table {
    /// a AND b.
    pub const AND: u8 = 0b1100_0000;
    /// (NOT a) AND b.
    pub const AND_NOT: u8 = 0b0000_1100;
    /// a OR b.
    pub const OR: u8 = 0b1111_1100;
    /// a XOR b.
    pub const XOR: u8 = 0b0011_1100;
    /// NOT a: the one operation on the first input alone.
    pub const NOT: u8 = 0b0000_1111;
    /// a: a copy.
    pub const COPY: u8 = 0b1111_0000;
}

/// Operations in an order in which they can be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The operations.
    pub ops: Vec<Op>,
    /// Where this is the block of a loop: what is fed back. The feedback words are set to all-false
    /// before the first sweep; a sweep does the operations and then copies each value to its
    /// feedback word, in order; sweeps go on until one changes no feedback word. No operation writes one.
    pub feedback: Vec<Feedback>,
}

/// A word that a block feeds back to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// What the next sweep reads.
    pub word: Slot,
    /// What this sweep found. Never the feedback word of another member.
    pub value: Slot,
}

/// What is done in one go, from words in memory to words in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routine {
    /// One after the other.
    pub blocks: Vec<Block>,
    /// Words of the work space that are read afterwards. All others mean nothing then.
    /// Words of the state that was made are always kept.
    pub keeps: Vec<Slot>,
}

impl Routine {
    /// The words that it reads as they were before it, each once, in the order of reading.
    pub fn reads(&self) -> Vec<Slot> {
        let mut known: FxHashSet<Slot> = FxHashSet::default();
        let mut first = Vec::new();
        for block in &self.blocks {
            known.extend(block.feedback.iter().map(|feedback| feedback.word));
            for op in &block.ops {
                first.extend(op.inputs.iter().filter(|slot| known.insert(**slot)));
                known.insert(op.target);
            }
            let values = block.feedback.iter().map(|feedback| feedback.value);
            first.extend(values.filter(|slot| known.insert(*slot)));
        }
        first
    }

    /// The words that it writes, some of them several times.
    pub fn writes(&self) -> impl Iterator<Item = Slot> {
        self.blocks.iter().flat_map(|block| {
            let fed_back = block.feedback.iter().map(|feedback| feedback.word);
            block.ops.iter().map(|op| op.target).chain(fed_back)
        })
    }
}
