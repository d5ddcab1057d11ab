//! A transposition table: what is proven about states, and how far they were searched.
//!
//! An entry is found by all bits of its state, so that no bound is ever taken for that of another
//! state. The table grows up to its limit of memory; then the entry of its bucket that was searched
//! least deep is replaced.

use super::node::ValueBounds;
use crate::visited::hash;

/// What is known about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    /// What is proven about its value.
    pub(super) bounds: ValueBounds,
    /// For the search from below and for the one from above: how deep it went, the bound that it
    /// found there, and the joint move that was best.
    pub(super) runs: [TableRun; 2],
}

/// What a search to some depth found about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableRun {
    /// No search up to this depth can prove more than `limit`.
    pub(super) depth: u32,
    /// In the sign of the search.
    pub(super) limit: i64,
    /// The joint move that was best, by its number.
    pub(super) best: u32,
}

impl TableRun {
    /// Nothing was searched.
    pub(super) const NONE: TableRun = TableRun { depth: 0, limit: i64::MAX, best: u32::MAX };
}

/// Entries by state.
pub(super) struct BoundsTable {
    len: usize,
    codes: Vec<u64>,
    /// Empty where there is none.
    entries: Vec<Option<TableEntry>>,
    used: usize,
    most_bytes: u64,
}

/// The places of a bucket.
const WAYS: usize = 4;
const FIRST_SIZE: usize = 1 << 12;

impl BoundsTable {
    /// An empty table, for states of this many numbers.
    pub(super) fn new(len: usize, most_bytes: u64) -> Self {
        BoundsTable {
            len,
            codes: vec![0; FIRST_SIZE * len],
            entries: vec![None; FIRST_SIZE],
            used: 0,
            most_bytes,
        }
    }

    /// What is known about a state.
    #[inline]
    pub(super) fn get(&self, state: &[u64]) -> Option<&TableEntry> {
        let first = self.bucket(state);
        (first..first + WAYS)
            .find(|&at| self.is_at(at, state))
            .and_then(|at| self.entries[at].as_ref())
    }

    /// Keeps what is known about a state, in place of what was.
    pub(super) fn put(&mut self, state: &[u64], entry: TableEntry) {
        if 2 * self.used > self.entries.len() {
            self.grow();
        }
        let first = self.bucket(state);
        let own = (first..first + WAYS).find(|&at| self.is_at(at, state));
        let at = own.unwrap_or_else(|| {
            let cost = |&at: &usize| self.entries[at].map_or(0, |entry| 1 + depth(&entry));
            (first..first + WAYS).min_by_key(cost).expect("a bucket has places")
        });
        self.used += usize::from(self.entries[at].is_none());
        self.codes[at * self.len..(at + 1) * self.len].copy_from_slice(state);
        self.entries[at] = Some(entry);
    }

    #[inline]
    fn bucket(&self, state: &[u64]) -> usize {
        (hash(state) as usize).wrapping_mul(WAYS) & (self.entries.len() - 1)
    }

    #[inline]
    fn is_at(&self, at: usize, state: &[u64]) -> bool {
        self.codes[at * self.len..(at + 1) * self.len] == *state && self.entries[at].is_some()
    }

    fn grow(&mut self) {
        let size = 2 * self.entries.len();
        let bytes = size * (8 * self.len + size_of::<Option<TableEntry>>());
        // The old table is held beside the new one while it grows.
        if bytes as u64 * 3 / 2 > self.most_bytes {
            return;
        }
        let codes = std::mem::replace(&mut self.codes, vec![0; size * self.len]);
        let entries = std::mem::replace(&mut self.entries, vec![None; size]);
        self.used = 0;
        for (code, entry) in codes.chunks_exact(self.len).zip(entries) {
            if let Some(entry) = entry {
                self.put(code, entry);
            }
        }
    }
}

/// How deep a state was searched.
fn depth(entry: &TableEntry) -> u32 {
    let [one, other] = &entry.runs;
    one.depth.max(other.depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32) -> TableEntry {
        let run = TableRun { depth, ..TableRun::NONE };
        TableEntry { bounds: ValueBounds::exactly(depth.into()), runs: [run; 2] }
    }

    #[test]
    fn a_state_has_its_own_entry_or_none() {
        let mut table = BoundsTable::new(2, 1 << 30);
        for number in 0..50_000 {
            table.put(&[number, number * number], entry(number as u32));
        }
        let kept = |number: u64| table.get(&[number, number * number]).copied();
        let count = (0..50_000).filter(|&number| kept(number).is_some()).count();
        assert!(count > 45_000, "a table that may grow replaces few: {count}");
        assert!((0..50_000).all(|at| kept(at).is_none_or(|found| found == entry(at as u32))));
        assert_eq!(table.get(&[1, 2]), None);
    }

    #[test]
    fn a_full_table_keeps_what_was_searched_deepest() {
        let mut table = BoundsTable::new(1, 0);
        for number in 0..40_000 {
            table.put(&[number], entry(if number % 100 == 0 { 50 } else { 1 }));
        }
        assert_eq!(table.entries.len(), FIRST_SIZE);
        let deep = (0..40_000).step_by(100).filter(|&at| table.get(&[at]).is_some()).count();
        assert!(deep > 390, "{deep} of 400");
    }
}
