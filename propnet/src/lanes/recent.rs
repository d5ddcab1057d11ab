//! The moves made in the last two steps, as words: for each move, the lanes in which it was made.
//!
//! What a step leaves behind says which move each role made, bit by bit. The bits are kept, and
//! moves that are asked for are decoded from them.

use std::ops::Range;

use super::context::MAX_STEPS_AGO;
use super::history::{KeptChoice, keep};
use super::word::Word;
use crate::game::Role;
use crate::program::StepPorts;

/// The moves of the last steps, in lanes that made them in their current playout.
pub(super) struct RecentMoves<W> {
    /// The words of the work space that are kept.
    kept: Vec<usize>,
    choices: Vec<KeptChoice>,
    roles: Vec<RoleMoves>,
    /// By steps ago.
    steps: [Step<W>; MAX_STEPS_AGO],
    /// Where each number is the one that is decoded. Means nothing between calls.
    decoded: Vec<W>,
}

/// A step that was made.
struct Step<W> {
    /// The words that are kept.
    words: Vec<W>,
    /// Lanes that made it in their current playout.
    lanes: W,
}

/// Where the moves of a role are.
struct RoleMoves {
    /// The choice by weights that it is part of, and its number among the choosers.
    choice: Option<(usize, usize)>,
    /// The bits of the index among the moves that it makes otherwise.
    index: Range<usize>,
    /// By move.
    places: Vec<Option<MovePlace>>,
}

/// How a role makes a move.
#[derive(Clone, Copy)]
enum MovePlace {
    /// By weights: the position.
    Chosen(usize),
    /// Alone: the index among such moves.
    Alone(usize),
}

/// Moves that are decoded together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MoveSource {
    pub(super) steps_ago: usize,
    /// The numbers come from a choice, or from a role alone.
    numbers: Numbers,
    role: Role,
    number: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Numbers {
    Choice(usize),
    Alone(Role),
}

impl<W: Word> RecentMoves<W> {
    /// None yet. `moves` is the number of moves by role; the step has to record them.
    pub(super) fn new(ports: &StepPorts, moves: &[usize]) -> Self {
        let mut kept = Vec::new();
        let choices: Vec<KeptChoice> =
            ports.choices.iter().map(|choice| KeptChoice::new(choice, &mut kept)).collect();
        let roles = ports.made.iter().zip(moves).map(|(made, &count)| {
            let mut places = vec![None; count];
            if let Some((at, number)) = made.choice {
                let chosen = ports.choices[at].choosers[number].moves.iter().enumerate();
                chosen.for_each(|(at, &chosen)| places[chosen] = Some(MovePlace::Chosen(at)));
            }
            let alone = made.moves.iter().enumerate();
            alone.for_each(|(at, &chosen)| places[chosen] = Some(MovePlace::Alone(at)));
            let index = keep(&mut kept, made.index.iter().map(|slot| slot.index()));
            RoleMoves { choice: made.choice, index, places }
        });
        let roles = roles.collect();
        let step = || Step { words: vec![W::ZERO; kept.len()], lanes: W::ZERO };
        let steps = [step(), step()];
        RecentMoves { kept, choices, roles, steps, decoded: Vec::new() }
    }

    /// Says that new playouts begin in lanes.
    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: W) {
        for step in &mut self.steps {
            step.lanes = step.lanes & !lanes;
        }
    }

    /// Keeps the step that lanes have just made.
    #[inline(always)]
    pub(super) fn push(&mut self, work: &[W], lanes: W) {
        self.steps.rotate_right(1);
        let [step, ..] = &mut self.steps;
        for (word, &from) in step.words.iter_mut().zip(&self.kept) {
            *word = work[from];
        }
        step.lanes = lanes;
    }

    /// How to find the lanes in which a role made a move; none where it never can.
    pub(super) fn source(&self, role: Role, chosen: usize, steps_ago: usize) -> Option<MoveSource> {
        let own = self.roles.get(role)?;
        let (numbers, number) = match (own.places.get(chosen)?.as_ref()?, own.choice) {
            (&MovePlace::Chosen(position), Some((choice, _))) => {
                (Numbers::Choice(choice), position)
            }
            (&MovePlace::Chosen(_), None) => return None,
            (&MovePlace::Alone(index), _) => (Numbers::Alone(role), index),
        };
        Some(MoveSource { steps_ago, numbers, role, number })
    }

    /// Writes the lanes in which moves were made; their sources are in ascending order.
    pub(super) fn write(&mut self, sources: &[MoveSource], words: &mut [W]) {
        let mut rest = words;
        for together in sources.chunk_by(|one, other| one.is_decoded_with(other)) {
            let step = &self.steps[together[0].steps_ago - 1];
            let bits = match together[0].numbers {
                Numbers::Choice(at) => self.choices[at].position.clone(),
                Numbers::Alone(role) => self.roles[role].index.clone(),
            };
            let highest = together.iter().map(|source| source.number).max().unwrap_or(0);
            decode(&step.words[bits], step.lanes, highest + 1, &mut self.decoded);
            for roles in together.chunk_by(|one, other| one.role == other.role) {
                let makes = self.makes(step, roles[0]);
                let (own, others) = rest.split_at_mut(roles.len());
                rest = others;
                for (word, source) in own.iter_mut().zip(roles) {
                    *word = self.decoded[source.number] & makes;
                }
            }
        }
    }

    /// Lanes in which the role of a source made its move in that way.
    fn makes(&self, step: &Step<W>, source: MoveSource) -> W {
        let Some((choice, number)) = self.roles[source.role].choice else {
            return W::splat(true);
        };
        let KeptChoice { some, ref is_chooser, .. } = self.choices[choice];
        let others = &step.words[is_chooser.clone()];
        let chooses = match number {
            0 => others.iter().fold(step.words[some], |lanes, &other| lanes & !other),
            other => others[other - 1],
        };
        match source.numbers {
            Numbers::Choice(_) => chooses,
            Numbers::Alone(_) => !chooses,
        }
    }
}

impl MoveSource {
    fn is_decoded_with(&self, other: &MoveSource) -> bool {
        (self.steps_ago, self.numbers) == (other.steps_ago, other.numbers)
    }
}

/// By number below `count`: the lanes, of some, in which words have its bits, the least first.
fn decode<W: Word>(bits: &[W], lanes: W, count: usize, decoded: &mut Vec<W>) {
    decoded.clear();
    decoded.push(lanes);
    for (at, &bit) in bits.iter().enumerate().rev() {
        // Numbers without their lower bits: each becomes two.
        let half = decoded.len();
        let wanted = ((count - 1) >> at) + 1;
        decoded.resize(wanted, W::ZERO);
        for number in (0..half).rev() {
            let here = decoded[number];
            if 2 * number + 1 < wanted {
                decoded[2 * number + 1] = here & bit;
            }
            decoded[2 * number] = here & !bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_where_its_bits_are() {
        // Lane i has the number i, in six bits.
        let bits: Vec<u64> = (0..6)
            .map(|bit| (0..64).filter(|lane| lane >> bit & 1 == 1).map(|lane| 1u64 << lane).sum())
            .collect();
        let mut decoded = Vec::new();
        for count in 1..=64 {
            decode(&bits, !0b1000, count, &mut decoded);
            let expected = (0..count).map(|number| if number == 3 { 0 } else { 1u64 << number });
            assert_eq!(decoded, expected.collect::<Vec<_>>());
        }
        decode(&[], 5u64, 1, &mut decoded);
        assert_eq!(decoded, [5]);
    }
}
