//! From sums of weights to positions, for 512 lanes.
//!
//! Loops are plain: what is passed to functions of the standard library would be compiled for any
//! processor.

use std::arch::x86_64::*;

use super::groups::{find_groups, is_zero};
use super::tables::Avx512Tables;
use super::vectors::{Numbers, load, sections, transpose, wholes};
use super::{Avx512Weigher, FIFTEEN};
use crate::machine::SECTIONS;
use crate::program::WeightedChoice;

/// What is offered, as numbers, and what is found on the way.
pub(in crate::machine) struct Avx512Offer {
    /// Whether it is what is offered now.
    pub(in crate::machine) is_loaded: bool,
    /// By chooser except the first: the lanes in which it chooses.
    choosers: Vec<__m512i>,
    /// By block: which of its positions are legal.
    legal: Vec<Numbers>,
    /// The lower 16 bits of random numbers, and those above.
    random: [Numbers; 2],
    /// By block, of the current 32 lanes: the sum from the first one of its group up to it.
    in_group: Vec<__m512i>,
    /// By group, of the current 32 lanes: the sum up to it.
    up_to_group: Vec<[__m512i; 2]>,
    /// By lane: the position.
    positions: Numbers,
}

/// In the current 32 lanes: what is known of a position.
struct PositionFound {
    block: __m512i,
    /// Which positions of the block are legal.
    legal: __m512i,
    /// The rank in the block.
    rank: __m512i,
}

impl Avx512Offer {
    pub(in crate::machine) fn new(choice: &WeightedChoice) -> Self {
        let zero: __m512i = bytemuck::Zeroable::zeroed();
        let blocks = choice.legal.len().div_ceil(FIFTEEN);
        Avx512Offer {
            is_loaded: false,
            choosers: vec![zero; choice.is_chooser.len()],
            legal: vec![[zero; 16]; blocks],
            random: [[zero; 16]; 2],
            in_group: vec![zero; blocks],
            up_to_group: Vec::new(),
            positions: [zero; 16],
        }
    }
}

/// Chooses in some lanes; in those of sections without any of them nothing is looked up.
#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::machine) fn choose(
    weigher: &mut Avx512Weigher,
    choice: &WeightedChoice,
    offer: &mut Avx512Offer,
    lanes: __m512i,
    work: &mut [__m512i],
) {
    let wanted = _mm512_and_si512(work[choice.some], lanes);
    let sections = sections(wanted);
    let Avx512Weigher { layout, tables, even } = weigher;
    tables.make_groups(layout);
    if !offer.is_loaded {
        offer.load(choice, work);
    }
    let without_sum = offer.find(tables, sections);
    let unweighted = _mm512_and_si512(without_sum, wanted);
    let words = &mut work[choice.position.clone()];
    words.copy_from_slice(&offer.positions[..words.len()]);
    if _mm512_test_epi64_mask(unweighted, unweighted) != 0 {
        offer.find(even, sections);
        for (word, even) in words.iter_mut().zip(&offer.positions) {
            let weighted = _mm512_andnot_si512(unweighted, *word);
            *word = _mm512_or_si512(weighted, _mm512_and_si512(unweighted, *even));
        }
    }
}

impl Avx512Offer {
    /// Makes numbers of what is offered.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load(&mut self, choice: &WeightedChoice, work: &[__m512i]) {
        self.choosers.copy_from_slice(&work[choice.is_chooser.clone()]);
        let blocks = work[choice.legal.clone()].chunks(FIFTEEN);
        for (legal, words) in self.legal.iter_mut().zip(blocks) {
            load(legal, words);
        }
        let (lower, upper) = work[choice.random.clone()].split_at(16);
        load(&mut self.random[0], lower);
        load(&mut self.random[1], upper);
        self.is_loaded = true;
    }

    /// Finds the words of the positions of random ranks in some sections, and the lanes in which there
    /// is no rank, since the sum of the weights is 0.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find(&mut self, tables: &Avx512Tables, sections: u16) -> __m512i {
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
    fn find_for<const CHOOSERS: usize>(&mut self, tables: &Avx512Tables, sections: u16) -> __m512i {
        self.up_to_group.resize(tables.groups.len(), [_mm512_setzero_si512(); 2]);
        let mut without_sum = _mm512_setzero_si512();
        // 32 lanes after the other: what is found on the way stays small.
        for at in 0..SECTIONS {
            if sections >> at & 1 == 0 {
                continue;
            }
            let own = _mm512_set1_epi16((1u16 << at) as i16);
            self.add_up::<CHOOSERS>(at, own, tables);
            let is_zero = _mm512_maskz_mov_epi16(is_zero(&self.up_to_group), own);
            without_sum = _mm512_or_si512(without_sum, is_zero);
            let place = self.find_place(at, tables);
            self.positions[at] = self.find_position(own, tables, &place);
        }
        transpose(&mut self.positions);
        without_sum
    }

    /// Adds the weights of legal moves up. The current lanes have a bit of their own in numbers of
    /// 16 bits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn add_up<const CHOOSERS: usize>(&mut self, at: usize, own: __m512i, tables: &Avx512Tables) {
        let zero = _mm512_setzero_si512();
        let choosers = if CHOOSERS == 0 { tables.choosers } else { CHOOSERS };
        let others = &self.choosers[..choosers - 1];
        let mut up_to = [zero; 2];
        for (group, up_to_group) in tables.groups.iter().zip(&mut self.up_to_group) {
            let mut sum = zero;
            let rows = tables.sums[group.start * choosers..].chunks_exact(choosers);
            let blocks = self.legal[group.clone()].iter().zip(&mut self.in_group[group.clone()]);
            for ((legal, in_group), rows) in blocks.zip(rows) {
                // Looking up takes the lowest five bits of a number.
                let lower = legal[at];
                let middle = _mm512_srli_epi16::<5>(lower);
                let upper = _mm512_srli_epi16::<10>(lower);
                let mut sums = [
                    _mm512_permutexvar_epi16(lower, rows[0][0]),
                    _mm512_permutexvar_epi16(middle, rows[0][1]),
                    _mm512_permutexvar_epi16(upper, rows[0][2]),
                ];
                for (row, &word) in rows[1..].iter().zip(others) {
                    let lanes = _mm512_test_epi16_mask(word, own);
                    sums = [
                        _mm512_mask_permutexvar_epi16(sums[0], lanes, lower, row[0]),
                        _mm512_mask_permutexvar_epi16(sums[1], lanes, middle, row[1]),
                        _mm512_mask_permutexvar_epi16(sums[2], lanes, upper, row[2]),
                    ];
                }
                let two = _mm512_add_epi16(sums[0], sums[1]);
                sum = _mm512_add_epi16(sum, _mm512_add_epi16(two, sums[2]));
                *in_group = sum;
            }
            let [one, other] = wholes(sum, zero);
            up_to = [_mm512_add_epi32(up_to[0], one), _mm512_add_epi32(up_to[1], other)];
            *up_to_group = up_to;
        }
    }

    /// Finds the blocks of random ranks, and the ranks in them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find_place(&self, at: usize, tables: &Avx512Tables) -> PositionFound {
        let [group, rank] = find_groups(&self.up_to_group, &self.random, at);
        let zero = _mm512_setzero_si512();
        let (mut block, mut below, mut legal) = (zero, zero, zero);
        for (number, blocks) in tables.groups.iter().enumerate() {
            let is_here = _mm512_cmpeq_epi16_mask(group, _mm512_set1_epi16(number as i16));
            let first = _mm512_set1_epi16(blocks.start as i16);
            block = _mm512_mask_mov_epi16(block, is_here, first);
            legal = _mm512_mask_mov_epi16(legal, is_here, self.legal[blocks.start][at]);
            let behind = &self.legal[blocks.start + 1..blocks.end];
            for (sum, next) in self.in_group[blocks.clone()].iter().zip(behind) {
                let is_behind = _mm512_mask_cmple_epu16_mask(is_here, *sum, rank);
                block = _mm512_mask_add_epi16(block, is_behind, block, _mm512_set1_epi16(1));
                below = _mm512_mask_mov_epi16(below, is_behind, *sum);
                legal = _mm512_mask_mov_epi16(legal, is_behind, next[at]);
            }
        }
        PositionFound { block, legal, rank: _mm512_sub_epi16(rank, below) }
    }

    /// Finds the positions of ranks in blocks.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find_position(&self, own: __m512i, tables: &Avx512Tables, place: &PositionFound) -> __m512i {
        let mut row = _mm512_mullo_epi16(place.block, _mm512_set1_epi16(tables.choosers as i16));
        for (number, &word) in self.choosers.iter().enumerate() {
            let lanes = _mm512_test_epi16_mask(word, own);
            row = _mm512_mask_add_epi16(row, lanes, row, _mm512_set1_epi16(number as i16 + 1));
        }
        let vector = _mm512_srli_epi16::<5>(row);
        let mut position = _mm512_mullo_epi16(place.block, _mm512_set1_epi16(FIFTEEN as i16));
        let mut sum = _mm512_setzero_si512();
        // The last one is not asked about: it is the one if no other is.
        for at in 0..FIFTEEN - 1 {
            let mut weight = _mm512_permutexvar_epi16(row, tables.weights[0][at]);
            for (number, rows) in tables.weights.iter().enumerate().skip(1) {
                let lanes = _mm512_cmpeq_epi16_mask(vector, _mm512_set1_epi16(number as i16));
                weight = _mm512_mask_permutexvar_epi16(weight, lanes, row, rows[at]);
            }
            let is_legal = _mm512_test_epi16_mask(place.legal, _mm512_set1_epi16(1 << at));
            sum = _mm512_mask_add_epi16(sum, is_legal, sum, weight);
            let is_behind = _mm512_cmple_epu16_mask(sum, place.rank);
            position = _mm512_mask_add_epi16(position, is_behind, position, _mm512_set1_epi16(1));
        }
        position
    }
}
