//! Choosing by weights in vectors of whole numbers.
//!
//! ```text
//! words, a bit for each lane -> numbers, some positions of a lane in each (a block)
//!   -> sums of weights by table, some positions at a time -> sums up to each block of a group
//!   -> sums up to each group -> a rank below the whole sum -> its group, block and position
//! ```
//!
//! Sums within a group of blocks have 16 bits, so that a vector holds many of them; sums up to a
//! group have 32. What the vectors of a processor look up at once decides what a block is: 8
//! positions in vectors of 256 bits, 15 in those of 512.

/// The lanes of a word are in so many sections: lane `l` in section `l mod 16`. Weights are looked up
/// section by section, so a choice in the lanes of few sections costs less.
pub const SECTIONS: usize = 16;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod case_weigher;
#[cfg(target_arch = "x86_64")]
mod encode;
#[cfg(target_arch = "x86_64")]
mod layout;
mod vector_weigher;

#[cfg(target_arch = "x86_64")]
pub(super) use avx512::choose_case as choose_case_with_avx512;
pub use case_weigher::{CaseLists, CaseWeigher};
pub use vector_weigher::{VectorOffer, VectorWeigher};
#[cfg(target_arch = "x86_64")]
pub(super) use {
    avx2::Avx2Weigher, avx512::Avx512CaseWeigher, avx512::Avx512Offer, avx512::Avx512Weigher,
};
#[cfg(target_arch = "x86_64")]
pub(super) use {avx2::choose as choose_with_avx2, avx512::choose as choose_with_avx512};
