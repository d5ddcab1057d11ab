//! All lanes as bytes, 16 and 32 bits, and how they are made of words and of each other.
//!
//! Lanes are in an order of their own, which comes from the way there. Byte `j` of word `b` of the
//! bytes is lane `8j + b`. Where bytes become 16 bits, and these 32, each half of a vector of 256
//! bits is taken apart for itself, and going back puts it together in the same way. So the order
//! never matters but where bytes meet 16 bits, one by one.

use std::arch::x86_64::*;

use super::OCTET;
use crate::program::CHOICE_BITS;

/// The bits of a random number. They are in three bytes.
const RANDOM_BITS: i32 = CHOICE_BITS as i32;
const _: () = assert!(RANDOM_BITS <= 24);

/// All lanes, 8 bits of each.
pub(super) type Bytes = [__m256i; 8];
/// All lanes, 16 bits of each.
pub(super) type Halves = [__m256i; 16];

/// Makes the bits of `per_octet` words at a time, up to eight, the bytes of their lanes; missing
/// words are false.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_octets(
    octets: &mut [Bytes],
    words: &[__m256i],
    per_octet: usize,
    stride: usize,
) {
    for (bytes, words) in octets.iter_mut().zip(words.chunks(per_octet * stride)) {
        if words.len() > (OCTET - 1) * stride {
            for at in 0..OCTET {
                bytes[at] = words[at * stride];
            }
        } else {
            *bytes = [_mm256_setzero_si256(); 8];
            for (byte, word) in bytes.iter_mut().zip(words.iter().step_by(stride)) {
                *byte = *word;
            }
        }
        transpose(bytes);
    }
}

/// Bytes whose bits are all as the bit of their lane in a word.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn all_or_none(word: __m256i) -> Bytes {
    let mut bytes = [word; 8];
    for (at, byte) in bytes.iter_mut().enumerate() {
        let bit = _mm256_set1_epi8((1u8 << at) as i8);
        *byte = _mm256_cmpeq_epi8(_mm256_and_si256(word, bit), bit);
    }
    bytes
}

/// Bits to bytes, or back: bit `b` of byte `j` of word `w` becomes bit `w` of byte `j` of word `b`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose(words: &mut Bytes) {
    for pair in [[0, 4], [1, 5], [2, 6], [3, 7]] {
        swap::<4>(words, pair, 0x0f);
    }
    for pair in [[0, 2], [1, 3], [4, 6], [5, 7]] {
        swap::<2>(words, pair, 0x33);
    }
    for pair in [[0, 1], [2, 3], [4, 5], [6, 7]] {
        swap::<1>(words, pair, 0x55);
    }
}

/// Swaps bits of two words: those above the mask, `PLACES` places up, and those of the mask.
#[inline]
#[target_feature(enable = "avx2")]
fn swap<const PLACES: i32>(words: &mut Bytes, [one, other]: [usize; 2], mask: i8) {
    let mask = _mm256_set1_epi8(mask);
    let shifted = _mm256_srli_epi64::<PLACES>(words[one]);
    let change = _mm256_and_si256(_mm256_xor_si256(shifted, words[other]), mask);
    words[other] = _mm256_xor_si256(words[other], change);
    words[one] = _mm256_xor_si256(words[one], _mm256_slli_epi64::<PLACES>(change));
}

/// Three bytes of each lane as a number of 32 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn wholes([low, middle, high]: [__m256i; 3]) -> [__m256i; 4] {
    let zero = _mm256_setzero_si256();
    let lows = [_mm256_unpacklo_epi8(low, middle), _mm256_unpackhi_epi8(low, middle)];
    let highs = [_mm256_unpacklo_epi8(high, zero), _mm256_unpackhi_epi8(high, zero)];
    [
        _mm256_unpacklo_epi16(lows[0], highs[0]),
        _mm256_unpackhi_epi16(lows[0], highs[0]),
        _mm256_unpacklo_epi16(lows[1], highs[1]),
        _mm256_unpackhi_epi16(lows[1], highs[1]),
    ]
}

/// A number times a random fraction of [`RANDOM_BITS`] bits, rounded down.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn scale(number: __m256i, random: __m256i) -> __m256i {
    let even = _mm256_srli_epi64::<RANDOM_BITS>(_mm256_mul_epu32(number, random));
    let odd = [number, random].map(|numbers| _mm256_srli_epi64::<32>(numbers));
    let odd = _mm256_slli_epi64::<{ 32 - RANDOM_BITS }>(_mm256_mul_epu32(odd[0], odd[1]));
    _mm256_blend_epi32::<0b1010_1010>(even, odd)
}
