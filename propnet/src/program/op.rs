//! The operations of a program: plain data, without graph and names.
//!
//! A program works on words, one for each proposition, one bit of it for each lane. Words live in
//! three spaces: the state that a step reads, the state that it makes (the two change places from
//! step to step, so that no word is overwritten before it was read), and the work space.

/// Where a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(u32);

/// A space of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The state at the beginning of a step; read only.
    Before,
    /// The state at the end of a step; written, and read back only by what wrote it.
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
    /// Words of the work space that someone reads afterwards. All others mean nothing then.
    /// Words of the state that was made are always kept.
    pub keeps: Vec<Slot>,
}
