//! The rows of one predicate, with hash indexes on demand.
//!
//! Rows are only ever added, so a row number keeps its meaning, and "what was there at the start
//! of this round" is a number. An index chains the rows with equal keys, newest first:
//!
//! ```text
//! key (3, b) -> row 17 -> row 9 -> row 2      newest: hash table, older: one link per row
//! ```

use std::hash::Hasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxHashSet, FxHasher};

use crate::terms::TermId;

/// The end of a chain.
pub(super) const NO_ROW: u32 = u32::MAX;

/// The rows of a predicate.
#[derive(Debug, Default)]
pub(super) struct Relation {
    arity: usize,
    count: u32,
    values: Vec<TermId>,
    rows: HashTable<u32>,
    indexes: Vec<RowIndex>,
    /// For each column the number of different values, and how many rows there were then.
    distinct: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct RowIndex {
    columns: Vec<usize>,
    newest: HashTable<u32>,
    older: Vec<u32>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        Relation { arity, distinct: vec![(0, 0); arity], ..Relation::default() }
    }

    pub(super) fn len(&self) -> u32 {
        self.count
    }

    pub(super) fn row(&self, row: u32) -> &[TermId] {
        let start = row as usize * self.arity;
        &self.values[start..start + self.arity]
    }

    /// The number of a row, and whether it is new.
    pub(super) fn insert(&mut self, values: &[TermId]) -> (u32, bool) {
        let Relation { arity, values: all, .. } = self;
        let at = |row: u32| &all[row as usize * *arity..(row as usize + 1) * *arity];
        let entry = self.rows.entry(
            hash_values(values.iter()),
            |&row| at(row) == values,
            |&row| hash_values(at(row).iter()),
        );
        match entry {
            Entry::Occupied(place) => (*place.get(), false),
            Entry::Vacant(place) => {
                let row = self.count;
                place.insert(row);
                self.values.extend_from_slice(values);
                self.count += 1;
                (row, true)
            }
        }
    }

    /// The row with these values.
    pub(super) fn find(&self, values: &[TermId]) -> Option<u32> {
        self.rows.find(hash_values(values.iter()), |&row| self.row(row) == values).copied()
    }

    /// The number of the index on these columns (ascending), made if there is none.
    pub(super) fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(at) = self.indexes.iter().position(|index| index.columns == columns) {
            return at;
        }
        let columns = columns.to_vec();
        self.indexes.push(RowIndex { columns, newest: HashTable::new(), older: Vec::new() });
        self.indexes.len() - 1
    }

    /// Gives up all indexes: no more joins are made.
    pub(super) fn drop_indexes(&mut self) {
        self.indexes = Vec::new();
    }

    /// Keeps the rows alone: none is looked for any more.
    pub(super) fn drop_search(&mut self) {
        self.drop_indexes();
        self.rows = HashTable::new();
    }

    /// Brings all indexes up to date with the rows.
    pub(super) fn catch_up(&mut self) {
        let Relation { arity, values, indexes, count, .. } = self;
        for index in indexes {
            let columns = &index.columns;
            let cell = |row: u32, column: usize| &values[row as usize * *arity + column];
            let hash = |row: u32| hash_values(columns.iter().map(|&column| cell(row, column)));
            for row in index.older.len() as u32..*count {
                let entry = index.newest.entry(
                    hash(row),
                    |&other| columns.iter().all(|&c| cell(row, c) == cell(other, c)),
                    |&other| hash(other),
                );
                match entry {
                    Entry::Occupied(mut place) => {
                        index.older.push(std::mem::replace(place.get_mut(), row));
                    }
                    Entry::Vacant(place) => {
                        place.insert(row);
                        index.older.push(NO_ROW);
                    }
                }
            }
        }
    }

    /// The newest row with this key, or [`NO_ROW`]. The index must be up to date.
    pub(super) fn newest(&self, index: usize, key: &[TermId]) -> u32 {
        let RowIndex { columns, newest, .. } = &self.indexes[index];
        let found = newest.find(hash_values(key.iter()), |&row| {
            let values = self.row(row);
            columns.iter().zip(key).all(|(&column, key)| values[column] == *key)
        });
        found.copied().unwrap_or(NO_ROW)
    }

    /// The next row with the same key, or [`NO_ROW`].
    pub(super) fn older(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].older[row as usize]
    }

    /// How many rows have given values in these columns, on average over the values that occur.
    pub(super) fn expected(&mut self, columns: &[usize]) -> f64 {
        let mut keys = 1.0;
        for &column in columns {
            keys *= f64::from(self.distinct_in(column).max(1));
        }
        f64::from(self.count) / keys.min(f64::from(self.count.max(1)))
    }

    /// The number of values in a column, counted anew whenever the rows have doubled.
    pub(super) fn distinct_in(&mut self, column: usize) -> u32 {
        let (known, then) = self.distinct[column];
        if then > 0 && self.count < then * 2 {
            return known;
        }
        let values = (0..self.count).map(|row| self.row(row)[column]);
        let known = values.collect::<FxHashSet<TermId>>().len() as u32;
        self.distinct[column] = (known, self.count);
        known
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let of_index =
            |index: &RowIndex| index.older.capacity() * 4 + index.newest.allocation_size();
        let indexes: usize = self.indexes.iter().map(of_index).sum();
        (self.values.capacity() * 4 + self.rows.allocation_size() + indexes) as u64
    }
}

fn hash_values<'a>(values: impl Iterator<Item = &'a TermId>) -> u64 {
    let mut hasher = FxHasher::default();
    for value in values {
        hasher.write_u32(value.0);
    }
    hasher.finish()
}
