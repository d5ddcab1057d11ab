//! Sentences that may be about two cells: moves and facts. Some of them show which cells touch.

use std::collections::BTreeMap;

use super::sentence::Sentence;

/// The arguments of sentences, by their kind and name.
#[derive(Clone, Debug, Default)]
pub struct Links {
    by_name: BTreeMap<(LinkKind, String), Vec<Vec<String>>>,
    count: usize,
}

/// What a sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkKind {
    /// It holds in every state.
    Fact,
    /// It is a move.
    Move,
}

/// Large games have millions of moves; a part of them is enough.
const MOST: usize = 100_000;

impl Links {
    /// Adds a sentence.
    pub(super) fn add(&mut self, kind: LinkKind, sentence: Sentence) {
        if self.count < MOST && sentence.args.len() > 1 {
            self.count += 1;
            self.by_name.entry((kind, sentence.name)).or_default().push(sentence.args);
        }
    }

    /// The arguments of all moves.
    pub(super) fn moves(&self) -> impl Iterator<Item = &Vec<String>> {
        let moves = self.by_name.iter().filter(|((kind, _), _)| *kind == LinkKind::Move);
        moves.flat_map(|(_, sentences)| sentences)
    }

    /// The pairs of cells of each name; `cells` finds those that a list of arguments names.
    pub(super) fn pairs(
        &self,
        cells: impl Fn(&[String]) -> Vec<usize>,
    ) -> impl Iterator<Item = Vec<(usize, usize)>> {
        self.by_name.values().map(move |sentences| {
            let pair = |args: &Vec<String>| match cells(args)[..] {
                [one, two] => Some((one, two)),
                _ => None,
            };
            sentences.iter().filter_map(pair).collect()
        })
    }
}
