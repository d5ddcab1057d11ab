//! The first case that holds in each lane, as the bits of a number.
//!
//! A list of words is halved again and again: a bit says whether the left half has one that holds,
//! and the bits below are those of that half, or else those of the right one.

/// Of words from one of a list on: the bits, and where one of them holds. All in one piece: as
/// functions these would hand vectors to each other through memory.
macro_rules! first_of {
    (2, $words:tt, $at:expr, $ops:tt) => {{
        let left = first_of!(@word $words, $at);
        let right = first_of!(@word $words, $at + 1);
        ([left], first_of!(@or $ops, left, right))
    }};
    (4, $words:tt, $at:expr, $ops:tt) => { first_of!(@twice 2, 2, $words, $at, $ops) };
    (8, $words:tt, $at:expr, $ops:tt) => { first_of!(@twice 4, 3, $words, $at, $ops) };
    (16, $words:tt, $at:expr, $ops:tt) => { first_of!(@twice 8, 4, $words, $at, $ops) };
    (32, $words:tt, $at:expr, $ops:tt) => { first_of!(@twice 16, 5, $words, $at, $ops) };
    (@twice $half:tt, $bits:literal, $words:tt, $at:expr, $ops:tt) => {{
        let (left, holds) = first_of!($half, $words, $at, $ops);
        let (right, other) = first_of!($half, $words, $at + $half, $ops);
        let mut bits = [holds; $bits];
        for bit in 0..$bits - 1 {
            bits[bit] = first_of!(@choose $ops, holds, left[bit], right[bit]);
        }
        (bits, first_of!(@or $ops, holds, other))
    }};
    (@word ($list:ident, $words:ident, $stride:ident), $at:expr) => {
        $words[$list[$at] as usize * $stride]
    };
    (@or ($or:ident, $choose:ident), $one:ident, $other:ident) => { $or($one, $other) };
    (@choose ($or:ident, $choose:ident), $which:ident, $one:expr, $other:expr) => {
        $choose($which, $one, $other)
    };
}

/// Makes the function `encode` for a type of vectors: the code of a list of words whose length is a
/// power of two. It is the complement of the index of the first word that holds. The first word is
/// that of illegal moves, where all bits are true.
macro_rules! encoder {
    ($vector:ty, $features:literal, $or:ident, $choose:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn encode(
            list: &[u32],
            words: &[$vector],
            stride: usize,
        ) -> [$vector; $crate::program::CASE_BITS] {
            encoder!(@lengths $vector, list, words, stride, ($or, $choose), 2: 1, 4: 2, 8: 3, 16: 4);
            first_of!(32, (list, words, stride), 0, ($or, $choose)).0
        }
    };
    (@lengths $vector:ty, $list:ident, $words:ident, $stride:ident, $ops:tt, $($length:tt: $bits:literal),*) => {$(
        if let Ok(list) = <&[u32; $length]>::try_from($list) {
            let mut code = [$words[list[0] as usize * $stride]; $crate::program::CASE_BITS];
            code[..$bits].copy_from_slice(&first_of!($length, (list, $words, $stride), 0, $ops).0);
            return code;
        }
    )*};
}

pub(super) use {encoder, first_of};
