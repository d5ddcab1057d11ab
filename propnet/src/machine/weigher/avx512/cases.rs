//! Values that differ from lane to lane: the code of a move says which of its values counts. Three
//! codes are one number of 16 bits of a lane.
//!
//! ```text
//! codes -> values, and the highest in each lane -> weights by the difference -> sums -> positions
//! ```

use std::arch::x86_64::*;
use std::ops::Range;

use super::Layout;
use super::groups::find_groups;
use super::vectors::{Numbers, load, sections, transpose, wholes};
use crate::machine::weigher::encode::{encoder, first_of};
use crate::machine::weigher::{CaseLists, SECTIONS};
use crate::program::{
    CASE_BITS, EXPLORED_OF, FIRST_WEIGHTS, HALVING, SAMPLING_BITS, Sampling, WeightedChoice,
};

encoder!(__m512i, "avx512f,avx512bw", _mm512_or_si512, choose_bits);

/// The positions of a block.
const THREE: usize = 3;

/// The numbers that are looked up in one vector: as many as there are codes, and as there are weights
/// until they are halved.
const CODES: usize = 1 << CASE_BITS;
const _: () = assert!(CODES == HALVING && HALVING == 32);

/// A choice by codes.
pub(in crate::machine) struct Avx512CaseWeigher {
    sampling: Sampling,
    choosers: usize,
    blocks: usize,
    /// The blocks of each group.
    groups: Vec<Range<usize>>,
    parts: Vec<CasePart>,
    scratch: CaseScratch,
}

/// A part of the values.
struct CasePart {
    /// By position and chooser: the value by code.
    rows: Vec<__m512i>,
    /// By 32 lanes and block: three codes. What is read together is close together. Means nothing
    /// between choices.
    codes: Vec<__m512i>,
}

/// What is found on the way.
struct CaseScratch {
    /// By chooser except the first: the lanes in which it chooses, of all and of the current 32.
    choosers: Vec<__m512i>,
    masks: Vec<__mmask32>,
    /// The lower 16 bits of random numbers, and those above.
    random: [Numbers; 2],
    /// By position, of the current 32 lanes: its value, then the sum of the weights from the first
    /// position of its group up to it.
    in_group: Vec<__m512i>,
    /// By group, of the current 32 lanes: the sum up to it.
    up_to_group: Vec<[__m512i; 2]>,
    /// By lane: the position.
    positions: Numbers,
}

impl Avx512CaseWeigher {
    /// A choice without values. Nothing where it is too large, or where this processor does not have
    /// the vectors.
    pub(in crate::machine::weigher) fn new(choice: &WeightedChoice) -> Option<Self> {
        let positions = choice.legal.len();
        let is_available =
            std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512bw");
        if positions > usize::from(u16::MAX) || !is_available {
            return None;
        }
        let layout = Layout::new(&choice.choosers, positions, THREE, SAMPLING_BITS)?;
        let choosers = choice.choosers.len();
        let zero: __m512i = bytemuck::Zeroable::zeroed();
        // Any position may be the best one of a lane.
        let groups = layout.groups(|_, _| (1 << SAMPLING_BITS) - 1);
        let scratch = CaseScratch {
            choosers: vec![zero; choosers - 1],
            masks: vec![0; choosers - 1],
            random: [[zero; 16]; 2],
            in_group: vec![zero; layout.blocks * THREE],
            up_to_group: vec![[zero; 2]; groups.len()],
            positions: [zero; 16],
        };
        Some(Avx512CaseWeigher {
            sampling: Sampling::Gibbs,
            choosers,
            blocks: layout.blocks,
            groups,
            parts: Vec::new(),
            scratch,
        })
    }

    /// Says how moves are chosen, and the values of all parts.
    pub(in crate::machine::weigher) fn set(&mut self, sampling: Sampling, parts: &[CaseLists]) {
        self.sampling = sampling;
        let zero: __m512i = bytemuck::Zeroable::zeroed();
        self.parts.resize_with(parts.len(), || CasePart {
            // The last block may have fewer positions than there is room for.
            rows: vec![zero; self.blocks * THREE * self.choosers],
            codes: vec![zero; 16 * self.blocks],
        });
        for (own, lists) in self.parts.iter_mut().zip(parts) {
            for (row, values) in own.rows.iter_mut().zip(&lists.values) {
                *row = bytemuck::cast(*values);
            }
        }
    }
}

/// Chooses in some lanes, by lists of words; in those of sections without any of them nothing is
/// looked up.
#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::machine) fn choose_case(
    weigher: &mut Avx512CaseWeigher,
    choice: &WeightedChoice,
    parts: &[CaseLists],
    lanes: __m512i,
    words: &mut [__m512i],
    work: &mut [__m512i],
) {
    let wanted = _mm512_and_si512(work[choice.some], lanes);
    let sections = sections(wanted);
    let scratch = &mut weigher.scratch;
    scratch.choosers.copy_from_slice(&work[choice.is_chooser.clone()]);
    for (part, lists) in weigher.parts.iter_mut().zip(parts) {
        part.load_codes(lists, wanted, &scratch.choosers, words, &work[choice.legal.clone()]);
    }
    let (lower, upper) = work[choice.random.clone()].split_at(16);
    load(&mut scratch.random[0], lower);
    load(&mut scratch.random[1], upper);
    weigher.find(sections);
    let words = &mut work[choice.position.clone()];
    words.copy_from_slice(&weigher.scratch.positions[..words.len()]);
}

/// One word where `which` is true, the other elsewhere.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn choose_bits(which: __m512i, one: __m512i, other: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0b1100_1010>(which, one, other)
}

impl CasePart {
    /// Finds the codes of all positions, in the lanes that are wanted. Positions that are legal in none
    /// of them, of which there are many where few lanes are, cost next to nothing.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load_codes(
        &mut self,
        lists: &CaseLists,
        wanted: __m512i,
        choosers: &[__m512i],
        words: &mut [__m512i],
        legal: &[__m512i],
    ) {
        let mut rest = &lists.words[..];
        let blocks = self.codes.len() / 16;
        let positions = lists.bits.chunks(THREE).zip(legal.chunks(THREE));
        for (block, (bits, legal)) in positions.enumerate() {
            let mut numbers = [_mm512_set1_epi8(-1); 16];
            let mut is_any_legal = false;
            for (place, (&bits, legal)) in bits.iter().zip(legal).enumerate() {
                if _mm512_test_epi64_mask(*legal, wanted) == 0 {
                    rest = &rest[(1 + choosers.len()) << bits..];
                    continue;
                }
                is_any_legal = true;
                words[CaseLists::ILLEGAL as usize] = _mm512_xor_si512(*legal, _mm512_set1_epi8(-1));
                let (list, others) = rest.split_at(1 << bits);
                rest = others;
                let mut code = encode(list, words, 1);
                for &is_chooser in choosers {
                    let (list, others) = rest.split_at(1 << bits);
                    rest = others;
                    let other = encode(list, words, 1);
                    for at in 0..CASE_BITS {
                        code[at] = choose_bits(is_chooser, other[at], code[at]);
                    }
                }
                numbers[place * CASE_BITS..][..CASE_BITS].copy_from_slice(&code);
            }
            if is_any_legal {
                transpose(&mut numbers);
            }
            for (at, number) in numbers.iter().enumerate() {
                self.codes[at * blocks + block] = *number;
            }
        }
    }
}

impl Avx512CaseWeigher {
    /// Finds the words of the positions of random ranks in some sections.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find(&mut self, sections: u16) {
        // Most games have one or two choosers: loops over them are best gone.
        match (self.choosers, self.sampling) {
            (1, Sampling::Gibbs) => self.find_for::<1, true>(sections),
            (2, Sampling::Gibbs) => self.find_for::<2, true>(sections),
            (_, Sampling::Gibbs) => self.find_for::<0, true>(sections),
            (_, Sampling::Greedy { .. }) => self.find_for::<0, false>(sections),
        }
    }

    /// The same for `CHOOSERS` choosers, or for any number where that is 0.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find_for<const CHOOSERS: usize, const GIBBS: bool>(&mut self, sections: u16) {
        for at in 0..SECTIONS {
            if sections >> at & 1 == 0 {
                continue;
            }
            let own = _mm512_set1_epi16((1u16 << at) as i16);
            let scratch = &mut self.scratch;
            for (mask, &word) in scratch.masks.iter_mut().zip(&scratch.choosers) {
                *mask = _mm512_test_epi16_mask(word, own);
            }
            let highest = self.look_up::<CHOOSERS>(at);
            self.add_up::<GIBBS>(at, highest);
            self.scratch.positions[at] = self.find_position(at);
        }
        transpose(&mut self.scratch.positions);
    }

    /// Adds the values of all parts up, in 32 lanes; the highest of each.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn look_up<const CHOOSERS: usize>(&mut self, at: usize) -> __m512i {
        let choosers = if CHOOSERS == 0 { self.choosers } else { CHOOSERS };
        let CaseScratch { masks, in_group, .. } = &mut self.scratch;
        let others = &masks[..choosers - 1];
        let mut highest = _mm512_setzero_si512();
        for (number, part) in self.parts.iter().enumerate() {
            let codes = &part.codes[at * self.blocks..][..self.blocks];
            let rows = part.rows.chunks_exact(THREE * choosers);
            for ((&first, values), rows) in
                codes.iter().zip(in_group.chunks_exact_mut(THREE)).zip(rows)
            {
                // Looking up takes the lowest five bits of a number.
                let codes = [first, _mm512_srli_epi16::<5>(first), _mm512_srli_epi16::<10>(first)];
                for place in 0..THREE {
                    let rows = &rows[place * choosers..][..choosers];
                    let mut value = _mm512_permutexvar_epi16(codes[place], rows[0]);
                    for (&row, &lanes) in rows[1..].iter().zip(others) {
                        value = _mm512_mask_permutexvar_epi16(value, lanes, codes[place], row);
                    }
                    if number > 0 {
                        value = _mm512_add_epi16(value, values[place]);
                    }
                    highest = _mm512_max_epu16(highest, value);
                    values[place] = value;
                }
            }
        }
        highest
    }

    /// Makes values weights and adds these up, in 32 lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn add_up<const GIBBS: bool>(&mut self, at: usize, highest: __m512i) {
        let zero = _mm512_setzero_si512();
        let one = _mm512_set1_epi16(1);
        let explored = match self.sampling {
            Sampling::Gibbs => 0,
            Sampling::Greedy { explored } => explored as i16,
        };
        let lowest_bits = _mm512_set1_epi16(EXPLORED_OF as i16 - 1);
        let random = _mm512_and_si512(self.scratch.random[0][at], lowest_bits);
        let explores = _mm512_cmplt_epu16_mask(random, _mm512_set1_epi16(explored));
        let first_weights: __m512i = bytemuck::cast(FIRST_WEIGHTS);
        let CaseScratch { in_group, up_to_group, .. } = &mut self.scratch;
        let mut up_to = [zero; 2];
        for (group, up_to_group) in self.groups.iter().zip(up_to_group) {
            let mut sum = zero;
            for value in &mut in_group[group.start * THREE..group.end * THREE] {
                let weight = if GIBBS {
                    let below = _mm512_sub_epi16(highest, *value);
                    let first = _mm512_permutexvar_epi16(below, first_weights);
                    _mm512_srlv_epi16(first, _mm512_srli_epi16::<5>(below))
                } else {
                    let is_best = _mm512_cmpeq_epi16_mask(*value, highest);
                    let is_any = _mm512_mask_test_epi16_mask(explores, *value, *value);
                    _mm512_maskz_mov_epi16(is_best | is_any, one)
                };
                sum = _mm512_add_epi16(sum, weight);
                *value = sum;
            }
            let [one, other] = wholes(sum, zero);
            up_to = [_mm512_add_epi32(up_to[0], one), _mm512_add_epi32(up_to[1], other)];
            *up_to_group = up_to;
        }
    }

    /// Finds the positions of random ranks, in 32 lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find_position(&self, at: usize) -> __m512i {
        let CaseScratch { up_to_group, random, in_group, .. } = &self.scratch;
        let [group, rank] = find_groups(up_to_group, random, at);
        let one = _mm512_set1_epi16(1);
        let mut position = _mm512_setzero_si512();
        for (number, blocks) in self.groups.iter().enumerate() {
            let is_here = _mm512_cmpeq_epi16_mask(group, _mm512_set1_epi16(number as i16));
            let first = _mm512_set1_epi16((blocks.start * THREE) as i16);
            position = _mm512_mask_mov_epi16(position, is_here, first);
            for sum in &in_group[blocks.start * THREE..blocks.end * THREE] {
                let is_behind = _mm512_mask_cmple_epu16_mask(is_here, *sum, rank);
                position = _mm512_mask_add_epi16(position, is_behind, position, one);
            }
        }
        position
    }
}
