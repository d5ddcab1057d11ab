//! Nodes by state, or edges by joint move: an open-addressed hash index of their numbers.
//!
//! Transpositions in UCT: Childs, Brodeur and Kocsis 2008; the statistics are those of the edges.
//!
//! It holds numbers only; hashes and states are in the nodes, joint moves in the edges. Entries are
//! never removed: when nodes go, the table is made anew with those that stay.
//!
//! A table that grows moves a few entries with each that is added, because moving millions at once
//! takes longer than a search may run without reading the clock:
//!
//! ```text
//! before    x x x x | a b . c   looked up as well until all is moved
//!                 moved
//! places    . . x . . x . n . . x . . . x .
//! ```

/// A place without a node. Places are all zero at first, so that memory is not touched until it is
/// used.
const EMPTY: u32 = 0;

/// The fewest places of a table that holds anything.
const FEWEST: usize = 64;

/// With each node that is added, this many places of the former table are moved. It must be two at
/// least, so that all are moved before the table grows again.
const STEP: usize = 8;

/// Places for node numbers; a power of two, at most half of them taken.
#[derive(Default)]
pub(crate) struct HashIndex {
    /// Nodes, each by one more than its number.
    places: Vec<u32>,
    taken: usize,
    /// The places there were before the table grew, until all is moved. Moved entries stay here,
    /// because those placed after them are found through them.
    before: Vec<u32>,
    /// How many of them are moved.
    moved: usize,
}

impl HashIndex {
    /// The node with this hash that is the one looked for.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        find_in(&self.places, hash, &is_it).or_else(|| find_in(&self.before, hash, &is_it))
    }

    /// Adds a node that is not there. `hash_of` gives the hashes of those that are.
    pub(crate) fn insert(&mut self, hash: u64, node: u32, hash_of: impl Fn(u32) -> u64) {
        self.taken += 1;
        if 2 * self.taken > self.places.len() {
            let larger = vec![EMPTY; (2 * self.taken).next_power_of_two().max(FEWEST)];
            self.before = std::mem::replace(&mut self.places, larger);
            self.moved = 0;
        }
        if !self.before.is_empty() {
            self.move_some(hash_of);
        }
        self.put(hash, node);
    }

    /// Moves a few entries to their new places.
    fn move_some(&mut self, hash_of: impl Fn(u32) -> u64) {
        let end = (self.moved + STEP).min(self.before.len());
        for at in self.moved..end {
            if self.before[at] != EMPTY {
                let node = self.before[at] - 1;
                self.put(hash_of(node), node);
            }
        }
        self.moved = end;
        if self.moved == self.before.len() {
            self.before = Vec::new();
        }
    }

    fn put(&mut self, hash: u64, node: u32) {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != EMPTY {
            at = (at + 1) & mask;
        }
        self.places[at] = node + 1;
    }

    /// The most bytes that a table of this many nodes takes: when it has grown, a quarter of its
    /// places are taken, and those before, half as many, are there as well.
    pub(crate) fn most_bytes(nodes: usize) -> usize {
        (4 * nodes).max(FEWEST) / 2 * 3 * size_of::<u32>()
    }

    /// The bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        (self.places.capacity() + self.before.capacity()) * size_of::<u32>()
    }
}

/// The node with this hash that is the one looked for, among those in these places.
fn find_in(places: &[u32], hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
    if places.is_empty() {
        return None;
    }
    let mut at = hash as usize & (places.len() - 1);
    loop {
        match places[at] {
            EMPTY => return None,
            entry if is_it(entry - 1) => return Some(entry - 1),
            _ => at = (at + 1) & (places.len() - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn nodes_are_found_among_others_with_the_same_hash() {
        let hash = |node: u32| u64::from(node % 7);
        let mut table = HashIndex::default();
        for node in 0..500 {
            assert_eq!(table.find(hash(node), |other| other == node), None);
            table.insert(hash(node), node, hash);
        }
        for node in 0..500 {
            assert_eq!(table.find(hash(node), |other| other == node), Some(node));
        }
        assert_eq!(table.find(3, |_| false), None);
    }

    #[test]
    fn nodes_are_found_while_the_table_grows_in_steps() {
        // Keys that are spread, some of them with the same hash.
        let key = |node: u32| u64::from(node).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let hash = |node: u32| key(node) / 3;
        let (mut table, mut known) = (HashIndex::default(), HashMap::new());
        let mut growing = 0;
        for node in 0..20_000 {
            let moved = Cell::new(0);
            table.insert(hash(node), node, |other| {
                moved.set(moved.get() + 1);
                hash(other)
            });
            known.insert(key(node), node);
            assert!(moved.get() <= STEP, "{} are moved at once", moved.get());
            assert!(table.bytes() <= HashIndex::most_bytes(node as usize + 1));
            growing += usize::from(!table.before.is_empty());
            // Of those that are there and of those that are not.
            for asked in [node / 2, node, node + 1, node.wrapping_mul(7919) % 40_000] {
                let found = table.find(hash(asked), |other| key(other) == key(asked));
                assert_eq!(found, known.get(&key(asked)).copied(), "{asked} of {node}");
            }
        }
        assert!(growing > 1000, "{growing}");
        for (key_of_one, &node) in &known {
            assert_eq!(table.find(hash(node), |other| key(other) == *key_of_one), Some(node));
        }
    }
}
