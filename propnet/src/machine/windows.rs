//! Windows of words that one displacement byte can reach, and when they are used.

use super::instruction::Instruction;
use super::level::Level;
use crate::program::Space;

/// The windows of all spaces, numbered through.
pub(super) struct Windows {
    /// Words of a window.
    words: usize,
    /// The number of the first window of each space, and that of all windows.
    first: [usize; 4],
    /// Of each access to memory: the window.
    of_access: Vec<u32>,
    /// The accesses to each window, one window after the other.
    uses: Vec<u32>,
    /// Where those of a window begin; those of the next one begin where they end.
    begins: Vec<u32>,
}

impl Windows {
    /// The windows of the words that instructions use.
    pub(super) fn new(instructions: &[Instruction], level: Level) -> Self {
        let words = match level {
            // In bytes.
            Level::Avx2 => 256 / level.word_bytes(),
            // In words.
            Level::Avx512 => 256,
        };
        let slots = || instructions.iter().filter_map(Instruction::slot);
        // At least one, so that every space has a busiest window.
        let mut counts = [1; 3];
        for slot in slots() {
            let count = &mut counts[number(slot.space())];
            *count = (*count).max(slot.index() / words + 1);
        }
        let second = counts[0] + counts[1];
        let first = [0, counts[0], second, second + counts[2]];
        let of_access: Vec<u32> = slots()
            .map(|slot| (first[number(slot.space())] + slot.index() / words) as u32)
            .collect();
        let (uses, begins) = group(&of_access, first[3]);
        Windows { words, first, of_access, uses, begins }
    }

    /// Accesses to memory.
    pub(super) fn accesses(&self) -> usize {
        self.of_access.len()
    }

    /// The window of an access.
    pub(super) fn of_access(&self, access: usize) -> usize {
        self.of_access[access] as usize
    }

    /// The number of the space that a window belongs to.
    pub(super) fn space(&self, window: usize) -> usize {
        (0..3).rfind(|&space| self.first[space] <= window).unwrap_or(0)
    }

    /// The index of the word in the middle.
    pub(super) fn middle(&self, window: usize) -> usize {
        (window - self.first[self.space(window)]) * self.words + self.words / 2
    }

    /// The window of a space that is used most; the first one of these.
    pub(super) fn busiest(&self, space: usize) -> usize {
        let windows = self.first[space]..self.first[space + 1];
        windows.rev().max_by_key(|&window| self.uses(window).len()).unwrap_or(self.first[space])
    }

    /// The access that is the `count`th to a window from a position on.
    pub(super) fn use_after(&self, window: usize, position: usize, count: usize) -> Option<usize> {
        let uses = self.uses(window);
        let from = uses.partition_point(|&access| (access as usize) < position);
        uses.get(from + count - 1).map(|&access| access as usize)
    }

    fn uses(&self, window: usize) -> &[u32] {
        &self.uses[self.begins[window] as usize..self.begins[window + 1] as usize]
    }
}

fn number(space: Space) -> usize {
    match space {
        Space::Before => 0,
        Space::After => 1,
        Space::Work => 2,
    }
}

/// The accesses to each window, and where those of each begin.
fn group(of_access: &[u32], windows: usize) -> (Vec<u32>, Vec<u32>) {
    let mut begins = vec![0; windows + 1];
    for &window in of_access {
        begins[window as usize + 1] += 1;
    }
    for window in 0..windows {
        begins[window + 1] += begins[window];
    }
    let mut ends = begins.clone();
    let mut uses = vec![0; of_access.len()];
    for (access, &window) in of_access.iter().enumerate() {
        let end = &mut ends[window as usize];
        uses[*end as usize] = access as u32;
        *end += 1;
    }
    (uses, begins)
}
