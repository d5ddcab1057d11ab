//! Routine -> Code: the way through all the stages.

use super::allocate::allocate;
use super::encode::encode;
use super::error::MachineError;
use super::level::Level;
use super::lift::Lifter;
use super::segments::{SpaceSizes, cut};
use crate::program::Routine;

/// As far as a jump goes.
const MAX_BYTES: usize = i32::MAX as usize;

/// Machine code of a routine, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineCode {
    bytes: Vec<u8>,
    level: Level,
    sizes: SpaceSizes,
    spill_words: usize,
}

/// Makes machine code of a routine. Whether this machine could run it does not matter here.
pub fn assemble(routine: &Routine, level: Level) -> Result<MachineCode, MachineError> {
    assemble_while(routine, level, &|| true)
}

/// The same as [`assemble`] for a caller that may stop it: [`MachineError::Stopped`] once `proceed`
/// says no.
pub(crate) fn assemble_while(
    routine: &Routine,
    level: Level,
    proceed: &dyn Fn() -> bool,
) -> Result<MachineCode, MachineError> {
    let go_on = || if proceed() { Ok(()) } else { Err(MachineError::Stopped) };
    let mut sizes = SpaceSizes::of(routine)?;
    let segments = cut(routine, sizes)?;
    let mut lifter = Lifter::new(level, sizes);
    let mut lifted = Vec::with_capacity(segments.len());
    for segment in &segments {
        go_on()?;
        lifted.push(lifter.lift(segment)?);
    }
    let (instructions, spill_words) = allocate(&lifted, level, sizes.work, &go_on)?;
    sizes.work += spill_words;
    sizes.check()?;
    go_on()?;
    let bytes = encode(&instructions, level);
    if bytes.len() > MAX_BYTES {
        return Err(MachineError::Bytes { bytes: bytes.len(), limit: MAX_BYTES });
    }
    Ok(MachineCode { bytes, level, sizes, spill_words })
}

impl MachineCode {
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::program::{Block, Op, Slot, Space, table};

    /// A chain of inverters, long enough to be asked about several times.
    fn chain() -> Routine {
        let word = |index| Slot::new(Space::Work, index);
        let invert =
            |index| Op { table: table::NOT, inputs: [word(index); 3], target: word(index + 1) };
        let ops = (0..10_000).map(invert).collect();
        let blocks = vec![Block { ops, feedback: Vec::new() }];
        Routine { blocks, keeps: vec![word(10_000)] }
    }

    #[test]
    fn the_caller_can_stop_it() {
        let routine = chain();
        let whole = assemble(&routine, Level::Avx512).expect("code");
        let asked = Cell::new(0);
        for stop in 0.. {
            asked.set(0);
            let proceed = || asked.replace(asked.get() + 1) < stop;
            match assemble_while(&routine, Level::Avx512, &proceed) {
                Err(error) => assert_eq!(error, MachineError::Stopped),
                Ok(code) => {
                    assert_eq!(code, whole);
                    assert!(stop > 4, "asked {stop} times only");
                    break;
                }
            }
        }
    }
}
