//! Weights as they are looked up: sums of four at a time, and each for itself.

use std::arch::x86_64::*;
use std::array::from_fn;
use std::ops::Range;

use super::{Layout, OCTET};

/// The weights, as they are looked up.
pub(super) struct Avx2Tables {
    pub(super) choosers: usize,
    per_octet: usize,
    /// By octet and chooser, for the lower and the upper four positions: by which of these are
    /// legal, the low and the high byte of the sum of the weights.
    pub(super) sums: Vec<[[__m256i; 2]; 2]>,
    /// By octet and chooser: the weights.
    pub(super) weights: Vec<__m128i>,
    /// The octets of each group; none since weights were set.
    pub(super) groups: Vec<Range<usize>>,
}

impl Avx2Tables {
    /// All weights are 0.
    pub(super) fn new(layout: &Layout, choosers: usize) -> Self {
        let rows = layout.blocks * choosers;
        let zero: __m256i = bytemuck::Zeroable::zeroed();
        Avx2Tables {
            choosers,
            per_octet: layout.per_block,
            sums: vec![[[zero; 2]; 2]; rows],
            weights: vec![bytemuck::Zeroable::zeroed(); rows],
            groups: Vec::new(),
        }
    }

    /// Makes groups, if there are none.
    pub(super) fn make_groups(&mut self, layout: &Layout) {
        if self.groups.is_empty() {
            self.groups = layout.groups(|chooser, position| {
                let row = position / self.per_octet * self.choosers + chooser;
                let weights: [u16; OCTET] = bytemuck::cast(self.weights[row]);
                u32::from(weights[position % self.per_octet])
            });
        }
    }

    pub(super) fn set(&mut self, chooser: usize, position: usize, weight: u32) {
        let (octet, place) = (position / self.per_octet, position % self.per_octet);
        let at = octet * self.choosers + chooser;
        let mut weights: [u16; OCTET] = bytemuck::cast(self.weights[at]);
        weights[place] = weight as u16;
        self.weights[at] = bytemuck::cast(weights);
        let upper = place / 4;
        let sum = |legal: usize| -> u16 {
            let set = (0..4).filter(|bit| legal >> bit & 1 == 1);
            set.map(|bit| weights[upper * 4 + bit]).sum()
        };
        // Twice, since a vector of 256 bits looks up in each of its halves.
        let bytes = |byte: usize| from_fn::<u8, 32, _>(|legal| sum(legal % 16).to_le_bytes()[byte]);
        self.groups.clear();
        self.sums[at][upper] = [bytemuck::cast(bytes(0)), bytemuck::cast(bytes(1))];
    }
}

/// By the legal positions of an octet: all bits of the weights that count.
pub(super) static COUNTS: [u128; 256] = {
    let mut masks = [0; 256];
    let mut bit = 0;
    while bit < 256 * OCTET {
        let (legal, position) = (bit / OCTET, bit % OCTET);
        if legal >> position & 1 == 1 {
            masks[legal] |= (u16::MAX as u128) << (16 * position);
        }
        bit += 1;
    }
    masks
};

/// The low and the high byte of the sums of the lower and the upper four positions.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn look_up(sums: &[[__m256i; 2]; 2], lower: __m256i, upper: __m256i) -> [__m256i; 4] {
    let [lower_sums, upper_sums] = sums;
    [
        _mm256_shuffle_epi8(lower_sums[0], lower),
        _mm256_shuffle_epi8(lower_sums[1], lower),
        _mm256_shuffle_epi8(upper_sums[0], upper),
        _mm256_shuffle_epi8(upper_sums[1], upper),
    ]
}
