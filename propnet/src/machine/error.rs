//! Why a routine did not become machine code, or did not run to its end.

use thiserror::Error;

use super::level::Level;
use crate::program::Slot;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MachineError {
    /// A table that the level has no instruction for.
    #[error("avx2 has no instruction for the truth table {table:#04x}: map to two inputs")]
    Table {
        /// The table.
        table: u8,
    },
    /// A routine writes to the state that it reads.
    #[error("{slot:?} is written, but the state before a step is read only")]
    ReadOnly {
        /// The word.
        slot: Slot,
    },
    /// A feedback word that is also written, or fed back, by something else.
    #[error("the feedback word {slot:?} has more than one source")]
    Feedback {
        /// The word.
        slot: Slot,
    },
    /// More words than an instruction can reach.
    #[error("a space of {words} words is too large for machine code: at most {limit}")]
    Words {
        /// Words that the routine needs in one space.
        words: usize,
        /// Words that can be reached.
        limit: usize,
    },
    /// More code than a jump can cross.
    #[error("{bytes} bytes of machine code are too many: at most {limit}")]
    Bytes {
        /// Bytes of code.
        bytes: usize,
        /// Bytes that can be crossed.
        limit: usize,
    },
    /// The processor lacks the level.
    #[error("this processor does not have {}", .level.name())]
    Level {
        /// The level asked for.
        level: Level,
    },
    /// The code was made for another width.
    #[error("code for {} cannot run on words of {bytes} bytes", .level.name())]
    Width {
        /// The level of the code.
        level: Level,
        /// Bytes of the words asked for.
        bytes: usize,
    },
    /// The operating system gives no executable memory.
    #[error("cannot get executable memory: {reason}")]
    Memory {
        /// What the operating system says.
        reason: String,
    },
    /// The caller stopped the work.
    #[error("stopped by the caller")]
    Stopped,
    /// A block was repeated far more often than any loop of rules needs.
    #[error("a repeated block did not reach a fixed point")]
    Endless,
}
