//! Distinct states, in few bytes each.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Packed states one after the other, each with the number of sequences that lead to it.
pub(super) struct States {
    /// The numbers of a state.
    len: usize,
    bits: Vec<u64>,
    paths: Vec<u128>,
}

impl States {
    /// An empty store; each state will have this many numbers.
    pub(super) fn new(len: usize) -> Self {
        States { len, bits: Vec::new(), paths: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.paths.len()
    }

    pub(super) fn push(&mut self, state: &[u64], paths: u128) {
        self.bits.extend_from_slice(state);
        self.paths.push(paths);
    }

    pub(super) fn clear(&mut self) {
        self.bits.clear();
        self.paths.clear();
    }

    /// The numbers of all states.
    pub(super) fn bits(&self) -> &[u64] {
        &self.bits
    }

    pub(super) fn paths(&self) -> &[u128] {
        &self.paths
    }

    fn state(&self, at: usize) -> &[u64] {
        &self.bits[at * self.len..(at + 1) * self.len]
    }

    /// The states in groups of at most this many: their numbers and their paths.
    pub(super) fn chunks(&self, count: usize) -> impl Iterator<Item = (&[u64], &[u128])> {
        self.bits.chunks(count * self.len).zip(self.paths.chunks(count))
    }
}

/// States that are found again by their bits.
pub(super) struct Store {
    pub(super) states: States,
    index: HashTable<usize>,
}

impl Store {
    /// Empty; for states of this many numbers.
    pub(super) fn new(len: usize) -> Self {
        Store { states: States::new(len), index: HashTable::new() }
    }

    /// Adds sequences to a state; `None` if they are too many to count.
    pub(super) fn add(&mut self, state: &[u64], paths: u128) -> Option<()> {
        let states = &self.states;
        let known = self.index.find(hash(state), |&at| states.state(at) == state);
        if let Some(&at) = known {
            let count = &mut self.states.paths[at];
            *count = count.checked_add(paths)?;
            return Some(());
        }
        let hash_at = |&at: &usize| hash(states.state(at));
        self.index.insert_unique(hash(state), states.len(), hash_at);
        self.states.push(state, paths);
        Some(())
    }
}

fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|&bits| hasher.write_u64(bits));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_are_counted_together() {
        let mut store = Store::new(2);
        for number in 0..1000 {
            store.add(&[number % 10, number % 3], 2).expect("no overflow");
        }
        assert_eq!(store.states.len(), 30);
        assert_eq!(store.states.paths().iter().sum::<u128>(), 2000);
        assert_eq!(
            store.states.chunks(20).map(|(bits, _)| bits.len()).collect::<Vec<_>>(),
            [40, 20]
        );
        assert_eq!(store.add(&[0, 0], u128::MAX), None);
    }
}
