//! Distinct compact states, each found again by its bits.
//!
//! The states lie one after the other; the index has only their numbers, in a table that is never
//! more than half full, with linear probing (Knuth 1973, section 6.4). A state of one number takes
//! 8 bytes and about 8 to 16 in the index.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// States in the order in which they were added.
pub(crate) struct Visited {
    len: usize,
    codes: Vec<u64>,
    /// Numbers of states, plus one; 0 where there is none.
    slots: Vec<u32>,
    mask: usize,
}

impl Visited {
    /// No states; each will have this many numbers.
    pub(crate) fn new(len: usize) -> Self {
        Visited { len, codes: Vec::new(), slots: vec![0; 1 << 10], mask: (1 << 10) - 1 }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.codes.len() / self.len
    }

    /// The bytes that they take, and those that the next growth will take for a while.
    pub(crate) fn bytes(&self) -> u64 {
        let growing = if 2 * self.count() > self.mask { 3 } else { 1 };
        (8 * self.codes.capacity() + 4 * growing * self.slots.len()) as u64
    }

    /// A state, by its number.
    pub(crate) fn state(&self, number: usize) -> &[u64] {
        &self.codes[number * self.len..(number + 1) * self.len]
    }

    /// States one after the other, by their numbers.
    pub(crate) fn states(&self, numbers: std::ops::Range<usize>) -> &[u64] {
        &self.codes[numbers.start * self.len..numbers.end * self.len]
    }

    /// Adds a state. Its number, and whether it is new.
    #[inline]
    pub(crate) fn add(&mut self, state: &[u64]) -> (usize, bool) {
        let mut at = hash(state) as usize & self.mask;
        loop {
            match self.slots[at] {
                0 => break,
                number if self.is(number as usize - 1, state) => {
                    return (number as usize - 1, false);
                }
                _ => at = (at + 1) & self.mask,
            }
        }
        let number = self.count();
        match state {
            [one] => self.codes.push(*one),
            _ => self.codes.extend_from_slice(state),
        }
        self.slots[at] = number as u32 + 1;
        if 2 * (number + 1) > self.mask {
            self.grow();
        }
        (number, true)
    }

    /// The number of a state that was added.
    pub(crate) fn find(&self, state: &[u64]) -> Option<usize> {
        let mut at = hash(state) as usize & self.mask;
        loop {
            match self.slots[at] {
                0 => return None,
                number if self.is(number as usize - 1, state) => {
                    return Some(number as usize - 1);
                }
                _ => at = (at + 1) & self.mask,
            }
        }
    }

    /// Whether the state with this number is this one. Most states are one number, so that is not
    /// left to a comparison of slices.
    #[inline]
    fn is(&self, number: usize, state: &[u64]) -> bool {
        let first = number * self.len;
        self.codes[first] == state[0]
            && (self.len == 1 || self.codes[first + 1..first + self.len] == state[1..])
    }

    /// Loads what will be asked about states soon. The loads do not depend on each other, so the
    /// processor does not wait for memory once for each state.
    pub(crate) fn prepare(&self, states: &[u64]) {
        let touched = states.chunks_exact(self.len).fold(0, |touched, state| {
            match self.slots[hash(state) as usize & self.mask] {
                0 => touched,
                number => touched ^ self.codes[(number as usize - 1) * self.len],
            }
        });
        std::hint::black_box(touched);
    }

    /// Whether another state can be numbered.
    pub(crate) fn is_full(&self) -> bool {
        self.count() >= u32::MAX as usize - 1
    }

    fn grow(&mut self) {
        let size = 2 * self.slots.len();
        self.mask = size - 1;
        self.slots.clear();
        self.slots.resize(size, 0);
        for number in 0..self.count() {
            let mut at = hash(self.state(number)) as usize & self.mask;
            while self.slots[at] != 0 {
                at = (at + 1) & self.mask;
            }
            self.slots[at] = number as u32 + 1;
        }
    }
}

/// A hash whose low bits depend on all bits of the state.
#[inline]
pub(crate) fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|&bits| hasher.write_u64(bits));
    let hash = hasher.finish();
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_has_one_number() {
        let mut visited = Visited::new(2);
        for round in 0..2 {
            for number in 0..5000u64 {
                let (found, is_new) = visited.add(&[number % 50, number / 50]);
                assert_eq!((found, is_new), (number as usize, round == 0));
            }
        }
        assert_eq!(visited.count(), 5000);
        assert_eq!(visited.find(&[7, 3]), Some(157));
        assert_eq!(visited.find(&[50, 0]), None);
        assert_eq!(visited.states(157..159), [7, 3, 8, 3]);
    }
}
