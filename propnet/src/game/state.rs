//! States and moves: indices into the tables of the engine that made them.

use std::hash::{Hash, Hasher};

use bitvec::prelude::{BitBox, BitSlice, Lsb0};
use bitvec::view::BitView;

use super::table::TableId;

/// A player, by its index in the order of declaration.
pub type Role = usize;

/// A move of a role, by its index in that role's table of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    index: u32,
    table: TableId,
}

/// One move for each role, in the order of the roles.
pub type JointMove = Vec<Move>;

impl Move {
    /// The move with this index in these tables.
    #[inline]
    pub fn new(table: TableId, index: u32) -> Self {
        Move { index, table }
    }

    /// The index in the role's table of moves.
    #[inline]
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The tables that the move belongs to.
    #[inline]
    pub fn table(self) -> TableId {
        self.table
    }
}

/// A state: which propositions are true, by their indices.
#[derive(Clone, Debug)]
pub struct State {
    bits: BitSet,
    table: TableId,
}

impl State {
    /// The state of these tables in which exactly these propositions are true.
    pub fn new(table: TableId, fluents: impl IntoIterator<Item = usize>) -> Self {
        State { bits: fluents.into_iter().collect(), table }
    }

    /// The state with these words, of which the first has the indices below 64.
    pub fn from_words(table: TableId, words: &[u64]) -> Self {
        State { bits: BitSet::from_words(words), table }
    }

    /// The tables that the state belongs to.
    #[inline]
    pub fn table(&self) -> TableId {
        self.table
    }

    /// The propositions as bits, by their indices; those beyond the end are false.
    pub fn bits(&self) -> &BitSlice<u64, Lsb0> {
        &self.bits.bits
    }

    /// Whether a proposition is true.
    pub fn contains(&self, fluent: usize) -> bool {
        self.bits().get(fluent).is_some_and(|bit| *bit)
    }

    /// The true propositions, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.bits.iter()
    }

    /// The number of true propositions.
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// Whether none is true.
    pub fn is_empty(&self) -> bool {
        self.words().is_empty()
    }

    /// The words, never with a zero word at the end.
    pub fn words(&self) -> &[u64] {
        self.bits.words()
    }
}

/// States of different tables are never equal.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits && self.table == other.table
    }
}

impl Eq for State {}

/// The same in every run: the tables are left out.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.words().hash(hasher);
    }
}

/// A set of moves of one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSet {
    bits: BitSet,
    table: TableId,
}

impl MoveSet {
    /// The moves with these indices in these tables.
    pub fn new(table: TableId, indices: impl IntoIterator<Item = usize>) -> Self {
        MoveSet { bits: indices.into_iter().collect(), table }
    }

    /// The set with these words, of which the first has the indices below 64.
    pub fn from_words(table: TableId, words: &[u64]) -> Self {
        MoveSet { bits: BitSet::from_words(words), table }
    }

    /// Whether a move is in the set; a move of other tables never is.
    pub fn contains(&self, chosen: Move) -> bool {
        self.table == chosen.table && self.bits().get(chosen.index()).is_some_and(|bit| *bit)
    }

    /// The moves as bits, by their indices; those beyond the end are not in the set.
    pub fn bits(&self) -> &BitSlice<u64, Lsb0> {
        &self.bits.bits
    }

    /// The moves in ascending order of their indices.
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.bits.iter().map(|index| Move::new(self.table, index as u32))
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bits.words().is_empty()
    }
}

/// A set of table indices.
#[derive(Clone, Debug)]
struct BitSet {
    /// Whole words without zero words at the end, so that equal sets have equal words.
    bits: BitBox<u64, Lsb0>,
}

impl BitSet {
    fn from_words(words: &[u64]) -> Self {
        let end = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        BitSet { bits: BitBox::from_boxed_slice(words[..end].into()) }
    }

    fn words(&self) -> &[u64] {
        self.bits.as_raw_slice()
    }

    /// The indices in ascending order: word by word, which is faster than bitvec's way.
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| at * 64 + rest.trailing_zeros() as usize)
        })
    }

    fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Words are compared, which is faster than bit by bit.
impl PartialEq for BitSet {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for BitSet {}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut words = Vec::new();
        for index in indices {
            if index / 64 >= words.len() {
                words.resize(index / 64 + 1, 0);
            }
            words.view_bits_mut::<Lsb0>().set(index, true);
        }
        BitSet::from_words(&words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_different_growth_compare_by_their_members() {
        let table = TableId::unique();
        let small = State::new(table, [3, 70]);
        assert_eq!(small, State::new(table, [70, 3]));
        assert_eq!(small.iter().collect::<Vec<_>>(), [3, 70]);
        assert_eq!(small.len(), 2);
        assert!(small.contains(70) && !small.contains(6) && !small.contains(500));
        assert_eq!(small, State::from_words(table, &[8, 64, 0, 0]));
        assert!(State::from_words(table, &[0, 0]).is_empty() && State::new(table, []).is_empty());
    }

    #[test]
    fn what_is_of_other_tables_is_not_equal() {
        let tables = [TableId::unique(), TableId::unique()];
        let [own, foreign] = tables.map(|table| State::new(table, [1]));
        assert_ne!(own, foreign);
        let [own, foreign] = tables.map(|table| Move::new(table, 1));
        assert_ne!(own, foreign);
        let set = MoveSet::new(tables[0], [0, 1]);
        assert!(set.contains(own) && !set.contains(foreign));
        assert_ne!(set, MoveSet::new(tables[1], [0, 1]));
    }
}
