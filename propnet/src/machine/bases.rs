//! Short addresses: which general register points where.
//!
//! An address is a base register and a displacement, of one byte where it is small enough and of
//! four otherwise. Each space is cut into windows of as many words as one byte can reach, and the
//! windows that are used most get a base register that points to their middle.

use super::instruction::Instruction;
use super::level::Level;
use crate::program::{Slot, Space};

/// A general register, by its number in an instruction.
pub(super) type General = u8;

/// Counts sweeps, and says at the end whether they came to rest. Never a base.
pub(super) const COUNTER: General = 0;

/// The arguments: where the spaces begin.
const ARGUMENTS: [General; 3] = [RDI, RSI, RDX];

const RCX: General = 1;
const RDX: General = 2;
const RBX: General = 3;
const RBP: General = 5;
const RSI: General = 6;
const RDI: General = 7;

/// Further base registers. The first ones make the shorter instructions. Not 4 and 12, which need
/// a byte more.
const FURTHER: [General; 10] = [RCX, RBX, RBP, 8, 9, 10, 11, 13, 14, 15];

/// Registers that belong to the caller.
const CALLERS: [General; 5] = [RBX, RBP, 13, 14, 15];

/// With fewer uses than this, a window is not worth an instruction that sets its base.
const MIN_USES: u32 = 8;

/// An address as an instruction has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) base: General,
    /// In bytes.
    pub(super) displacement: i32,
}

/// A base register and where it points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Base {
    pub(super) register: General,
    /// Where the space begins, at the start.
    pub(super) argument: General,
    /// In bytes from there.
    pub(super) offset: i32,
}

/// The bases of a routine's code.
pub(super) struct Bases {
    word: i32,
    window: usize,
    /// The one that can reach every word of a space; by space.
    general: [Base; 3],
    /// Of each window of each space: its base register, if it has one.
    windows: [Vec<Option<Base>>; 3],
    further: Vec<Base>,
}

impl Bases {
    /// Bases for the words that the instructions use.
    pub(super) fn new(instructions: &[Instruction], level: Level) -> Self {
        let word = level.word_bytes() as i32;
        let window = window_words(level);
        let uses = count_uses(instructions, window);
        let base = |register, space: usize, at: usize| {
            let middle = (at * window + window / 2) as i32;
            Base { register, argument: ARGUMENTS[space], offset: middle * word }
        };
        let busiest = |space: usize| {
            let uses = &uses[space];
            (0..uses.len()).rev().max_by_key(|&at| uses[at]).unwrap_or(0)
        };
        let general = [0, 1, 2].map(|space| base(ARGUMENTS[space], space, busiest(space)));
        let mut windows = [0, 1, 2].map(|space| vec![None; uses[space].len()]);
        let mut rest = Vec::new();
        for space in 0..3 {
            for at in 0..uses[space].len() {
                if at == busiest(space) {
                    windows[space][at] = Some(general[space]);
                } else if uses[space][at] >= MIN_USES {
                    rest.push((uses[space][at], space, at));
                }
            }
        }
        rest.sort_unstable_by_key(|&(uses, space, at)| (std::cmp::Reverse(uses), space, at));
        let mut further = Vec::new();
        for (&(_, space, at), register) in rest.iter().zip(FURTHER) {
            let base = base(register, space, at);
            windows[space][at] = Some(base);
            further.push(base);
        }
        Bases { word, window, general, windows, further }
    }

    /// What sets the bases, in an order in which it can be done.
    pub(super) fn setup(&self) -> impl Iterator<Item = Base> + '_ {
        // The arguments themselves are moved last: the others are set from them.
        self.further.iter().chain(&self.general).copied()
    }

    /// Registers that must be as before at the end.
    pub(super) fn saved(&self) -> impl DoubleEndedIterator<Item = General> + '_ {
        self.further.iter().map(|base| base.register).filter(|register| CALLERS.contains(register))
    }

    /// The address of a word that one of the instructions uses.
    pub(super) fn address(&self, slot: Slot) -> Address {
        let space = space_number(slot);
        let window = slot.index() / self.window;
        let base = self.windows[space][window].unwrap_or(self.general[space]);
        let displacement = slot.index() as i32 * self.word - base.offset;
        Address { base: base.register, displacement }
    }
}

/// Words that a displacement of one byte reaches: in bytes on AVX2, in words on AVX-512.
fn window_words(level: Level) -> usize {
    match level {
        Level::Avx2 => 256 / level.word_bytes(),
        Level::Avx512 => 256,
    }
}

fn space_number(slot: Slot) -> usize {
    match slot.space() {
        Space::Before => 0,
        Space::After => 1,
        Space::Work => 2,
    }
}

/// How often each window of each space is used.
fn count_uses(instructions: &[Instruction], window: usize) -> [Vec<u32>; 3] {
    let mut uses = [const { Vec::new() }; 3];
    for slot in instructions.iter().filter_map(Instruction::slot) {
        let uses = &mut uses[space_number(slot)];
        let at = slot.index() / window;
        if uses.len() <= at {
            uses.resize(at + 1, 0);
        }
        uses[at] += 1;
    }
    uses
}
