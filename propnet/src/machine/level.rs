//! Which vector instructions there are to choose from.

/// A set of vector instructions, and with it the width of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// 256 lanes, 16 registers, operations on two words.
    Avx2,
    /// 512 lanes, 32 registers, any operation on three words.
    Avx512,
}

impl Level {
    /// The highest level that this processor has.
    pub fn detect() -> Option<Self> {
        [Level::Avx512, Level::Avx2].into_iter().find(|level| level.is_available())
    }

    /// Whether this processor, and the operating system on it, have the level.
    #[cfg(target_arch = "x86_64")]
    pub fn is_available(self) -> bool {
        // The standard library asks the processor once and remembers the answer.
        match self {
            Level::Avx2 => std::is_x86_feature_detected!("avx2"),
            Level::Avx512 => std::is_x86_feature_detected!("avx512f"),
        }
    }

    /// Whether this processor has the level: it is of another kind.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_available(self) -> bool {
        false
    }

    /// The level's name, for people and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// Bytes of a word.
    pub fn word_bytes(self) -> usize {
        match self {
            Level::Avx2 => 32,
            Level::Avx512 => 64,
        }
    }

    /// Vector registers.
    pub(super) fn registers(self) -> usize {
        match self {
            Level::Avx2 => 16,
            Level::Avx512 => 32,
        }
    }
}
