//! All lanes as numbers of 16 bits, and how they are made of words and of each other.
//!
//! Lanes are in an order of their own, which comes from the way there: number `c` of vector `b` is
//! lane `16c + b`. Where numbers become 32 bits, each 128 bits of a vector are taken apart for
//! themselves, and going back puts them together in the same way.

use std::arch::x86_64::*;

use crate::program::CHOICE_BITS;

/// The bits of a random number.
const RANDOM_BITS: u32 = CHOICE_BITS as u32;
const _: () = assert!(RANDOM_BITS > 16 && RANDOM_BITS <= 32);

/// All lanes, 16 bits of each.
pub(super) type Numbers = [__m512i; 16];

/// Makes the bits of up to 16 words the numbers of their lanes; words that are not there are false.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn load(numbers: &mut Numbers, words: &[__m512i]) {
    numbers[..words.len()].copy_from_slice(words);
    numbers[words.len()..].fill(_mm512_setzero_si512());
    transpose(numbers);
}

/// Bits to numbers, or back: bit `b` of number `c` of word `w` becomes bit `w` of number `c` of
/// word `b`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn transpose(words: &mut Numbers) {
    for at in 0..8 {
        swap::<8>(words, at, 0x00ff);
    }
    for at in [0, 1, 2, 3, 8, 9, 10, 11] {
        swap::<4>(words, at, 0x0f0f);
    }
    for at in [0, 1, 4, 5, 8, 9, 12, 13] {
        swap::<2>(words, at, 0x3333);
    }
    for at in [0, 2, 4, 6, 8, 10, 12, 14] {
        swap::<1>(words, at, 0x5555);
    }
}

/// Swaps bits of a word and the one `PLACES` places after it: those above the mask, `PLACES` places
/// up, and those of the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap<const PLACES: u32>(words: &mut Numbers, at: usize, mask: i16) {
    /// b where a is set, c elsewhere.
    const CHOOSE: i32 = 0b1100_1010;
    let mask = _mm512_set1_epi16(mask);
    let (one, other) = (words[at], words[at + PLACES as usize]);
    let up = _mm512_slli_epi16::<PLACES>(other);
    let down = _mm512_srli_epi16::<PLACES>(one);
    words[at] = _mm512_ternarylogic_epi64::<CHOOSE>(mask, one, up);
    words[at + PLACES as usize] = _mm512_ternarylogic_epi64::<CHOOSE>(mask, down, other);
}

/// Numbers of 32 bits, from their lower and upper 16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn wholes(lower: __m512i, upper: __m512i) -> [__m512i; 2] {
    [_mm512_unpacklo_epi16(lower, upper), _mm512_unpackhi_epi16(lower, upper)]
}

/// Numbers of 16 bits, from numbers of 32; too high ones become the highest that there is.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn halves([one, other]: [__m512i; 2]) -> __m512i {
    _mm512_packus_epi32(one, other)
}

/// A number times a random fraction of [`RANDOM_BITS`] bits, rounded down.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn scale(number: __m512i, random: __m512i) -> __m512i {
    let even = _mm512_srli_epi64::<RANDOM_BITS>(_mm512_mul_epu32(number, random));
    let odd = [number, random].map(|numbers| _mm512_srli_epi64::<32>(numbers));
    let odd = _mm512_slli_epi64::<{ 32 - RANDOM_BITS }>(_mm512_mul_epu32(odd[0], odd[1]));
    _mm512_mask_mov_epi32(even, 0b1010_1010_1010_1010, odd)
}

/// The sections that have one of these lanes, as bits of a number: a section is the lanes that have
/// the same bit in numbers of 16 bits.
pub(super) fn sections(lanes: __m512i) -> u16 {
    let numbers: [u16; 32] = bytemuck::cast(lanes);
    numbers.into_iter().fold(0, |sections, number| sections | number)
}
