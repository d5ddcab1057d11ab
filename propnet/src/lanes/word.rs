//! Words of lanes: one bit for each lane, all lanes combined at once.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use wide::{u64x4, u64x8};

use crate::machine::{
    CaseLists, CaseWeigher, Executable, MachineError, VectorOffer, VectorWeigher,
};
use crate::program::WeightedChoice;

/// What a processor combines in one go, or at least as if it could: a part of a word.
pub trait Piece:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The same 64 lanes again and again.
    fn repeat(bits: u64) -> Self;
}

impl Piece for u64 {
    #[inline(always)]
    fn repeat(bits: u64) -> Self {
        bits
    }
}

impl Piece for u64x4 {
    #[inline(always)]
    fn repeat(bits: u64) -> Self {
        u64x4::splat(bits)
    }
}

impl Piece for u64x8 {
    #[inline(always)]
    fn repeat(bits: u64) -> Self {
        u64x8::splat(bits)
    }
}

/// A word: a bit for each of its lanes.
pub trait Word:
    Copy
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

    /// What it is made of.
    type Piece: Piece;

    /// How many of these.
    const PIECES: usize;

    /// One of them.
    fn piece(&self, at: usize) -> Self::Piece;

    /// Changes one of them.
    fn set_piece(&mut self, at: usize, piece: Self::Piece);

    /// The lanes, 64 to a number.
    fn parts(&self) -> &[u64];

    /// The same, to be written.
    fn parts_mut(&mut self) -> &mut [u64];

    /// The same truth in every lane.
    #[inline(always)]
    fn splat(truth: bool) -> Self {
        if truth { !Self::ZERO } else { Self::ZERO }
    }

    /// True in the first `count` lanes.
    fn first(count: usize) -> Self {
        let mut word = Self::ZERO;
        for (at, part) in word.parts_mut().iter_mut().enumerate() {
            let bits = count.saturating_sub(at * 64).min(64) as u32;
            *part = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
        }
        word
    }

    /// Whether no lane is true.
    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.parts().iter().all(|&part| part == 0)
    }

    /// In how many lanes it is true.
    #[inline(always)]
    fn count(&self) -> u32 {
        self.parts().iter().map(|part| part.count_ones()).sum()
    }

    /// Whether it is true in a lane.
    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.parts()[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// The lanes in which it is true, in ascending order.
    #[inline(always)]
    fn lanes(self) -> Lanes<Self> {
        Lanes { part: 0, rest: self.parts()[0], word: self }
    }

    /// True in the first `count` lanes in which it is true.
    #[inline(always)]
    fn take(mut self, mut count: usize) -> Self {
        for part in self.parts_mut() {
            let own = part.count_ones() as usize;
            if own > count {
                let behind = (0..count).fold(*part, |rest, _| rest & rest.wrapping_sub(1));
                *part &= !behind;
            }
            count = count.saturating_sub(own);
        }
        self
    }

    /// Makes it true where another is, too. In memory, and in vectors as wide as there are: what
    /// reads the whole word right after waits for no parts of it.
    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (own, other) in self.parts_mut().iter_mut().zip(other.parts()) {
            *own |= other;
        }
    }

    /// Makes it true in a lane.
    #[inline(always)]
    fn insert(&mut self, lane: usize) {
        self.parts_mut()[lane / 64] |= 1 << (lane % 64);
    }

    /// Runs machine code on such words; an error unless they are as wide as its registers, and
    /// most are not.
    fn execute(
        executable: &Executable,
        _before: &[Self],
        _after: &mut [Self],
        _work: &mut [Self],
    ) -> Result<(), MachineError> {
        let level = executable.code().level();
        Err(MachineError::Width { level, bytes: size_of::<Self>() })
    }

    /// Chooses by weights in some lanes of such words; whether it was done, which it is not on most.
    fn weigh(
        _: &mut VectorWeigher,
        _: &WeightedChoice,
        _: &mut VectorOffer,
        _lanes: Self,
        _work: &mut [Self],
    ) -> bool {
        false
    }

    /// Chooses by values that differ from lane to lane, in the same way. `words` are those of lists.
    fn weigh_cases(
        _: &mut CaseWeigher,
        _: &WeightedChoice,
        _parts: &[CaseLists],
        _lanes: Self,
        _words: &mut [Self],
        _work: &mut [Self],
    ) -> bool {
        false
    }
}

/// The lanes in which a word is true. A type of its own, since loops over it must be inlined.
#[derive(Clone)]
pub struct Lanes<W> {
    word: W,
    /// The current 64 lanes, and those of them that are left.
    part: usize,
    rest: u64,
}

impl<W: Word> Iterator for Lanes<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.rest == 0 {
            self.part += 1;
            self.rest = *self.word.parts().get(self.part)?;
        }
        let lane = self.part * 64 + self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Some(lane)
    }
}

impl Word for u64 {
    const LANES: usize = 64;
    const ZERO: Self = 0;

    type Piece = u64;

    const PIECES: usize = 1;

    #[inline(always)]
    fn piece(&self, _: usize) -> u64 {
        *self
    }

    #[inline(always)]
    fn set_piece(&mut self, _: usize, piece: u64) {
        *self = piece;
    }

    #[inline(always)]
    fn parts(&self) -> &[u64] {
        std::slice::from_ref(self)
    }

    #[inline(always)]
    fn parts_mut(&mut self) -> &mut [u64] {
        std::slice::from_mut(self)
    }
}

/// Words that are registers of a level of machine code.
macro_rules! register_words {
    ($($word:ty: $lanes:literal),*) => {$(
        impl Word for $word {
            const LANES: usize = $lanes;
            const ZERO: Self = <$word>::ZERO;

            type Piece = $word;

            const PIECES: usize = 1;

            #[inline(always)]
            fn piece(&self, _: usize) -> $word {
                *self
            }

            #[inline(always)]
            fn set_piece(&mut self, _: usize, piece: $word) {
                *self = piece;
            }

            #[inline(always)]
            fn parts(&self) -> &[u64] {
                self.as_array()
            }

            #[inline(always)]
            fn parts_mut(&mut self) -> &mut [u64] {
                self.as_mut_array()
            }

            fn execute(
                executable: &Executable,
                before: &[Self],
                after: &mut [Self],
                work: &mut [Self],
            ) -> Result<(), MachineError> {
                executable.run(before, after, work)
            }

            fn weigh(
                weigher: &mut VectorWeigher,
                choice: &WeightedChoice,
                offer: &mut VectorOffer,
                lanes: Self,
                work: &mut [Self],
            ) -> bool {
                weigher.choose(choice, offer, lanes, work)
            }

            fn weigh_cases(
                weigher: &mut CaseWeigher,
                choice: &WeightedChoice,
                parts: &[CaseLists],
                lanes: Self,
                words: &mut [Self],
                work: &mut [Self],
            ) -> bool {
                weigher.choose(choice, parts, lanes, words, work)
            }
        }
    )*};
}

register_words!(u64x4: 256, u64x8: 512);

/// Four words of 512 lanes as one. The simulator has to find out once for all of them what an
/// operation is and where its words are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad([u64x8; 4]);

impl Quad {
    fn combine(self, other: Quad, operation: impl Fn(u64x8, u64x8) -> u64x8) -> Quad {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Quad([operation(a, e), operation(b, f), operation(c, g), operation(d, h)])
    }
}

impl BitAnd for Quad {
    type Output = Quad;

    fn bitand(self, other: Quad) -> Quad {
        self.combine(other, |a, b| a & b)
    }
}

impl BitOr for Quad {
    type Output = Quad;

    fn bitor(self, other: Quad) -> Quad {
        self.combine(other, |a, b| a | b)
    }
}

impl BitXor for Quad {
    type Output = Quad;

    fn bitxor(self, other: Quad) -> Quad {
        self.combine(other, |a, b| a ^ b)
    }
}

impl Not for Quad {
    type Output = Quad;

    fn not(self) -> Quad {
        Quad(self.0.map(|part| !part))
    }
}

impl Word for Quad {
    const LANES: usize = 2048;
    const ZERO: Self = Quad([u64x8::ZERO; 4]);

    type Piece = u64x8;

    const PIECES: usize = 4;

    #[inline(always)]
    fn piece(&self, at: usize) -> u64x8 {
        self.0[at]
    }

    #[inline(always)]
    fn set_piece(&mut self, at: usize, piece: u64x8) {
        self.0[at] = piece;
    }

    #[inline(always)]
    fn parts(&self) -> &[u64] {
        bytemuck::cast_slice(&self.0)
    }

    #[inline(always)]
    fn parts_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
