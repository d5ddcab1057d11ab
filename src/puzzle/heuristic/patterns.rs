//! Estimates by several pattern databases: the largest distance is never too long; the sum of all
//! tells states apart better.

use super::super::puzzle::Puzzle;
use super::closed::{LARGEST, closed_sets};
use super::database::{MadeDatabase, PatternDatabase, state_of};
use super::distance::words;

/// States of a database at most, and the work for all of them: a few tenths of a second.
const STATES: usize = 200_000;
const WORK: u64 = 300_000_000;
/// Two sets are joined if the product of their states is at most so many times [`STATES`]: most
/// pairs have far fewer states than that.
const LIKELY: usize = 300;

/// Pattern databases of a puzzle.
pub(in super::super) struct Patterns {
    puzzle: Puzzle,
    databases: Vec<PatternDatabase>,
    /// By database: the words of its fluents.
    places: Vec<Vec<usize>>,
    truths: Vec<bool>,
}

impl Patterns {
    /// The databases for goals of at least this value. `None` where the circuit has no closed sets
    /// that say something, or the caller wants no more.
    pub(in super::super) fn new(
        puzzle: &Puzzle,
        least: i32,
        goes_on: &dyn Fn(u64) -> bool,
    ) -> Option<Self> {
        let left = std::cell::Cell::new(WORK);
        let within = |work: u64| {
            left.set(left.get().saturating_sub(work));
            goes_on(work) && left.get() > 0
        };
        let make = |fluents: &[u32]| PatternDatabase::make(puzzle, fluents, least, STATES, &within);
        let mut databases: Vec<PatternDatabase> = Vec::new();
        for set in closed_sets(puzzle) {
            match make(&set) {
                MadeDatabase::Made(database) => databases.push(database),
                MadeDatabase::Unfit => {}
                MadeDatabase::Stopped if left.get() == 0 => break,
                MadeDatabase::Stopped => return None,
            }
        }
        databases.sort_by_key(PatternDatabase::len);
        join(&mut databases, &make);
        if !goes_on(0) {
            return None;
        }
        databases.retain(PatternDatabase::is_useful);
        if databases.is_empty() {
            return None;
        }
        let words = words(puzzle);
        let word = |&fluent: &u32| words[fluent as usize];
        let places = databases
            .iter()
            .map(|database| database.fluents.iter().map(word).collect::<Option<Vec<usize>>>());
        Some(Patterns {
            places: places.collect::<Option<_>>()?,
            databases,
            truths: vec![false; puzzle.lanes.program.carried],
            puzzle: puzzle.clone(),
        })
    }

    /// The goal is at least so many moves away; `None` where it cannot be reached.
    pub(in super::super) fn largest(&mut self, code: &[u64]) -> Option<u32> {
        self.fold(code, u32::max)
    }

    /// The sum of all distances; `None` where the goal cannot be reached.
    pub(in super::super) fn sum(&mut self, code: &[u64]) -> Option<u32> {
        self.fold(code, |sum, distance| sum + distance)
    }

    /// About the work of an estimate.
    pub(in super::super) fn work(&self) -> u64 {
        let bits: usize = self.places.iter().map(Vec::len).sum();
        (self.truths.len() + bits + 30 * self.databases.len()) as u64
    }

    fn fold(&mut self, code: &[u64], join: impl Fn(u32, u32) -> u32) -> Option<u32> {
        self.puzzle.layout.truths(code, &mut self.truths);
        let mut all = 0;
        for (database, words) in self.databases.iter().zip(&self.places) {
            let state = state_of(words.iter().map(|&word| self.truths[word]));
            all = join(all, database.distance(state)?);
        }
        Some(all)
    }
}

/// Joins databases, the smallest first, as long as there is room and work left.
fn join(databases: &mut Vec<PatternDatabase>, make: &dyn Fn(&[u32]) -> MadeDatabase) {
    let mut at = 0;
    while at + 1 < databases.len() {
        let (one, other) = (&databases[at], &databases[at + 1]);
        let mut fluents = [one.fluents.as_slice(), &other.fluents].concat();
        fluents.sort_unstable();
        fluents.dedup();
        let is_likely = one.len().saturating_mul(other.len()) <= LIKELY.saturating_mul(STATES);
        let joined = match is_likely && fluents.len() <= LARGEST {
            true => make(&fluents),
            false => MadeDatabase::Unfit,
        };
        match joined {
            MadeDatabase::Made(joined) => {
                databases.remove(at + 1);
                databases[at] = joined;
            }
            MadeDatabase::Unfit => at += 1,
            MadeDatabase::Stopped => return,
        }
    }
}
