//! What a routine means, word by word and bit by bit.

use propnet::program::{Op, Routine, Slot, Space};

/// The words of the three spaces, each of `N` times 64 lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Memory<const N: usize> {
    pub(crate) before: Vec<[u64; N]>,
    pub(crate) after: Vec<[u64; N]>,
    pub(crate) work: Vec<[u64; N]>,
}

/// After so many sweeps a loop will never end.
const MAX_SWEEPS: usize = 65_536;

impl<const N: usize> Memory<N> {
    pub(crate) fn read(&self, slot: Slot) -> [u64; N] {
        match slot.space() {
            Space::Before => self.before[slot.index()],
            Space::After => self.after[slot.index()],
            Space::Work => self.work[slot.index()],
        }
    }

    pub(crate) fn write(&mut self, slot: Slot, word: [u64; N]) {
        match slot.space() {
            Space::Before => panic!("the state before a step is read only"),
            Space::After => self.after[slot.index()] = word,
            Space::Work => self.work[slot.index()] = word,
        }
    }

    /// Does a routine; whether all its loops came to rest.
    pub(crate) fn interpret(&mut self, routine: &Routine) -> bool {
        for block in &routine.blocks {
            for feedback in &block.feedback {
                self.write(feedback.word, [0; N]);
            }
            for sweep in 1.. {
                block.ops.iter().for_each(|op| self.op(op));
                let mut changed = false;
                for feedback in &block.feedback {
                    let new = self.read(feedback.value);
                    changed |= self.read(feedback.word) != new;
                    self.write(feedback.word, new);
                }
                if !changed {
                    break;
                }
                if sweep == MAX_SWEEPS {
                    return false;
                }
            }
        }
        true
    }

    fn op(&mut self, op: &Op) {
        let [a, b, c] = op.inputs.map(|slot| self.read(slot));
        let mut result = [0; N];
        for part in 0..N {
            result[part] = lookup(op.table, a[part], b[part], c[part]);
        }
        self.write(op.target, result);
    }
}

/// A truth table applied to each bit: bit `4a + 2b + c` of it.
pub(crate) fn lookup(table: u8, a: u64, b: u64, c: u64) -> u64 {
    let mut result = 0;
    for row in 0..8 {
        if table >> row & 1 == 1 {
            let same = |word: u64, bit: u8| if row & bit != 0 { word } else { !word };
            result |= same(a, 4) & same(b, 2) & same(c, 1);
        }
    }
    result
}
