//! Many states as plain numbers, for callers that keep more of them than there are lanes.
//!
//! A packed state has a bit for each word of the program's state, 64 to a number. Two states of a
//! game are equal where their packed ones are.

use super::batch::Batch;
use super::transpose::{by_lane, transpose};
use super::word::Word;
use crate::game::{ForeignError, State};
use crate::program::{FluentPlace, Program};

impl Program {
    /// The numbers of a packed state; at least one.
    pub fn packed_len(&self) -> usize {
        self.questions.state_words.div_ceil(64).max(1)
    }

    /// A state, packed; an error where it is of another engine.
    pub fn pack(&self, state: &State) -> Result<Vec<u64>, ForeignError> {
        self.names.table().check_state(state)?;
        let mut packed = vec![0; self.packed_len()];
        for fluent in state.iter() {
            if let Some(FluentPlace::Word(word)) = self.fluents.get(fluent) {
                packed[word / 64] |= 1 << (word % 64);
            }
        }
        Ok(packed)
    }
}

impl<W: Word> Batch<W> {
    /// Loads packed states, one after the other, the first into lane 0; at most as many as there
    /// are lanes. Other lanes have the empty state.
    pub fn load_packed(&mut self, states: &[u64]) {
        let len = self.program.packed_len();
        for (at, column) in self.before.chunks_mut(64).enumerate() {
            for part in 0..W::LANES / 64 {
                let lanes = states.chunks_exact(len).skip(part * 64).map(|state| state[at]);
                let mut square = [0; 64];
                square.iter_mut().zip(lanes).for_each(|(row, bits)| *row = bits);
                transpose(&mut square);
                for (word, bits) in column.iter_mut().zip(square) {
                    word.parts_mut()[part] = bits;
                }
            }
        }
    }

    /// Adds the next states in the first lanes, packed; after [`Batch::advance`].
    pub fn next_packed(&self, count: usize, states: &mut Vec<u64>) {
        self.pack_words(&self.after, count, states);
    }

    /// Adds the states in the first lanes, packed.
    pub(super) fn packed(&self, count: usize, states: &mut Vec<u64>) {
        self.pack_words(&self.before, count, states);
    }

    fn pack_words(&self, words: &[W], count: usize, states: &mut Vec<u64>) {
        let len = self.program.packed_len();
        let first = states.len();
        states.resize(first + count * len, 0);
        by_lane(
            count,
            words.len(),
            |word| words[word],
            |lane, at, bits| {
                states[first + lane * len + at] = bits;
            },
        );
    }
}
