//! Nodes by state: an open-addressed table of node numbers.
//!
//! The table holds numbers only; hashes and states are in the nodes. Entries are never taken out:
//! when nodes go, the table is made anew with those that stay.

/// A place without a node.
const EMPTY: u32 = u32::MAX;

/// The fewest places of a table that holds anything.
const FEWEST: usize = 64;

/// Places for node numbers; a power of two, at most half of them taken.
#[derive(Default)]
pub(super) struct Table {
    places: Vec<u32>,
    taken: usize,
}

impl Table {
    /// A table with room for so many nodes.
    fn with_room(nodes: usize) -> Self {
        Table { places: vec![EMPTY; (2 * nodes).next_power_of_two().max(FEWEST)], taken: 0 }
    }

    /// The node with this hash that is the one looked for.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let mut at = hash as usize & (self.places.len() - 1);
        loop {
            match self.places[at] {
                EMPTY => return None,
                node if is_it(node) => return Some(node),
                _ => at = (at + 1) & (self.places.len() - 1),
            }
        }
    }

    /// Adds a node that is not there. `hash_of` tells the hashes of those that are.
    pub(super) fn insert(&mut self, hash: u64, node: u32, hash_of: impl Fn(u32) -> u64) {
        if 2 * (self.taken + 1) > self.places.len() {
            let mut larger = Table::with_room(self.taken + 1);
            for &node in self.places.iter().filter(|&&node| node != EMPTY) {
                larger.put(hash_of(node), node);
            }
            *self = larger;
        }
        self.put(hash, node);
    }

    fn put(&mut self, hash: u64, node: u32) {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != EMPTY {
            at = (at + 1) & mask;
        }
        self.places[at] = node;
        self.taken += 1;
    }

    /// The bytes that a table of so many nodes takes at most: when it has grown, a quarter of its
    /// places are taken, and the one before, half as large, is there until then.
    pub(super) fn most_bytes(nodes: usize) -> usize {
        (4 * nodes).max(FEWEST) / 2 * 3 * size_of::<u32>()
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_among_others_with_the_same_hash() {
        let hash = |node: u32| u64::from(node % 7);
        let mut table = Table::default();
        for node in 0..500 {
            assert_eq!(table.find(hash(node), |other| other == node), None);
            let before = table.bytes();
            table.insert(hash(node), node, hash);
            let beside = if table.bytes() > before { before } else { 0 };
            assert!(table.bytes() + beside <= Table::most_bytes(node as usize + 1));
        }
        for node in 0..500 {
            assert_eq!(table.find(hash(node), |other| other == node), Some(node));
        }
        assert_eq!(table.find(3, |_| false), None);
    }
}
