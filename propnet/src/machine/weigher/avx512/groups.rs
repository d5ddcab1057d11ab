//! From sums up to groups to the groups of random ranks.

use std::arch::x86_64::*;

use super::vectors::{Numbers, halves, scale, wholes};

/// The lanes in which the sum up to the last group is 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn is_zero(up_to_group: &[[__m512i; 2]]) -> __mmask32 {
    let zero = _mm512_setzero_si512();
    let sums = up_to_group.last().copied().unwrap_or([zero; 2]);
    _mm512_cmpeq_epi16_mask(halves(sums), zero)
}

/// The groups of random ranks, and the ranks in them, in 32 lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn find_groups(
    up_to_group: &[[__m512i; 2]],
    random: &[Numbers; 2],
    at: usize,
) -> [__m512i; 2] {
    let random = wholes(random[0][at], random[1][at]);
    let one = find_group(up_to_group, 0, random[0]);
    let other = find_group(up_to_group, 1, random[1]);
    [halves([one[0], other[0]]), halves([one[1], other[1]])]
}

/// In lanes of 32 bits: the group of a random rank, and the rank in it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn find_group(up_to_group: &[[__m512i; 2]], half: usize, random: __m512i) -> [__m512i; 2] {
    let Some((last, before)) = up_to_group.split_last() else { return [random; 2] };
    let rank = scale(last[half], random);
    let (mut group, mut below) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for sums in before {
        let is_behind = _mm512_cmple_epu32_mask(sums[half], rank);
        group = _mm512_mask_add_epi32(group, is_behind, group, _mm512_set1_epi32(1));
        below = _mm512_mask_mov_epi32(below, is_behind, sums[half]);
    }
    [group, _mm512_sub_epi32(rank, below)]
}
