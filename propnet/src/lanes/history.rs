//! The moves made in the last steps, in every lane.
//!
//! A step leaves in the work space which move each role made, bit by bit: a few words for all
//! lanes. They are kept in blocks of 64 lanes, and read lane by lane only when a playout that wants
//! its moves is over: what one lane needs is close together.

use std::ops::Range;

use super::word::Word;
use crate::game::{Move, TableId};
use crate::program::{StepPorts, WeightedChoice};

/// The number of steps that may always be kept.
const FEW: usize = 64;

/// What was made in the steps from some step on.
pub(super) struct History {
    /// The words of the work space that are kept.
    kept: Vec<usize>,
    /// By role: how its move is read from them.
    roles: Vec<MoveReader>,
    /// How many times 64 lanes there are.
    parts: usize,
    /// Step by step, 64 lanes after the other, role by role, bit by bit.
    words: Vec<u64>,
    /// The number of the first step that is kept.
    first: u64,
    /// The number of steps at which it is worth looking for what can be forgotten.
    full: usize,
    /// The steps that are kept.
    steps: usize,
}

/// How the move of a role is read from the words that are kept.
struct MoveReader {
    chooser: Option<ChooserReader>,
    /// The moves that it makes otherwise, and the bits of the index among them.
    moves: Vec<Move>,
    index: Range<usize>,
}

/// How the move of a role that chooses by weights is read.
struct ChooserReader {
    /// Its number among the choosers.
    number: usize,
    /// By position: its move.
    moves: Vec<Move>,
    choice: KeptChoice,
}

/// Where the words of a choice by weights are among those that are kept.
#[derive(Clone)]
pub(super) struct KeptChoice {
    pub(super) some: usize,
    /// By chooser except the first: whether it is the one.
    pub(super) is_chooser: Range<usize>,
    pub(super) position: Range<usize>,
}

impl History {
    pub(super) fn new(ports: &StepPorts, table: TableId, lanes: usize) -> Self {
        let moves = |indices: &[usize]| -> Vec<Move> {
            indices.iter().map(|&index| Move::new(table, index as u32)).collect()
        };
        let mut kept = Vec::new();
        // Nothing is recorded of roles, nor of their choices, where nothing is to be.
        let choices = ports.choices.iter().filter(|_| !ports.made.is_empty());
        let kept_choices: Vec<KeptChoice> =
            choices.map(|choice| KeptChoice::new(choice, &mut kept)).collect();
        let roles = ports.made.iter().map(|made| {
            let chooser = made.choice.map(|(at, number)| ChooserReader {
                number,
                moves: moves(&ports.choices[at].choosers[number].moves),
                choice: kept_choices[at].clone(),
            });
            let index = keep(&mut kept, made.index.iter().map(|slot| slot.index()));
            MoveReader { chooser, moves: moves(&made.moves), index }
        });
        let roles = roles.collect();
        let parts = lanes / 64;
        History { kept, roles, parts, words: Vec::new(), first: 0, full: FEW, steps: 0 }
    }

    /// Adds the step that was just made; the steps before it, as far as kept, are those before.
    #[inline(always)]
    pub(super) fn push<W: Word>(&mut self, work: &[W]) {
        let start = self.words.len();
        self.words.resize(start + self.parts * self.kept.len(), 0);
        let step = &mut self.words[start..];
        for (at, &word) in self.kept.iter().enumerate() {
            let places = step[at..].iter_mut().step_by(self.kept.len());
            for (place, &part) in places.zip(work[word].parts()) {
                *place = part;
            }
        }
        self.steps += 1;
    }

    /// Whether there is much that might be forgotten.
    pub(super) fn is_full(&self) -> bool {
        self.steps >= self.full
    }

    /// Forgets the steps before this one, which is at most the next one to come.
    pub(super) fn forget_before(&mut self, step: u64) {
        let gone = (step.saturating_sub(self.first) as usize).min(self.steps);
        self.words.drain(..gone * self.parts * self.kept.len());
        self.steps -= gone;
        self.first = self.first.max(step);
        self.full = FEW.max(2 * self.steps);
    }

    /// The joint moves that a lane made in `count` steps from a step that is kept, one after the
    /// other.
    #[inline(always)]
    pub(super) fn moves(&self, lane: usize, step: u64, count: u64) -> Vec<Move> {
        let mut moves = Vec::with_capacity(count as usize * self.roles.len());
        let first = (step - self.first) as usize;
        for step in first..first + count as usize {
            let own = (step * self.parts + lane / 64) * self.kept.len();
            let words = &self.words[own..][..self.kept.len()];
            for role in &self.roles {
                moves.push(role.read(words, lane % 64));
            }
        }
        moves
    }
}

impl MoveReader {
    #[inline(always)]
    fn read(&self, words: &[u64], place: usize) -> Move {
        let (moves, at) = match &self.chooser {
            Some(chooser) if chooser.chooses(words, place) => {
                (&chooser.moves, &chooser.choice.position)
            }
            _ => (&self.moves, &self.index),
        };
        moves[number(&words[at.clone()], place) as usize]
    }
}

impl ChooserReader {
    #[inline(always)]
    fn chooses(&self, words: &[u64], place: usize) -> bool {
        let is_true = |word: usize| words[word] >> place & 1 == 1;
        let KeptChoice { some, ref is_chooser, .. } = self.choice;
        match self.number {
            0 => is_true(some) && !is_chooser.clone().any(is_true),
            other => is_true(is_chooser.start + other - 1),
        }
    }
}

impl KeptChoice {
    pub(super) fn new(choice: &WeightedChoice, kept: &mut Vec<usize>) -> Self {
        KeptChoice {
            some: keep(kept, [choice.some]).start,
            is_chooser: keep(kept, choice.is_chooser.clone()),
            position: keep(kept, choice.position.clone()),
        }
    }
}

/// Adds words to those that are kept, and says where they are.
pub(super) fn keep(kept: &mut Vec<usize>, words: impl IntoIterator<Item = usize>) -> Range<usize> {
    let start = kept.len();
    kept.extend(words);
    start..kept.len()
}

/// The number whose bits, the least first, words have at some place.
#[inline(always)]
fn number(words: &[u64], place: usize) -> u32 {
    let (eights, rest) = words.as_chunks::<8>();
    let mut found = 0;
    let mut shift = 0;
    // Eight words at a time fill a vector.
    for eight in eights {
        let bits: [u64; 8] = std::array::from_fn(|bit| (eight[bit] >> place & 1) << bit);
        found |= (bits.iter().fold(0, |all, bit| all | bit) as u32) << shift;
        shift += 8;
    }
    for word in rest {
        found |= ((word >> place & 1) as u32) << shift;
        shift += 1;
    }
    found
}
