//! Where the choices of a generator come from: a seed, or bytes that a fuzzer hands in.

use std::collections::VecDeque;
use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_pcg::Pcg64Mcg;

/// A source of random numbers: one for each byte that is given, and chance after the last.
pub(crate) struct Choices {
    given: VecDeque<u8>,
    chance: Pcg64Mcg,
}

impl Choices {
    /// All by chance.
    pub(crate) fn seeded(seed: u64) -> Self {
        Choices { given: VecDeque::new(), chance: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// By these bytes, so that a fuzzer that changes one changes one choice, and then by chance.
    pub(crate) fn given(bytes: &[u8], seed: u64) -> Self {
        Choices { given: bytes.iter().copied().collect(), ..Choices::seeded(seed) }
    }
}

impl TryRng for Choices {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let given = self.given.pop_front().map(|byte| u32::from_ne_bytes([byte; 4]));
        Ok(given.unwrap_or_else(|| self.chance.next_u32()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let given = self.given.pop_front().map(|byte| u64::from_ne_bytes([byte; 8]));
        Ok(given.unwrap_or_else(|| self.chance.next_u64()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.given.pop_front().unwrap_or_else(|| self.chance.next_u32() as u8);
        }
        Ok(())
    }
}
