//! Words of lanes: one bit for each lane, all lanes combined at once.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::Pod;
use wide::{u64x4, u64x8};

/// A word: a bit for each of its lanes.
pub trait Word:
    Pod
    + PartialEq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// The number of lanes; a power of two and a multiple of 64.
    const LANES: usize;

    /// False in every lane.
    const ZERO: Self;

    /// The lanes, 64 to a number.
    fn parts(&self) -> &[u64];

    /// The same, to be written.
    fn parts_mut(&mut self) -> &mut [u64];

    /// The same truth in every lane.
    fn splat(truth: bool) -> Self {
        if truth { !Self::ZERO } else { Self::ZERO }
    }

    /// Whether no lane is true.
    fn is_zero(&self) -> bool {
        self.parts().iter().all(|&part| part == 0)
    }

    /// In how many lanes it is true.
    fn count(&self) -> u32 {
        self.parts().iter().map(|part| part.count_ones()).sum()
    }

    /// Whether it is true in a lane.
    fn has(&self, lane: usize) -> bool {
        self.parts()[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// The lanes in which it is true, in ascending order.
    fn lanes(self) -> impl Iterator<Item = usize> {
        (0..Self::LANES / 64).flat_map(move |at| {
            std::iter::successors(Some(self.parts()[at]), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| at * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// Makes it true in a lane.
    fn insert(&mut self, lane: usize) {
        self.parts_mut()[lane / 64] |= 1 << (lane % 64);
    }
}

impl Word for u64 {
    const LANES: usize = 64;
    const ZERO: Self = 0;

    fn parts(&self) -> &[u64] {
        std::slice::from_ref(self)
    }

    fn parts_mut(&mut self) -> &mut [u64] {
        std::slice::from_mut(self)
    }
}

impl Word for u64x4 {
    const LANES: usize = 256;
    const ZERO: Self = u64x4::ZERO;

    fn parts(&self) -> &[u64] {
        self.as_array()
    }

    fn parts_mut(&mut self) -> &mut [u64] {
        self.as_mut_array()
    }
}

impl Word for u64x8 {
    const LANES: usize = 512;
    const ZERO: Self = u64x8::ZERO;

    fn parts(&self) -> &[u64] {
        self.as_array()
    }

    fn parts_mut(&mut self) -> &mut [u64] {
        self.as_mut_array()
    }
}
