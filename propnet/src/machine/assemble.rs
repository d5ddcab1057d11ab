//! Routine -> Code: the way through all the stages.

use super::allocate::allocate;
use super::encode::encode;
use super::error::MachineError;
use super::level::Level;
use super::lift::Lifter;
use super::segments::{Sizes, cut};
use crate::program::Routine;

/// As far as a jump goes.
const MAX_BYTES: usize = i32::MAX as usize;

/// Machine code of a routine, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    bytes: Vec<u8>,
    level: Level,
    sizes: Sizes,
    spill_words: usize,
}

/// Makes machine code of a routine. Whether this machine could run it does not matter here.
pub fn assemble(routine: &Routine, level: Level) -> Result<Code, MachineError> {
    let mut sizes = Sizes::of(routine)?;
    let segments = cut(routine, sizes)?;
    let mut lifter = Lifter::new(level, sizes);
    let mut lifted = Vec::with_capacity(segments.len());
    for segment in &segments {
        lifted.push(lifter.lift(segment)?);
    }
    let (instructions, spill_words) = allocate(&lifted, level, sizes.work);
    sizes.work += spill_words;
    sizes.check()?;
    let bytes = encode(&instructions, level);
    if bytes.len() > MAX_BYTES {
        return Err(MachineError::Bytes { bytes: bytes.len(), limit: MAX_BYTES });
    }
    Ok(Code { bytes, level, sizes, spill_words })
}

impl Code {
    /// The machine code: a function of the addresses of the three spaces, called as on System V,
    /// that returns whether all repeated blocks came to rest.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The level that it needs.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Words that the state before the step must have.
    pub fn before_words(&self) -> usize {
        self.sizes.before
    }

    /// Words that the state after the step must have.
    pub fn after_words(&self) -> usize {
        self.sizes.after
    }

    /// Words that the work space must have, spilled values included.
    pub fn work_words(&self) -> usize {
        self.sizes.work
    }

    /// Words at the end of the work space that hold what found no register. They mean nothing
    /// before and after.
    pub fn spill_words(&self) -> usize {
        self.spill_words
    }
}
