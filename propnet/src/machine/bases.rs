//! Short addresses: which general register points where, and when.
//!
//! An address is a base register and a displacement, of one byte where it is small enough and of
//! four otherwise. Each space is cut into windows of as many words as one byte can reach. Windows
//! are given base registers that point to their middle, much as values are given registers: the
//! one that is given up is the one needed furthest in the future, and a window that is not used
//! often enough before that gets none.

use super::instruction::Instruction;
use super::level::Level;
use super::windows::Windows;

/// A general register, by its number in an instruction.
pub(super) type General = u8;

/// Counts sweeps, and says at the end whether they came to rest. Never a base.
pub(super) const COUNTER: General = 0;

/// The arguments: where the spaces begin. Each becomes the base of the window of its space that is
/// used most, and reaches all others with long displacements.
const ARGUMENTS: [General; 3] = [RDI, RSI, RDX];

const RCX: General = 1;
const RDX: General = 2;
const RBX: General = 3;
const RBP: General = 5;
const RSI: General = 6;
const RDI: General = 7;

/// Base registers that change. The first ones make the shorter instructions. Not 4 and 12, which
/// need a byte more.
const CHANGING: [General; 10] = [RCX, RBX, RBP, 8, 9, 10, 11, 13, 14, 15];

/// Registers that belong to the caller.
const CALLERS: [General; 5] = [RBX, RBP, 13, 14, 15];

/// A window gets a base where it is used so often before the base is set again. Setting one costs
/// an instruction of seven bytes, and a short displacement saves two or three; measured.
const MIN_USES: usize = 7;

/// An address as an instruction has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) base: General,
    /// In bytes.
    pub(super) displacement: i32,
}

/// A base register that is set to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) register: General,
    pub(super) to: Address,
}

/// The address of an instruction's word, and what has to be done before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordAccess {
    pub(super) setting: Option<Setting>,
    pub(super) address: Address,
}

/// The bases of a routine's code.
pub(super) struct Bases {
    /// Done once, at the beginning.
    pub(super) settings: [Setting; 3],
    /// Of each instruction with a word in memory, in order.
    pub(super) accesses: Vec<WordAccess>,
    /// Registers that must be as before at the end.
    pub(super) saved: Vec<General>,
}

impl Bases {
    /// Bases for the words that the instructions use.
    pub(super) fn new(instructions: &[Instruction], level: Level) -> Self {
        let windows = Windows::new(instructions, level);
        let mut planner = BasePlanner::new(&windows, level);
        let mut accesses = Vec::with_capacity(windows.accesses());
        for instruction in instructions {
            if *instruction == Instruction::SweepStart {
                // A sweep begins in two ways, with different bases.
                planner.forget();
            }
            if let Some(slot) = instruction.slot() {
                accesses.push(planner.access(slot.index()));
            }
        }
        let saved =
            CHANGING.into_iter().take(planner.used).filter(|r| CALLERS.contains(r)).collect();
        Bases { settings: planner.settings(), accesses, saved }
    }
}

/// What the base registers hold while the instructions are visited.
struct BasePlanner<'w> {
    windows: &'w Windows,
    word: i32,
    /// Accesses so far.
    position: usize,
    /// The window of each argument.
    fixed: [usize; 3],
    /// The window of each register that changes.
    holders: [Option<usize>; CHANGING.len()],
    /// How many of them are used.
    used: usize,
}

impl<'w> BasePlanner<'w> {
    fn new(windows: &'w Windows, level: Level) -> Self {
        let fixed = [0, 1, 2].map(|space| windows.busiest(space));
        let word = level.word_bytes() as i32;
        BasePlanner { windows, word, position: 0, fixed, holders: [None; CHANGING.len()], used: 0 }
    }

    fn settings(&self) -> [Setting; 3] {
        [0, 1, 2].map(|space| {
            let displacement = self.middle(self.fixed[space]);
            let register = ARGUMENTS[space];
            Setting { register, to: Address { base: register, displacement } }
        })
    }

    fn forget(&mut self) {
        self.holders = [None; CHANGING.len()];
    }

    /// The next access, to the word with this index in its space.
    fn access(&mut self, index: usize) -> WordAccess {
        let window = self.windows.of_access(self.position);
        let space = self.windows.space(window);
        self.position += 1;
        let mut setting = None;
        let mut base = (ARGUMENTS[space], self.fixed[space]);
        if window != self.fixed[space] {
            let held = self.holders.iter().position(|&holder| holder == Some(window));
            let held = held.or_else(|| {
                let place = self.place_for(window)?;
                self.holders[place] = Some(window);
                self.used = self.used.max(place + 1);
                let displacement = self.middle(window) - self.middle(self.fixed[space]);
                let to = Address { base: ARGUMENTS[space], displacement };
                setting = Some(Setting { register: CHANGING[place], to });
                Some(place)
            });
            if let Some(place) = held {
                base = (CHANGING[place], window);
            }
        }
        let displacement = index as i32 * self.word - self.middle(base.1);
        WordAccess { setting, address: Address { base: base.0, displacement } }
    }

    /// A register for a window that has none, if that pays: the window is used often enough before
    /// the register's own one is.
    fn place_for(&self, window: usize) -> Option<usize> {
        let enough = self.windows.use_after(window, self.position, MIN_USES - 1)?;
        let next_use = |place: usize| {
            let next = self.holders[place].map(|holder| {
                self.windows.use_after(holder, self.position, 1).unwrap_or(usize::MAX - 1)
            });
            next.unwrap_or(usize::MAX)
        };
        // The first one of several that are free.
        let furthest = (0..CHANGING.len()).rev().max_by_key(|&place| next_use(place))?;
        (next_use(furthest) > enough).then_some(furthest)
    }

    /// The middle of a window, in bytes from the beginning of its space.
    fn middle(&self, window: usize) -> i32 {
        self.windows.middle(window) as i32 * self.word
    }
}
