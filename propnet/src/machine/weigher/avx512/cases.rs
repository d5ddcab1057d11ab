//! Weights that differ from lane to lane: the code of a move says which of its weights counts. Three
//! codes are one number of 16 bits of a lane.

use std::arch::x86_64::*;
use std::ops::Range;

use super::Layout;
use super::groups::{find_groups, is_zero};
use super::vectors::{Numbers, load, sections, transpose, wholes};
use crate::machine::weigher::encode::{encoder, first_of};
use crate::machine::weigher::{CaseLists, SECTIONS};
use crate::program::{CASE_BITS, WeightedChoice};

encoder!(__m512i, "avx512f,avx512bw", _mm512_or_si512, choose_bits);

/// The positions of a block.
const THREE: usize = 3;

/// The numbers that are looked up in one vector: as many as there are codes.
const CODES: usize = 1 << CASE_BITS;

/// A choice by codes.
pub(in crate::machine) struct Avx512CaseWeigher {
    layout: Layout,
    tables: CaseTables,
    /// The same where each legal move has the weight 1.
    even: CaseTables,
    scratch: CaseScratch,
}

struct CaseTables {
    choosers: usize,
    /// By position and chooser: the weight by code.
    rows: Vec<__m512i>,
    /// The blocks of each group.
    groups: Vec<Range<usize>>,
}

/// What is found on the way.
struct CaseScratch {
    /// By chooser except the first: the lanes in which it chooses, of all and of the current 32.
    choosers: Vec<__m512i>,
    masks: Vec<__mmask32>,
    /// By 32 lanes and block: three codes. What is read together is close together.
    codes: Vec<__m512i>,
    /// The lower 16 bits of random numbers, and those above.
    random: [Numbers; 2],
    /// By position, of the current 32 lanes: the sum from the first one of its group up to it.
    in_group: Vec<__m512i>,
    /// By group, of the current 32 lanes: the sum up to it.
    up_to_group: Vec<[__m512i; 2]>,
    /// By lane: the position.
    positions: Numbers,
}

impl Avx512CaseWeigher {
    /// A choice with weights of `bits` bits, all 0. Nothing where it is too large, or where this
    /// processor does not have the vectors.
    pub(in crate::machine::weigher) fn new(choice: &WeightedChoice, bits: usize) -> Option<Self> {
        let positions = choice.legal.len();
        let fits = THREE * ((1 << bits) - 1) <= usize::from(u16::MAX)
            && positions <= usize::from(u16::MAX);
        let is_available =
            std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512bw");
        if !fits || !is_available {
            return None;
        }
        let layout = Layout::new(&choice.choosers, positions, THREE, bits)?;
        let (rows, choosers) = (layout.blocks * THREE, choice.choosers.len());
        let zero: __m512i = bytemuck::Zeroable::zeroed();
        let mut ones = [1u16; CODES];
        ones[CODES - 1] = 0;
        let mut even = CaseTables {
            choosers: 1,
            rows: vec![bytemuck::cast(ones); positions],
            groups: layout.groups(|_, _| 1),
        };
        // The last block may have fewer positions than there is room for.
        even.rows.resize(rows, zero);
        let tables =
            CaseTables { choosers, rows: vec![zero; rows * choosers], groups: even.groups.clone() };
        let scratch = CaseScratch {
            choosers: vec![zero; choosers - 1],
            masks: vec![0; choosers - 1],
            codes: vec![zero; 16 * layout.blocks],
            random: [[zero; 16]; 2],
            in_group: vec![zero; rows],
            up_to_group: Vec::new(),
            positions: [zero; 16],
        };
        Some(Avx512CaseWeigher { layout, tables, even, scratch })
    }

    /// Says the weights by code, for each position and chooser.
    pub(in crate::machine::weigher) fn set(&mut self, weights: &[[u16; CODES]]) {
        for (row, own) in self.tables.rows.iter_mut().zip(weights) {
            *row = bytemuck::cast(*own);
        }
        let choosers = self.tables.choosers;
        self.tables.groups = self.layout.groups(|chooser, position| {
            let own = weights.get(position * choosers + chooser).into_iter().flatten();
            own.copied().max().map_or(0, u32::from)
        });
    }
}

/// Chooses in some lanes, by lists of words; in those of sections without any of them nothing is
/// looked up.
#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::machine) fn choose_case(
    weigher: &mut Avx512CaseWeigher,
    choice: &WeightedChoice,
    lists: &CaseLists,
    lanes: __m512i,
    words: &mut [__m512i],
    work: &mut [__m512i],
) {
    let wanted = _mm512_and_si512(work[choice.some], lanes);
    let sections = sections(wanted);
    let Avx512CaseWeigher { tables, even, scratch, .. } = weigher;
    scratch.choosers.copy_from_slice(&work[choice.is_chooser.clone()]);
    scratch.load_codes(lists, wanted, words, &work[choice.legal.clone()]);
    let (lower, upper) = work[choice.random.clone()].split_at(16);
    load(&mut scratch.random[0], lower);
    load(&mut scratch.random[1], upper);
    let without_sum = scratch.find(tables, sections);
    let unweighted = _mm512_and_si512(without_sum, wanted);
    let words = &mut work[choice.position.clone()];
    words.copy_from_slice(&scratch.positions[..words.len()]);
    if _mm512_test_epi64_mask(unweighted, unweighted) != 0 {
        scratch.find(even, sections);
        for (word, even) in words.iter_mut().zip(&scratch.positions) {
            let weighted = _mm512_andnot_si512(unweighted, *word);
            *word = _mm512_or_si512(weighted, _mm512_and_si512(unweighted, *even));
        }
    }
}

/// One word where `which` is true, the other elsewhere.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn choose_bits(which: __m512i, one: __m512i, other: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0b1100_1010>(which, one, other)
}

impl CaseScratch {
    /// Finds the codes of all positions, in the lanes that are wanted. Positions that are legal in none
    /// of them, of which there are many where few lanes are, cost next to nothing.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load_codes(
        &mut self,
        lists: &CaseLists,
        wanted: __m512i,
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
                    rest = &rest[(1 + self.choosers.len()) << bits..];
                    continue;
                }
                is_any_legal = true;
                words[CaseLists::ILLEGAL as usize] = _mm512_xor_si512(*legal, _mm512_set1_epi8(-1));
                let (list, others) = rest.split_at(1 << bits);
                rest = others;
                let mut code = encode(list, words, 1);
                for &is_chooser in &self.choosers {
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

    /// Finds the words of the positions of random ranks in some sections, and the lanes in which there
    /// is no rank, since the sum of the weights is 0.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find(&mut self, tables: &CaseTables, sections: u16) -> __m512i {
        // Most games have one or two choosers: loops over them are best gone.
        match tables.choosers {
            1 => self.find_for::<1>(tables, sections),
            2 => self.find_for::<2>(tables, sections),
            _ => self.find_for::<0>(tables, sections),
        }
    }

    /// The same for `CHOOSERS` choosers, or for any number where that is 0.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find_for<const CHOOSERS: usize>(&mut self, tables: &CaseTables, sections: u16) -> __m512i {
        self.up_to_group.resize(tables.groups.len(), [_mm512_setzero_si512(); 2]);
        let mut without_sum = _mm512_setzero_si512();
        for at in 0..SECTIONS {
            if sections >> at & 1 == 0 {
                continue;
            }
            let own = _mm512_set1_epi16((1u16 << at) as i16);
            for (mask, &word) in self.masks.iter_mut().zip(&self.choosers) {
                *mask = _mm512_test_epi16_mask(word, own);
            }
            self.add_up::<CHOOSERS>(at, tables);
            let is_zero = _mm512_maskz_mov_epi16(is_zero(&self.up_to_group), own);
            without_sum = _mm512_or_si512(without_sum, is_zero);
            self.positions[at] = self.find_position(at, tables);
        }
        transpose(&mut self.positions);
        without_sum
    }

    /// Adds the weights up, in 32 lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn add_up<const CHOOSERS: usize>(&mut self, at: usize, tables: &CaseTables) {
        let zero = _mm512_setzero_si512();
        let choosers = if CHOOSERS == 0 { tables.choosers } else { CHOOSERS };
        let others = &self.masks[..choosers - 1];
        let blocks = self.codes.len() / 16;
        let codes = &self.codes[at * blocks..][..blocks];
        let mut up_to = [zero; 2];
        for (group, up_to_group) in tables.groups.iter().zip(&mut self.up_to_group) {
            let mut sum = zero;
            let positions = group.start * THREE..group.end * THREE;
            let rows = tables.rows[positions.start * choosers..].chunks_exact(THREE * choosers);
            let sums = self.in_group[positions].chunks_exact_mut(THREE);
            for ((&first, sums), rows) in codes[group.clone()].iter().zip(sums).zip(rows) {
                // Looking up takes the lowest five bits of a number.
                let codes = [first, _mm512_srli_epi16::<5>(first), _mm512_srli_epi16::<10>(first)];
                for place in 0..THREE {
                    let rows = &rows[place * choosers..][..choosers];
                    let mut weight = _mm512_permutexvar_epi16(codes[place], rows[0]);
                    for (&row, &lanes) in rows[1..].iter().zip(others) {
                        weight = _mm512_mask_permutexvar_epi16(weight, lanes, codes[place], row);
                    }
                    sum = _mm512_add_epi16(sum, weight);
                    sums[place] = sum;
                }
            }
            let [one, other] = wholes(sum, zero);
            up_to = [_mm512_add_epi32(up_to[0], one), _mm512_add_epi32(up_to[1], other)];
            *up_to_group = up_to;
        }
    }

    /// Finds the positions of random ranks, in 32 lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find_position(&self, at: usize, tables: &CaseTables) -> __m512i {
        let [group, rank] = find_groups(&self.up_to_group, &self.random, at);
        let one = _mm512_set1_epi16(1);
        let mut position = _mm512_setzero_si512();
        for (number, blocks) in tables.groups.iter().enumerate() {
            let is_here = _mm512_cmpeq_epi16_mask(group, _mm512_set1_epi16(number as i16));
            let first = _mm512_set1_epi16((blocks.start * THREE) as i16);
            position = _mm512_mask_mov_epi16(position, is_here, first);
            for sum in &self.in_group[blocks.start * THREE..blocks.end * THREE] {
                let is_behind = _mm512_mask_cmple_epu16_mask(is_here, *sum, rank);
                position = _mm512_mask_add_epi16(position, is_behind, position, one);
            }
        }
        position
    }
}
