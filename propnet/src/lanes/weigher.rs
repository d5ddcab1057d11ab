//! Choosing moves by weights, between the two parts of a step.
//!
//! A position is as likely as the weight of its move among those of all legal moves; where they are
//! all 0, as likely as any other legal one. It is found as a rank below the sum of the weights, as
//! random as its bits are: the first position up to which the sum is above the rank.
//!
//! The work is done in vectors of whole numbers where machine code runs, and lane by lane
//! otherwise, with the same outcome.

use std::sync::Arc;

use super::code::Backend;
use super::context::{ContextError, ValueTable};
use super::contexts::{Contexts, check};
use super::recent::RecentMoves;
use super::transpose::by_lane;
use super::word::Word;
use crate::game::{Move, Role};
use crate::machine::{VectorOffer, VectorWeigher};
use crate::program::{Program, WeightedChoice};

/// The weights of all moves, for one thread.
pub(super) struct Weigher<W> {
    program: Arc<Program>,
    /// By choice.
    weights: Vec<Weights>,
    /// By choice, where it can be done.
    vectors: Vec<Option<VectorWeigher>>,
    /// By choice, for the next step.
    forced: Vec<Forced<W>>,
    /// What lanes choose by instead, where values depend on the state or the last moves.
    contexts: Option<Box<Contexts<W>>>,
    /// The positions of lanes in which others choose. Mean nothing between choices.
    others: Vec<W>,
}

/// Positions that are not to be chosen but given, in some lanes.
struct Forced<W> {
    lanes: W,
    /// Bit by bit.
    position: Vec<W>,
}

/// The weights of a choice.
struct Weights {
    /// By chooser and position.
    of_moves: Vec<Vec<u32>>,
    /// By role and move, where it is chosen from here: chooser and position.
    places: Vec<Vec<Option<(usize, usize)>>>,
    /// By lane: its legal positions, 64 to a number, and its random number. Mean nothing between
    /// choices.
    legal: Vec<u64>,
    random: Vec<u64>,
}

impl<W: Word> Weigher<W> {
    /// All weights are 0.
    pub(super) fn new(program: &Arc<Program>) -> Self {
        let step = &program.step;
        let bits = step.options.weights.unwrap_or(0);
        let counts = (0..program.names.roles().len()).map(|role| program.names.move_count(role));
        let counts: Vec<usize> = counts.collect();
        let choices = step.ports.choices.iter();
        Weigher {
            program: program.clone(),
            weights: choices.clone().map(|choice| Weights::new(choice, &counts)).collect(),
            vectors: choices
                .clone()
                .map(|choice| VectorWeigher::new(choice, bits, W::LANES))
                .collect(),
            forced: choices.map(|choice| Forced::none(choice.position.len())).collect(),
            contexts: None,
            others: Vec::new(),
        }
    }

    /// Gives a move its weight, and has moves chosen by weights. A weight that has too many bits becomes
    /// the highest that there is.
    pub(super) fn set(&mut self, role: Role, chosen: Move, weight: u32) {
        let Some(bits) = self.program.step.options.weights else { return };
        let weight = weight.min((1 << bits) - 1);
        self.contexts = None;
        for (weights, vectors) in self.weights.iter_mut().zip(&mut self.vectors) {
            if let Some((chooser, position)) = weights.place(role, chosen) {
                weights.of_moves[chooser][position] = weight;
                if let Some(vectors) = vectors {
                    vectors.set(chooser, position, weight);
                }
            }
        }
    }

    /// Has moves chosen by values, not by weights.
    pub(super) fn set_values(&mut self, table: &ValueTable) -> Result<(), ContextError> {
        check(&self.program, table)?;
        let program = &self.program;
        self.contexts.get_or_insert_with(|| Box::new(Contexts::new(program))).set(table);
        Ok(())
    }

    /// Says that new playouts begin in lanes.
    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: W) {
        if let Some(recent) = self.recent() {
            recent.begin(lanes);
        }
    }

    /// Keeps the step that lanes have just made, if values can depend on it.
    #[inline(always)]
    pub(super) fn keep(&mut self, work: &[W], lanes: W) {
        if let Some(recent) = self.recent() {
            recent.push(work, lanes);
        }
    }

    #[inline(always)]
    fn recent(&mut self) -> Option<&mut RecentMoves<W>> {
        self.contexts.as_mut()?.recent.as_mut()
    }

    /// Has a role make a legal move in some lanes in the next step, if it chooses there.
    #[inline(always)]
    pub(super) fn force(&mut self, lanes: &W, role: Role, chosen: Move) {
        for (weights, forced) in self.weights.iter().zip(&mut self.forced) {
            if let Some((_, position)) = weights.place(role, chosen) {
                forced.add(lanes, position);
            }
        }
    }

    /// Chooses in some lanes: reads what is offered in the work space, and writes the positions.
    /// What is offered was made ready for vectors by the first one that asked.
    pub(super) fn choose(
        &mut self,
        backend: Backend,
        offers: &mut [VectorOffer],
        lanes: W,
        state: &[W],
        work: &mut [W],
    ) {
        let in_vectors = matches!(backend, Backend::Machine(_));
        let are_all = (!lanes).is_zero();
        let choices = &self.program.step.ports.choices;
        if let Some(contexts) = &mut self.contexts {
            contexts.look(state);
        }
        for (at, choice) in choices.iter().enumerate() {
            if !are_all {
                self.others.clear();
                self.others.extend_from_slice(&work[choice.position.clone()]);
            }
            match &mut self.contexts {
                Some(contexts) => contexts.choose(at, lanes, work, in_vectors),
                None => {
                    let done = match &mut self.vectors[at] {
                        Some(vectors) if in_vectors => {
                            W::weigh(vectors, choice, &mut offers[at], lanes, work)
                        }
                        _ => false,
                    };
                    if !done {
                        self.weights[at].choose(choice, lanes, work);
                    }
                }
            }
            if !are_all {
                for (word, other) in work[choice.position.clone()].iter_mut().zip(&self.others) {
                    *word = *word & lanes | *other & !lanes;
                }
            }
            self.forced[at].apply(&mut work[choice.position.clone()]);
        }
    }
}

impl<W: Word> Forced<W> {
    /// None, for positions of `bits` bits.
    fn none(bits: usize) -> Self {
        Forced { lanes: W::ZERO, position: vec![W::ZERO; bits] }
    }

    #[inline(always)]
    fn add(&mut self, lanes: &W, position: usize) {
        self.lanes.add(lanes);
        for (bit, word) in self.position.iter_mut().enumerate() {
            if position >> bit & 1 == 1 {
                word.add(lanes);
            }
        }
    }

    /// Puts the positions in the place of those that were chosen, and forgets them.
    fn apply(&mut self, words: &mut [W]) {
        if self.lanes.is_zero() {
            return;
        }
        for (word, forced) in words.iter_mut().zip(&mut self.position) {
            *word = *word & !self.lanes | *forced;
            *forced = W::ZERO;
        }
        self.lanes = W::ZERO;
    }
}

impl Weights {
    fn new(choice: &WeightedChoice, counts: &[usize]) -> Self {
        let mut places: Vec<Vec<_>> = counts.iter().map(|&count| vec![None; count]).collect();
        for (number, chooser) in choice.choosers.iter().enumerate() {
            for (position, &chosen) in chooser.moves.iter().enumerate() {
                places[chooser.role][chosen] = Some((number, position));
            }
        }
        let of_moves = choice.choosers.iter().map(|chooser| vec![0; chooser.moves.len()]);
        Weights { of_moves: of_moves.collect(), places, legal: Vec::new(), random: Vec::new() }
    }

    /// Where a move is chosen from here: chooser and position.
    #[inline(always)]
    fn place(&self, role: Role, chosen: Move) -> Option<(usize, usize)> {
        *self.places.get(role)?.get(chosen.index())?
    }

    /// Chooses lane by lane, in some lanes.
    fn choose<W: Word>(&mut self, choice: &WeightedChoice, lanes: W, work: &mut [W]) {
        let columns = choice.legal.len().div_ceil(64);
        let Weights { of_moves, legal, random, .. } = self;
        legal.resize(W::LANES * columns, 0);
        random.resize(W::LANES, 0);
        let offered = |at: usize| work[choice.legal.start + at];
        by_lane(W::LANES, choice.legal.len(), offered, |lane, column, bits| {
            legal[lane * columns + column] = bits;
        });
        let offered = |at: usize| work[choice.random.start + at];
        by_lane(W::LANES, choice.random.len(), offered, |lane, _, bits| random[lane] = bits);
        work[choice.position.clone()].fill(W::ZERO);
        for lane in (work[choice.some] & lanes).lanes() {
            let chooser = choice.is_chooser.clone().position(|word| work[word].has(lane));
            let weights = &of_moves[chooser.map_or(0, |other| other + 1)];
            let legal = positions(&legal[lane * columns..][..columns]);
            let position = find(legal, |at| weights[at], random[lane], choice.random.len());
            write_position(&mut work[choice.position.clone()], lane, position);
        }
    }
}

/// Writes the position of a lane, which is 0 so far, bit by bit.
pub(super) fn write_position<W: Word>(words: &mut [W], lane: usize, position: usize) {
    for (bit, word) in words.iter_mut().enumerate() {
        if position >> bit & 1 == 1 {
            word.insert(lane);
        }
    }
}

/// The legal position that a random number of `bits` bits leads to.
pub(super) fn find(
    legal: impl Iterator<Item = usize> + Clone,
    weight: impl Fn(usize) -> u32,
    random: u64,
    bits: usize,
) -> usize {
    let sum: u64 = legal.clone().map(|at| u64::from(weight(at))).sum();
    // Without weights each counts as 1.
    let weight = |at: usize| if sum == 0 { 1 } else { u64::from(weight(at)) };
    let all = if sum == 0 { legal.clone().count() as u64 } else { sum };
    let mut rank = (all * random) >> bits;
    let mut positions = legal;
    let found = positions.find(|&at| match rank.checked_sub(weight(at)) {
        Some(rest) => {
            rank = rest;
            false
        }
        None => true,
    });
    found.expect("a rank is below the sum")
}

/// The numbers of the bits that are set.
fn positions(legal: &[u64]) -> impl Iterator<Item = usize> + Clone + '_ {
    let columns = legal.iter().enumerate();
    columns.flat_map(|(column, &bits)| bits.lanes().map(move |bit| column * 64 + bit))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use wide::{u64x4, u64x8};

    use super::*;
    use crate::machine::{Level, SECTIONS};
    use crate::program::{CHOICE_BITS, Chooser};

    /// A choice with `moves[i]` moves for chooser i. Of neighbours that share a leaf only one is
    /// legal.
    fn choice(moves: &[usize], leaf: usize) -> WeightedChoice {
        let chooser = |(role, &count): (usize, &usize)| Chooser {
            role,
            moves: (0..count).collect(),
            leaves: (0..count).map(|at| at / leaf).collect(),
        };
        let positions = moves.iter().copied().max().unwrap_or(0);
        let mut next = 0;
        let mut words = |count: usize| {
            next += count;
            next - count..next
        };
        WeightedChoice {
            choosers: moves.iter().enumerate().map(chooser).collect(),
            legal: words(positions),
            is_chooser: words(moves.len() - 1),
            some: words(1).start,
            random: words(CHOICE_BITS),
            position: words((usize::BITS - (positions - 1).leading_zeros()) as usize),
        }
    }

    /// An offer in which each lane has a chooser with some legal moves, or none at all.
    fn offer<W: Word>(choice: &WeightedChoice, leaf: usize, rng: &mut Pcg64) -> Vec<W> {
        let mut work = vec![W::ZERO; choice.position.end];
        for lane in 0..W::LANES {
            for word in choice.random.clone().filter(|_| rng.random()) {
                work[word].insert(lane);
            }
            let number = rng.random_range(0..choice.choosers.len());
            let share = [0.0, 0.02, 0.3, 1.0][rng.random_range(0..4)];
            for first in (0..choice.choosers[number].moves.len()).step_by(leaf) {
                let end = (first + leaf).min(choice.choosers[number].moves.len());
                if rng.random_bool(share) {
                    work[choice.legal.start + rng.random_range(first..end)].insert(lane);
                    work[choice.some].insert(lane);
                }
            }
            if number > 0 && work[choice.some].has(lane) {
                work[choice.is_chooser.start + number - 1].insert(lane);
            }
        }
        work
    }

    fn vectors_choose_as_lanes_do<W: Word>(moves: &[usize], leaf: usize, bits: usize, seed: u64) {
        let mut rng = Pcg64::seed_from_u64(seed);
        let choice = choice(moves, leaf);
        let vectors = VectorWeigher::new(&choice, bits, W::LANES);
        assert_eq!(vectors.is_some(), Level::Avx2.is_available());
        let Some(mut vectors) = vectors else { return };
        let mut weights = Weights::new(&choice, moves);
        // Many weights are 0, so that some lanes have none at all.
        let zeros = [0.0, 0.5, 0.95][rng.random_range(0..3)];
        for (chooser, &count) in moves.iter().enumerate() {
            for position in 0..count {
                let weight =
                    if rng.random_bool(zeros) { 0 } else { rng.random_range(0..1 << bits) };
                weights.of_moves[chooser][position] = weight;
                vectors.set(chooser, position, weight);
            }
        }
        let mut work: Vec<W> = offer(&choice, leaf, &mut rng);
        let mut expected = work.clone();
        // In all of them, or in those of some sections.
        let mut lanes = W::ZERO;
        let are_wanted = |lane: &usize| seed.is_multiple_of(3) || lane % SECTIONS % 5 == 1;
        (0..W::LANES).filter(are_wanted).for_each(|lane| lanes.insert(lane));
        assert!(W::weigh(&mut vectors, &choice, &mut VectorOffer::default(), lanes, &mut work));
        weights.choose(&choice, lanes, &mut expected);
        let some = work[choice.some] & lanes;
        for word in choice.position.clone() {
            let wrong = (work[word] ^ expected[word]) & some;
            let lanes: Vec<usize> = wrong.lanes().collect();
            assert!(
                lanes.is_empty(),
                "{moves:?} {leaf} {bits} {seed}: word {word}, lanes {lanes:?}"
            );
        }
    }

    #[test]
    fn vectors_choose_the_same_moves() {
        let games: &[(&[usize], usize)] = &[
            (&[1], 1),
            (&[2, 7], 1),
            (&[9], 1),
            (&[8, 16], 2),
            (&[154, 154], 2),
            (&[61, 60, 3], 1),
            (&[300, 17, 256, 255], 3),
            (&[2_500, 2_400], 1),
        ];
        for (seed, &(moves, leaf)) in games.iter().enumerate() {
            for bits in [1, 4, 12, 13, 14, 15, 16] {
                for round in 0..3 {
                    let seed = seed as u64 * 100 + bits as u64 * 10 + round;
                    vectors_choose_as_lanes_do::<u64x4>(moves, leaf, bits, seed);
                    vectors_choose_as_lanes_do::<u64x8>(moves, leaf, bits, seed);
                }
            }
        }
    }

    #[test]
    fn a_rank_leads_to_its_position() {
        let weights = [3, 0, 5, 0];
        let by_random = |legal: u64| -> Vec<usize> {
            let legal = [legal];
            let found = |random| find(positions(&legal), |at| weights[at], random, 3);
            (0..8).map(found).collect()
        };
        assert_eq!(by_random(0b0111), [0, 0, 0, 2, 2, 2, 2, 2]);
        assert_eq!(by_random(0b1010), [1, 1, 1, 1, 3, 3, 3, 3], "without weights as likely");
        assert_eq!(by_random(0b0010), [1; 8]);
    }
}
