//! Choosing by weights in vectors of whole numbers, 256 lanes at a time.
//!
//! ```text
//! words, a bit for each lane -> bytes, up to 8 positions of a lane in each (an octet)
//!   -> sums of weights by table, 4 positions at a time -> sums up to each octet of a group
//!   -> sums up to each group -> a rank below the whole sum -> its group, octet and position
//! ```
//!
//! Sums within a group of octets have 16 bits, so that a vector holds many of them; sums up to a
//! group have 32.

#[cfg(target_arch = "x86_64")]
mod layout;
#[cfg(target_arch = "x86_64")]
mod search;
#[cfg(target_arch = "x86_64")]
mod tables;
mod vector_weigher;
#[cfg(target_arch = "x86_64")]
mod vectors;

#[cfg(target_arch = "x86_64")]
pub(super) use search::choose;
pub use vector_weigher::VectorWeigher;

/// The most positions of an octet.
#[cfg(target_arch = "x86_64")]
const OCTET: usize = 8;
