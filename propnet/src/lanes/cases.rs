//! A choice by values that depend on what is true in a lane.
//!
//! A move has a list of cases, each a word and a value, and the first one that holds in a lane
//! counts there. Which it is becomes a number of five bits, the code of the move in that lane:
//!
//! ```text
//! illegal, case 1, case 2, ..., base -> the first that holds, by a tree of words -> code -> value
//! ```
//!
//! A code is the complement of the index of the case in its list, which is padded to a power of two.
//! That needs the fewest operations: an index bit is false where the left half of a part of the
//! list holds. So the number of cases costs little more than reading their words, and the number of
//! different values nothing. Values of several parts are added; weights are relative to the highest
//! value in the lane.

use super::transpose::by_lane;
use super::weigher::{find, write_position};
use super::word::Word;
use crate::machine::{CaseLists, CaseWeigher, Task, at_full_speed};
use crate::program::{CASE_BITS, EXPLORED_OF, Sampling, WeightedChoice, gibbs_weight};

/// The codes that there are; the last one is that of illegal moves.
const CODES: usize = 1 << CASE_BITS;

/// A move's cases: words in the order in which they count, with values, and the base value.
pub(super) struct MoveCases {
    pub(super) cases: Vec<(u32, u16)>,
    pub(super) base: u16,
}

/// The cases of all moves of a choice.
pub(super) struct ChoiceCases<W> {
    choosers: usize,
    sampling: Sampling,
    /// By part of the values.
    parts: Vec<CaseLists>,
    vectors: Option<CaseWeigher>,
    /// By position: the bits of the code. By lane and position: the value. By lane: its codes, eight
    /// to a number, and its random number. All mean nothing between choices, and are only there if
    /// there are no vectors.
    codes: Vec<[W; CASE_BITS]>,
    values: Vec<u16>,
    of_lanes: Vec<u64>,
    random: Vec<u64>,
}

impl<W: Word> ChoiceCases<W> {
    /// A choice without values.
    pub(super) fn new(choice: &WeightedChoice) -> Self {
        ChoiceCases {
            choosers: choice.choosers.len(),
            sampling: Sampling::Gibbs,
            parts: Vec::new(),
            vectors: CaseWeigher::new(choice, W::LANES),
            codes: Vec::new(),
            values: Vec::new(),
            of_lanes: Vec::new(),
            random: Vec::new(),
        }
    }

    /// Says how moves are chosen, and the cases of all moves by part, position and chooser.
    pub(super) fn set(&mut self, sampling: Sampling, parts: &[Vec<MoveCases>]) {
        self.sampling = sampling;
        self.parts = parts.iter().map(|moves| lists(moves, self.choosers)).collect();
        if let Some(vectors) = &mut self.vectors {
            vectors.set(sampling, &self.parts);
        }
    }

    /// Chooses in some lanes; `words` are those of contexts. `in_vectors` says whether machine code
    /// runs.
    pub(super) fn choose(
        &mut self,
        choice: &WeightedChoice,
        lanes: W,
        words: &mut [W],
        work: &mut [W],
        in_vectors: bool,
    ) {
        let done = match &mut self.vectors {
            Some(vectors) if in_vectors => {
                W::weigh_cases(vectors, choice, &self.parts, lanes, words, work)
            }
            _ => false,
        };
        if !done {
            self.find_values(choice, lanes, words, work);
            self.choose_by_lane(choice, lanes, work);
        }
    }

    /// Adds the values of all parts up, lane by lane.
    fn find_values(&mut self, choice: &WeightedChoice, lanes: W, words: &mut [W], work: &[W]) {
        let ChoiceCases { choosers, parts, codes, values, of_lanes, .. } = self;
        let positions = choice.legal.len();
        // A byte for each code, so that a number has eight.
        let columns = positions.div_ceil(8);
        codes.resize(positions, [W::ZERO; CASE_BITS]);
        of_lanes.resize(W::LANES * columns, 0);
        values.clear();
        values.resize(W::LANES * positions, 0);
        for part in parts {
            at_full_speed(Encode {
                lists: part,
                words,
                legal: &work[choice.legal.clone()],
                is_chooser: &work[choice.is_chooser.clone()],
                codes,
            });
            let bit = |at: usize| codes[at / 8].get(at % 8).copied().unwrap_or(W::ZERO);
            by_lane(W::LANES, codes.len() * 8, bit, |lane, column, bits| {
                of_lanes[lane * columns + column] = bits;
            });
            for lane in (work[choice.some] & lanes).lanes() {
                let chooser = chooser(choice, work, lane);
                let codes = &of_lanes[lane * columns..][..columns];
                for (at, value) in values[lane * positions..][..positions].iter_mut().enumerate() {
                    let code = usize::from(codes[at / 8].to_le_bytes()[at % 8]);
                    *value += part.values[at * *choosers + chooser][code];
                }
            }
        }
    }

    fn choose_by_lane(&mut self, choice: &WeightedChoice, lanes: W, work: &mut [W]) {
        let ChoiceCases { values, random, sampling, .. } = self;
        random.resize(W::LANES, 0);
        let offered = |at: usize| work[choice.random.start + at];
        by_lane(W::LANES, choice.random.len(), offered, |lane, _, bits| random[lane] = bits);
        work[choice.position.clone()].fill(W::ZERO);
        for lane in (work[choice.some] & lanes).lanes() {
            let values = &values[lane * choice.legal.len()..][..choice.legal.len()];
            let highest = values.iter().copied().max().unwrap_or(0);
            let random = random[lane];
            let weight = |at: usize| match *sampling {
                Sampling::Gibbs => gibbs_weight(highest - values[at]),
                Sampling::Greedy { explored } => {
                    let is_any = random % u64::from(EXPLORED_OF) < u64::from(explored);
                    u32::from(is_any || values[at] == highest)
                }
            };
            let legal = (0..values.len()).filter(|&at| values[at] > 0);
            let position = find(legal, weight, random, choice.random.len());
            write_position(&mut work[choice.position.clone()], lane, position);
        }
    }
}

/// The number of the one who chooses in a lane.
fn chooser<W: Word>(choice: &WeightedChoice, work: &[W], lane: usize) -> usize {
    let other = choice.is_chooser.clone().position(|word| work[word].has(lane));
    other.map_or(0, |other| other + 1)
}

/// The cases of moves, by position and chooser, as lists.
fn lists(moves: &[MoveCases], choosers: usize) -> CaseLists {
    let mut lists = CaseLists::default();
    for choosers in moves.chunks(choosers) {
        // Besides the cases there are an illegal move and the base value.
        let most = choosers.iter().map(|own| own.cases.len() + 2).max().unwrap_or(2);
        let length = most.next_power_of_two();
        lists.bits.push(length.ilog2() as usize);
        for own in choosers {
            let mut values = [own.base; CODES];
            values[CODES - 1] = 0;
            lists.words.push(CaseLists::ILLEGAL);
            for (at, &(word, value)) in own.cases.iter().enumerate() {
                lists.words.push(word);
                values[length - 2 - at] = value;
            }
            let rest = 1 + own.cases.len()..length;
            lists.words.extend(rest.map(|_| CaseLists::ALWAYS));
            lists.values.push(values);
        }
    }
    lists
}

/// Codes to be found.
struct Encode<'e, W> {
    lists: &'e CaseLists,
    words: &'e mut [W],
    legal: &'e [W],
    is_chooser: &'e [W],
    codes: &'e mut [[W; CASE_BITS]],
}

impl<W: Word> Task for Encode<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut rest = &self.lists.words[..];
        for ((&bits, &legal), code) in self.lists.bits.iter().zip(self.legal).zip(self.codes) {
            self.words[CaseLists::ILLEGAL as usize] = !legal;
            let (own, others) = rest.split_at((1 + self.is_chooser.len()) << bits);
            rest = others;
            for (number, list) in own.chunks_exact(1 << bits).enumerate() {
                let mut found = [!legal; CASE_BITS];
                encode(list, self.words, &mut found[..bits]);
                // The first one chooses where no other does.
                let lanes = number.checked_sub(1).map_or(!W::ZERO, |other| self.is_chooser[other]);
                for (bit, found) in code.iter_mut().zip(found) {
                    *bit = lanes & found | !lanes & *bit;
                }
            }
        }
    }
}

/// Finds the lower bits of the code of a list, and where one of its words holds.
#[inline]
fn encode<W: Word>(list: &[u32], words: &[W], code: &mut [W]) -> W {
    let [lower @ .., highest] = code else { return words[list[0] as usize] };
    let (left, right) = list.split_at(list.len() / 2);
    let mut others = [W::ZERO; CASE_BITS];
    let others = &mut others[..lower.len()];
    let holds = encode(left, words, lower);
    let other = encode(right, words, others);
    for (bit, other) in lower.iter_mut().zip(others) {
        *bit = holds & *bit | !holds & *other;
    }
    *highest = holds;
    holds | other
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use wide::{u64x4, u64x8};

    use super::*;
    use crate::machine::SECTIONS;
    use crate::program::{CHOICE_BITS, Chooser, HIGHEST_VALUE, LEGAL};

    /// A choice from these numbers of moves, one for each chooser.
    fn choice(moves: &[usize]) -> WeightedChoice {
        let chooser = |(role, &count): (usize, &usize)| Chooser {
            role,
            moves: (0..count).collect(),
            leaves: (0..count).collect(),
        };
        let positions = moves.iter().copied().max().unwrap_or(0);
        let others = positions + moves.len() - 1;
        let random = others + 1..others + 1 + CHOICE_BITS;
        WeightedChoice {
            choosers: moves.iter().enumerate().map(chooser).collect(),
            legal: 0..positions,
            is_chooser: positions..others,
            some: others,
            position: random.end..random.end + positions.next_power_of_two().ilog2() as usize,
            random,
        }
    }

    /// Compares the choice, in vectors or not, with the first case that holds, lane by lane.
    fn the_first_case_counts<W: Word>(moves: &[usize], most: usize, in_vectors: bool, seed: u64) {
        let mut rng = Pcg64::seed_from_u64(seed);
        let choice = choice(moves);
        let mut random_word = |share: f64| {
            let mut word = W::ZERO;
            (0..W::LANES).filter(|_| rng.random_bool(share)).for_each(|lane| word.insert(lane));
            word
        };
        let mut words: Vec<W> = (0..40).map(|_| random_word(0.2)).collect();
        words[CaseLists::ALWAYS as usize] = W::splat(true);
        let mut work: Vec<W> = (0..choice.position.end).map(|_| random_word(0.5)).collect();
        let mut before = W::ZERO;
        for at in choice.is_chooser.clone() {
            work[at] = work[at] & !before;
            before = before | work[at];
        }
        let legal = choice.legal.clone();
        for (number, chooser) in choice.choosers.iter().enumerate() {
            let others = choice.is_chooser.clone().map(|at| work[at]);
            let own = match number {
                0 => others.fold(W::splat(true), |lanes, other| lanes & !other),
                other => work[choice.is_chooser.start + other - 1],
            };
            legal.clone().skip(chooser.moves.len()).for_each(|at| work[at] = work[at] & !own);
        }
        work[choice.some] = legal.clone().fold(W::ZERO, |some, at| some | work[at]);
        let mut part = |added: u16| -> Vec<MoveCases> {
            let mut value =
                || added + [0, 1, 30, 77, 200, 500, HIGHEST_VALUE][rng.random_range(0..7)];
            let mut cases: Vec<MoveCases> = Vec::new();
            for _ in 0..legal.len() * moves.len() {
                let values: Vec<u16> = (0..most).map(|_| value()).collect();
                cases.push(MoveCases {
                    cases: values.into_iter().map(|own| (0, own)).collect(),
                    base: value(),
                });
            }
            for own in &mut cases {
                own.cases.truncate(rng.random_range(0..=most));
                own.cases.iter_mut().for_each(|case| case.0 = rng.random_range(2..40));
            }
            cases
        };
        let mut parts = vec![part(LEGAL)];
        if seed.is_multiple_of(3) {
            parts.push(part(0));
        }
        let sampling = match seed % 5 {
            0 => Sampling::Greedy { explored: 200 },
            _ => Sampling::Gibbs,
        };
        let mut cases = ChoiceCases::new(&choice);
        cases.set(sampling, &parts);
        // In all lanes, or in those of some sections.
        let mut lanes = W::ZERO;
        let are_wanted = |lane: &usize| seed.is_multiple_of(2) || lane % SECTIONS % 5 == 1;
        (0..W::LANES).filter(are_wanted).for_each(|lane| lanes.insert(lane));
        cases.choose(&choice, lanes, &mut words, &mut work, in_vectors);
        for lane in (work[choice.some] & lanes).lanes() {
            let chooser = chooser(&choice, &work, lane);
            let value = |at: usize| -> u16 {
                let of_part = |part: &Vec<MoveCases>| {
                    let own = &part[at * moves.len() + chooser];
                    let first = own.cases.iter().find(|(word, _)| words[*word as usize].has(lane));
                    first.map_or(own.base, |(_, value)| *value)
                };
                parts.iter().map(of_part).sum()
            };
            let number = |words: std::ops::Range<usize>| {
                words.rev().fold(0, |number, word| number << 1 | u64::from(work[word].has(lane)))
            };
            let legal = legal.clone().filter(|&at| work[at].has(lane));
            let highest = legal.clone().map(value).max().expect("a legal move");
            let random = number(choice.random.clone());
            let weight = |at: usize| match sampling {
                Sampling::Gibbs => gibbs_weight(highest - value(at)),
                Sampling::Greedy { .. } if random % 512 < 200 => 1,
                Sampling::Greedy { .. } => u32::from(value(at) == highest),
            };
            let expected = find(legal, weight, random, CHOICE_BITS);
            assert_eq!(number(choice.position.clone()), expected as u64, "{moves:?} {seed} {lane}");
        }
    }

    #[test]
    fn lanes_and_vectors_choose_by_the_first_case_that_holds() {
        let games: [&[usize]; 6] = [&[1], &[2, 7], &[9], &[40, 31, 5], &[154, 154], &[100, 300]];
        for (seed, moves) in games.into_iter().enumerate() {
            for most in [0, 1, 3, 14, 15, 30] {
                let seed = (seed * 100 + most) as u64;
                the_first_case_counts::<u64>(moves, most, false, seed);
                the_first_case_counts::<u64x4>(moves, most, true, seed);
                the_first_case_counts::<u64x8>(moves, most, true, seed);
            }
        }
    }
}
