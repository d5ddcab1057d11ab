//! The facts of one relation, with hash indexes built when a join first asks for them.
//!
//! Arguments are interned terms. An index is described by paths into the arguments, because the
//! interesting values of `(true (cell ?x ?y b))` sit inside the one argument.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;

use crate::gdl::Symbol;
use crate::terms::{TermId, Terms};

/// A column, then argument positions inside its term.
pub(super) type Path = SmallVec<[u16; 4]>;

/// The values at an index's paths.
pub(super) type IndexKey = SmallVec<[TermId; 4]>;

/// Which rows an index covers, and by which values it finds them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct IndexAccess {
    /// The terms at these paths must be this function with this number of arguments; outer ones
    /// first.
    pub(super) shape: Vec<(Path, Symbol, usize)>,
    /// The values at these paths are the key.
    pub(super) keys: Vec<Path>,
}

/// The end of a chain of rows.
pub(super) const NO_ROW: u32 = u32::MAX;

/// What a row takes beside its arguments: its place in the table of all rows.
const ROW_BYTES: usize = 12;

/// What an index takes for each row, and for each key beside its values.
const OLDER_BYTES: usize = 6;
const KEY_BYTES: usize = 56;

/// Facts that took more give their memory back when they are forgotten.
const KEPT_BYTES: u64 = 1 << 20;

/// Rows looked at to guess how many a look-up finds.
const SAMPLE: usize = 20_000;

#[derive(Default)]
struct FactIndex {
    /// Newest row of each key; `older` leads on to the rest.
    newest: FxHashMap<IndexKey, u32>,
    older: Vec<u32>,
}

/// The rows of a relation, without duplicates, in the order of insertion.
#[derive(Default)]
pub(super) struct Facts {
    arity: usize,
    count: usize,
    values: Vec<TermId>,
    seen: HashTable<u32>,
    indexes: IndexMap<IndexAccess, FactIndex, FxBuildHasher>,
    /// Guesses made before, with the number of rows at that time.
    guesses: FxHashMap<IndexAccess, (usize, f64)>,
}

impl Facts {
    pub(super) fn new(arity: usize) -> Self {
        Facts { arity, ..Facts::default() }
    }

    pub(super) fn arity(&self) -> usize {
        self.arity
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn row(&self, row: usize) -> &[TermId] {
        &self.values[row * self.arity..(row + 1) * self.arity]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[TermId]> {
        (0..self.count).map(|row| self.row(row))
    }

    /// Adds a row; false if it was there.
    pub(super) fn insert(&mut self, values: &[TermId]) -> bool {
        if self.contains(values) {
            return false;
        }
        let row = self.count as u32;
        self.values.extend_from_slice(values);
        self.count += 1;
        let (all, arity) = (&self.values, self.arity);
        self.seen.insert_unique(hash_of(values), row, |&other| {
            hash_of(&all[other as usize * arity..(other as usize + 1) * arity])
        });
        true
    }

    pub(super) fn contains(&self, values: &[TermId]) -> bool {
        self.seen.find(hash_of(values), |&row| self.row(row as usize) == values).is_some()
    }

    /// Bytes of one row, about, indexes not counted. As for all bytes here, the room that lists and
    /// tables have to grow counts half as much again.
    pub(super) fn row_bytes(&self) -> u64 {
        (ROW_BYTES + self.arity * size_of::<TermId>() * 3 / 2) as u64
    }

    /// Bytes of an index, about.
    pub(super) fn index_bytes(&self, index: usize) -> u64 {
        let Some((access, index)) = self.indexes.get_index(index) else { return 0 };
        let key = KEY_BYTES + access.keys.len() * size_of::<TermId>();
        (index.newest.len() * key + index.older.len() * OLDER_BYTES) as u64
    }

    /// Bytes of all rows and indexes, about.
    pub(super) fn bytes(&self) -> u64 {
        let indexes = (0..self.indexes.len()).map(|index| self.index_bytes(index));
        self.count as u64 * self.row_bytes() + indexes.sum::<u64>()
    }

    /// Forgets the rows; the indexes stay, empty.
    pub(super) fn clear(&mut self) {
        if self.bytes() > KEPT_BYTES {
            self.values = Vec::new();
            self.seen = HashTable::new();
            self.indexes.values_mut().for_each(|index| *index = FactIndex::default());
        }
        self.count = 0;
        self.values.clear();
        self.seen.clear();
        for index in self.indexes.values_mut() {
            index.newest.clear();
            index.older.clear();
        }
    }

    /// The number of the index with this access, made if there is none yet.
    pub(super) fn index(&mut self, access: IndexAccess) -> usize {
        if let Some(at) = self.indexes.get_index_of(&access) {
            return at;
        }
        self.indexes.insert_full(access, FactIndex::default()).0
    }

    /// How many rows an index has yet to take in.
    pub(super) fn pending(&self, index: usize) -> usize {
        self.count - self.indexes[index].older.len()
    }

    /// The newest row with this key, or [`NO_ROW`]. Brings the index up to date first.
    pub(super) fn newest(&mut self, index: usize, key: &[TermId], terms: &Terms) -> u32 {
        let Some((access, index)) = self.indexes.get_index_mut(index) else { return NO_ROW };
        for row in index.older.len()..self.count {
            let values = &self.values[row * self.arity..(row + 1) * self.arity];
            let older = match key_of(values, access, terms) {
                Some(key) => index.newest.insert(key, row as u32).unwrap_or(NO_ROW),
                None => NO_ROW,
            };
            index.older.push(older);
        }
        index.newest.get(key).copied().unwrap_or(NO_ROW)
    }

    /// The next row with the same key, or [`NO_ROW`].
    pub(super) fn older(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].older[row as usize]
    }

    /// About how many rows a look-up by this access finds on average.
    pub(super) fn expected_rows(&mut self, access: IndexAccess, terms: &Terms) -> f64 {
        if let Some(&(then, guess)) = self.guesses.get(&access)
            && (then / 3..=then * 3).contains(&self.count)
        {
            return guess;
        }
        let mut keys: FxHashSet<IndexKey> = FxHashSet::default();
        let mut covered = 0usize;
        for row in self.rows().take(SAMPLE) {
            if let Some(key) = key_of(row, &access, terms) {
                covered += 1;
                keys.insert(key);
            }
        }
        let guess = covered as f64 / keys.len().max(1) as f64;
        self.guesses.insert(access, (self.count, guess));
        guess
    }
}

/// The row's key, or `None` if it does not have the shape.
pub(super) fn key_of(row: &[TermId], access: &IndexAccess, terms: &Terms) -> Option<IndexKey> {
    let fits = access.shape.iter().all(|(path, name, arity)| {
        let term = value_at(row, path, terms);
        terms.name(term) == *name && terms.args(term).len() == *arity
    });
    fits.then(|| access.keys.iter().map(|path| value_at(row, path, terms)).collect())
}

/// The value at a path; the shapes on the way have been checked.
pub(super) fn value_at(row: &[TermId], path: &[u16], terms: &Terms) -> TermId {
    let mut value = row[path[0] as usize];
    for &at in &path[1..] {
        value = terms.args(value)[at as usize];
    }
    value
}

fn hash_of(values: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    values.hash(&mut hasher);
    hasher.finish()
}
