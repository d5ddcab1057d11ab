//! The words of contexts: first those of all conditions, then what contexts make of them.
//!
//! ```text
//! | illegal | always | words of the state | moves made | contexts of several conditions, cases of several contexts |
//! ```
//!
//! Each word is computed once, however many moves it is for.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::context::MAX_CONDITIONS;
use super::recent::{MoveSource, RecentMoves};
use super::word::Word;
use crate::machine::{CaseLists, Task, at_full_speed};

/// Words to be computed, and what they are in the lanes.
pub(super) struct ContextWords<W> {
    /// Words of the state, or their complements.
    state: Vec<(usize, bool)>,
    /// In ascending order.
    made: Vec<MoveSource>,
    derived: Vec<Derived>,
    /// Of words that are true where one of several is.
    members: Vec<u32>,
    /// The words of contexts of several conditions.
    contexts: FxHashMap<[u32; MAX_CONDITIONS], u32>,
    words: Vec<W>,
}

/// A word made of words before it.
enum Derived {
    /// All of them.
    All([u32; MAX_CONDITIONS]),
    /// One of the members in this range.
    Any(Range<usize>),
}

impl<W: Word> ContextWords<W> {
    /// The number of the first word that is not there in any case.
    pub(super) const FIRST: usize = 2;

    /// Words of the state and moves made, in ascending order; they are numbered from
    /// [`ContextWords::FIRST`] on.
    pub(super) fn new(state: Vec<(usize, bool)>, made: Vec<MoveSource>) -> Self {
        ContextWords {
            state,
            made,
            derived: Vec::new(),
            members: Vec::new(),
            contexts: FxHashMap::default(),
            words: Vec::new(),
        }
    }

    /// The word that is true where all of some words are.
    pub(super) fn all(&mut self, mut conditions: [u32; MAX_CONDITIONS]) -> u32 {
        conditions.sort_unstable();
        // What always holds comes first.
        if let [CaseLists::ALWAYS, CaseLists::ALWAYS, only] = conditions {
            return only;
        }
        let next = self.next();
        *self.contexts.entry(conditions).or_insert_with(|| {
            self.derived.push(Derived::All(conditions));
            next
        })
    }

    /// The word that is true where one of some words is.
    pub(super) fn any(&mut self, words: &[u32]) -> u32 {
        if let [only] = *words {
            return only;
        }
        let next = self.next();
        let start = self.members.len();
        self.members.extend(words);
        self.derived.push(Derived::Any(start..self.members.len()));
        next
    }

    fn next(&self) -> u32 {
        (Self::FIRST + self.state.len() + self.made.len() + self.derived.len()) as u32
    }

    /// All words, by number, as they were computed last.
    pub(super) fn words(&mut self) -> &mut [W] {
        &mut self.words
    }

    /// Computes all words in a state.
    pub(super) fn compute(&mut self, state: &[W], recent: &mut Option<RecentMoves<W>>) {
        let count = self.next() as usize;
        self.words.resize(count, W::ZERO);
        self.words[CaseLists::ALWAYS as usize] = W::splat(true);
        let first_made = Self::FIRST + self.state.len();
        let made = first_made..first_made + self.made.len();
        if let Some(recent) = recent {
            recent.write(&self.made, &mut self.words[made.clone()]);
        }
        let ContextWords { derived, members, words, .. } = self;
        at_full_speed(Compute {
            state,
            of_state: &self.state,
            derived,
            members,
            words,
            first: made.end,
        });
    }
}

/// Words of the state and derived words, to be computed.
struct Compute<'c, W> {
    state: &'c [W],
    of_state: &'c [(usize, bool)],
    derived: &'c [Derived],
    members: &'c [u32],
    words: &'c mut [W],
    /// The first derived word.
    first: usize,
}

impl<W: Word> Task for Compute<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (word, &(from, complement)) in
            self.words[ContextWords::<W>::FIRST..].iter_mut().zip(self.of_state)
        {
            let flip = if complement { u64::MAX } else { 0 };
            for (part, &from) in word.parts_mut().iter_mut().zip(self.state[from].parts()) {
                *part = from ^ flip;
            }
        }
        for (at, derived) in self.derived.iter().enumerate() {
            let (before, own) = self.words.split_at_mut(self.first + at);
            let own = own[0].parts_mut();
            match derived {
                Derived::All(inputs) => {
                    let [a, b, c] = inputs.map(|input| before[input as usize].parts());
                    for (at, part) in own.iter_mut().enumerate() {
                        *part = a[at] & b[at] & c[at];
                    }
                }
                Derived::Any(range) => {
                    own.fill(0);
                    for &member in &self.members[range.clone()] {
                        let parts = before[member as usize].parts();
                        own.iter_mut().zip(parts).for_each(|(part, other)| *part |= other);
                    }
                }
            }
        }
    }
}
