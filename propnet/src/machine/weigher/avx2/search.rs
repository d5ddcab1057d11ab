//! From sums of weights to positions, for 256 lanes.

use std::arch::x86_64::*;
use std::ops::Range;

use super::tables::{Avx2Tables, COUNTS, look_up};
use super::vectors::{Bytes, Halves, all_or_none, load_octets, scale, transpose, wholes};
use super::{Avx2Weigher, Layout, OCTET};
use crate::program::WeightedChoice;

/// What is found on the way.
pub(super) struct Avx2Scratch {
    /// By chooser except the first: the bytes of lanes in which it chooses, all bits set.
    is_chooser: Vec<Bytes>,
    /// By octet: which of its positions are legal.
    legal: Vec<Bytes>,
    /// By octet, of the current 32 lanes: the sum from the first one of its group up to it.
    in_group: Vec<[__m256i; 2]>,
    /// By group, of the current 32 lanes: the sum up to it.
    up_to_group: Vec<[__m256i; 4]>,
    /// By lane: its octet, and the rank in it.
    octet: Halves,
    rank: Halves,
    /// By lane: where the tables have the weights of its octet.
    row: Halves,
    /// By lane: up to which positions of its octet the sum is not above the rank.
    passed: [u8; 256],
}

impl Avx2Scratch {
    pub(super) fn new(choice: &WeightedChoice, layout: &Layout) -> Self {
        let zero: __m256i = bytemuck::Zeroable::zeroed();
        Avx2Scratch {
            is_chooser: vec![[zero; 8]; choice.is_chooser.len()],
            legal: vec![[zero; 8]; layout.blocks],
            in_group: vec![[zero; 2]; layout.blocks],
            up_to_group: Vec::new(),
            octet: [zero; 16],
            rank: [zero; 16],
            row: [zero; 16],
            passed: [0; 256],
        }
    }
}

/// Chooses in the lanes of one vector of each word; the vectors of a word come one after the other,
/// `stride` of them.
#[target_feature(enable = "avx2")]
pub(in crate::machine) fn choose(
    weigher: &mut Avx2Weigher,
    choice: &WeightedChoice,
    work: &mut [__m256i],
    stride: usize,
) {
    let Avx2Weigher { layout, tables, even, scratch } = weigher;
    tables.make_groups(layout);
    let words = |range: &Range<usize>| &work[range.start * stride..=(range.end - 1) * stride];
    for (bytes, at) in scratch.is_chooser.iter_mut().zip(choice.is_chooser.clone()) {
        *bytes = all_or_none(work[at * stride]);
    }
    load_octets(&mut scratch.legal, words(&choice.legal), layout.per_block, stride);
    let mut random = [[_mm256_setzero_si256(); 8]; 3];
    load_octets(&mut random, words(&choice.random), OCTET, stride);
    let some = work[choice.some * stride];
    let without_sum = scratch.find(tables, &random);
    let positions = Positions { words: choice.position.clone(), per_octet: layout.per_block };
    let all = _mm256_set1_epi8(-1);
    scratch.write(&positions, work, stride, all);
    let unweighted = _mm256_and_si256(without_sum, some);
    if _mm256_testz_si256(unweighted, unweighted) == 0 {
        scratch.find(even, &random);
        scratch.write(&positions, work, stride, unweighted);
    }
}

impl Avx2Scratch {
    /// Finds the position of a random rank in each lane, and the lanes in which there is no rank,
    /// since the sum of the weights is 0.
    #[target_feature(enable = "avx2")]
    fn find(&mut self, tables: &Avx2Tables, random: &[Bytes; 3]) -> __m256i {
        self.up_to_group.resize(tables.groups.len(), [_mm256_setzero_si256(); 4]);
        let mut without_sum = _mm256_setzero_si256();
        // 32 lanes after the other: what is found on the way stays small.
        for byte in 0..8 {
            // Most games have one or two choosers: loops over them are best gone.
            match tables.choosers {
                1 => self.add_up::<1>(byte, tables),
                2 => self.add_up::<2>(byte, tables),
                _ => self.add_up::<0>(byte, tables),
            }
            let bit = _mm256_set1_epi8((1u8 << byte) as i8);
            without_sum = _mm256_or_si256(without_sum, _mm256_and_si256(self.is_zero(), bit));
            let random = wholes([random[0][byte], random[1][byte], random[2][byte]]);
            self.find_octets(byte, tables, random);
        }
        self.find_passed(tables);
        without_sum
    }

    /// Adds up the weights of legal moves, for `CHOOSERS` choosers, or for any number where that is
    /// 0.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn add_up<const CHOOSERS: usize>(&mut self, byte: usize, tables: &Avx2Tables) {
        let zero = _mm256_setzero_si256();
        let choosers = if CHOOSERS == 0 { tables.choosers } else { CHOOSERS };
        let mut up_to = [zero; 4];
        for (group, up_to_group) in tables.groups.iter().zip(&mut self.up_to_group) {
            let mut in_group = [zero; 2];
            for octet in group.clone() {
                let four = _mm256_set1_epi8(15);
                let legal = self.legal[octet][byte];
                let lower = _mm256_and_si256(legal, four);
                let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(legal), four);
                let rows = &tables.sums[octet * choosers..][..choosers];
                let mut bytes = look_up(&rows[0], lower, upper);
                for (row, is_chooser) in rows[1..].iter().zip(&self.is_chooser) {
                    let others = look_up(row, lower, upper);
                    for at in 0..4 {
                        bytes[at] = _mm256_blendv_epi8(bytes[at], others[at], is_chooser[byte]);
                    }
                }
                let [low, high, upper_low, upper_high] = bytes;
                let sum = _mm256_add_epi16(
                    _mm256_unpacklo_epi8(low, high),
                    _mm256_unpacklo_epi8(upper_low, upper_high),
                );
                in_group[0] = _mm256_add_epi16(in_group[0], sum);
                let sum = _mm256_add_epi16(
                    _mm256_unpackhi_epi8(low, high),
                    _mm256_unpackhi_epi8(upper_low, upper_high),
                );
                in_group[1] = _mm256_add_epi16(in_group[1], sum);
                self.in_group[octet] = in_group;
            }
            let [one, other] = in_group;
            up_to[0] = _mm256_add_epi32(up_to[0], _mm256_unpacklo_epi16(one, zero));
            up_to[1] = _mm256_add_epi32(up_to[1], _mm256_unpackhi_epi16(one, zero));
            up_to[2] = _mm256_add_epi32(up_to[2], _mm256_unpacklo_epi16(other, zero));
            up_to[3] = _mm256_add_epi32(up_to[3], _mm256_unpackhi_epi16(other, zero));
            *up_to_group = up_to;
        }
    }

    /// The bytes of lanes in which the sum of all weights is 0, all bits set.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn is_zero(&self) -> __m256i {
        let zero = _mm256_setzero_si256();
        let sums = self.up_to_group.last().copied().unwrap_or([zero; 4]);
        let low = _mm256_packs_epi32(
            _mm256_cmpeq_epi32(sums[0], zero),
            _mm256_cmpeq_epi32(sums[1], zero),
        );
        let high = _mm256_packs_epi32(
            _mm256_cmpeq_epi32(sums[2], zero),
            _mm256_cmpeq_epi32(sums[3], zero),
        );
        _mm256_packs_epi16(low, high)
    }

    /// Finds the octets of random ranks, and the ranks in them.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_octets(&mut self, byte: usize, tables: &Avx2Tables, random: [__m256i; 4]) {
        for half in 0..2 {
            let one = self.find_group(half * 2, random[half * 2]);
            let other = self.find_group(half * 2 + 1, random[half * 2 + 1]);
            let group = _mm256_packus_epi32(one[0], other[0]);
            let rank = _mm256_packus_epi32(one[1], other[1]);
            let (octet, rank) = self.find_octet(&tables.groups, half, group, rank);
            let first = _mm256_mullo_epi16(octet, _mm256_set1_epi16(tables.choosers as i16));
            let at = byte * 2 + half;
            self.row[at] = _mm256_add_epi16(first, self.choosers(byte, half));
            (self.octet[at], self.rank[at]) = (octet, rank);
        }
    }

    /// In lanes of 32 bits: the group of a random rank, and the rank in it.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_group(&self, at: usize, random: __m256i) -> [__m256i; 2] {
        let Some((last, before)) = self.up_to_group.split_last() else { return [random; 2] };
        let rank = scale(last[at], random);
        let mut group = _mm256_set1_epi32(before.len() as i32);
        let mut below = _mm256_setzero_si256();
        for sums in before {
            let is_above = _mm256_cmpgt_epi32(sums[at], rank);
            group = _mm256_add_epi32(group, is_above);
            below = _mm256_max_epi32(below, _mm256_andnot_si256(is_above, sums[at]));
        }
        [group, _mm256_sub_epi32(rank, below)]
    }

    /// In lanes of 16 bits: the octet of a rank in a group, and the rank in it.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_octet(
        &self,
        groups: &[Range<usize>],
        at: usize,
        group: __m256i,
        rank: __m256i,
    ) -> (__m256i, __m256i) {
        let mut octet = _mm256_setzero_si256();
        let mut below = octet;
        for (number, octets) in groups.iter().enumerate() {
            let is_here = _mm256_cmpeq_epi16(group, _mm256_set1_epi16(number as i16));
            let first = _mm256_set1_epi16(octets.start as i16);
            octet = _mm256_or_si256(octet, _mm256_and_si256(is_here, first));
            for before in &self.in_group[octets.start..octets.end - 1] {
                let sum = before[at];
                let is_behind = _mm256_cmpeq_epi16(_mm256_min_epu16(sum, rank), sum);
                let is_behind = _mm256_and_si256(is_here, is_behind);
                octet = _mm256_sub_epi16(octet, is_behind);
                below = _mm256_max_epu16(below, _mm256_and_si256(is_behind, sum));
            }
        }
        (octet, _mm256_sub_epi16(rank, below))
    }

    /// Who chooses, in lanes of 16 bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn choosers(&self, byte: usize, half: usize) -> __m256i {
        let mut chooser = _mm256_setzero_si256();
        for (number, bytes) in self.is_chooser.iter().enumerate() {
            let lanes = bytes[byte];
            let is_here = match half {
                0 => _mm256_unpacklo_epi8(lanes, lanes),
                _ => _mm256_unpackhi_epi8(lanes, lanes),
            };
            let number = _mm256_set1_epi16(number as i16 + 1);
            chooser = _mm256_or_si256(chooser, _mm256_and_si256(is_here, number));
        }
        chooser
    }

    /// Lane by lane: up to which positions of an octet the sum is not above the rank.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_passed(&mut self, tables: &Avx2Tables) {
        let found = Found {
            tables,
            legal: bytemuck::cast_slice(&self.legal),
            octets: bytemuck::cast_ref(&self.octet),
            ranks: bytemuck::cast_ref(&self.rank),
            rows: bytemuck::cast_ref(&self.row),
        };
        for at in (0..256).step_by(4) {
            // Where 16 bits come from: the quarters of bytes 0 and 2, or 1 and 3.
            let lane = at / 32 * 32 + [0, 16, 8, 24][at / 8 % 4] + at % 8;
            let even = found.passed([at, at + 2], [lane, lane + 2]);
            let odd = found.passed([at + 1, at + 3], [lane + 1, lane + 3]);
            let bits = _mm256_movemask_epi8(_mm256_packs_epi16(even, odd));
            self.passed[lane..lane + 4].copy_from_slice(&bits.to_le_bytes());
        }
    }

    /// The bits of the positions in octets.
    #[target_feature(enable = "avx2")]
    fn places(&self) -> [__m256i; 3] {
        let mut passed: Bytes = bytemuck::cast(self.passed);
        transpose(&mut passed);
        // Sums only grow, so that all positions before one that was passed were passed as well.
        let last = |at: usize, next: usize| _mm256_andnot_si256(passed[next], passed[at]);
        let or = |one, other| _mm256_or_si256(one, other);
        let odd = or(or(last(0, 1), last(2, 3)), or(last(4, 5), passed[6]));
        [odd, or(last(1, 3), passed[5]), passed[3]]
    }

    /// Writes the positions of some lanes.
    #[target_feature(enable = "avx2")]
    fn write(&self, positions: &Positions, work: &mut [__m256i], stride: usize, lanes: __m256i) {
        let low = _mm256_set1_epi16(0xff);
        let mut octets = [[low; 8]; 2];
        for (byte, halves) in self.octet.chunks_exact(2).enumerate() {
            let [one, other] = [halves[0], halves[1]];
            octets[0][byte] =
                _mm256_packus_epi16(_mm256_and_si256(one, low), _mm256_and_si256(other, low));
            octets[1][byte] =
                _mm256_packus_epi16(_mm256_srli_epi16::<8>(one), _mm256_srli_epi16::<8>(other));
        }
        octets.iter_mut().for_each(|bytes| transpose(bytes));
        let places = self.places();
        let places = &places[..positions.per_octet.ilog2() as usize];
        let words = places.iter().chain(octets.iter().flatten());
        for (at, &word) in positions.words.clone().zip(words) {
            let old = &mut work[at * stride];
            *old = _mm256_or_si256(_mm256_andnot_si256(lanes, *old), _mm256_and_si256(lanes, word));
        }
    }
}

/// Where positions are written.
struct Positions {
    words: Range<usize>,
    per_octet: usize,
}

/// What was found for each lane, to go on with lane by lane.
struct Found<'s> {
    tables: &'s Avx2Tables,
    legal: &'s [[u8; 256]],
    octets: &'s [u16; 256],
    ranks: &'s [u16; 256],
    rows: &'s [u16; 256],
}

impl Found<'_> {
    /// In two lanes, each half a vector: the positions up to which the sum is not above the rank.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn passed(&self, at: [usize; 2], lanes: [usize; 2]) -> __m256i {
        let one = self.weights(at[0], lanes[0]);
        let weights = _mm256_set_m128i(self.weights(at[1], lanes[1]), one);
        let sums = _mm256_add_epi16(weights, _mm256_slli_si256::<2>(weights));
        let sums = _mm256_add_epi16(sums, _mm256_slli_si256::<4>(sums));
        let sums = _mm256_add_epi16(sums, _mm256_slli_si256::<8>(sums));
        let rank = _mm_set1_epi16(self.ranks[at[0]] as i16);
        let ranks = _mm256_set_m128i(_mm_set1_epi16(self.ranks[at[1]] as i16), rank);
        _mm256_cmpeq_epi16(_mm256_min_epu16(sums, ranks), sums)
    }

    /// The weights of the legal moves in a lane's octet.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn weights(&self, at: usize, lane: usize) -> __m128i {
        let legal = self.legal[usize::from(self.octets[at])][lane];
        let counts = bytemuck::cast(COUNTS[usize::from(legal)]);
        _mm_and_si128(self.tables.weights[usize::from(self.rows[at])], counts)
    }
}
