//! Which width, and which back end: what is asked for, and what this processor can do.

use super::code::Backend;
use super::word::{Quad, Word};
use crate::machine::Level;
use crate::program::Mapping;
use wide::{u64x4, u64x8};

/// How many lanes a word has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// 64 lanes: an ordinary number.
    Lanes64,
    /// 256 lanes.
    Lanes256,
    /// 512 lanes.
    Lanes512,
    /// 2048 lanes, in four parts.
    Lanes2048,
}

/// Something to be done with words of some width that is known only at run time.
pub trait PerWidth {
    /// The result.
    type Output;

    /// Does it.
    fn run<W: Word>(self) -> Self::Output;
}

impl Width {
    /// All widths, ascending.
    pub const ALL: &[Width] = &[Width::Lanes64, Width::Lanes256, Width::Lanes512, Width::Lanes2048];

    /// The number of lanes.
    pub fn lanes(self) -> usize {
        match self {
            Width::Lanes64 => 64,
            Width::Lanes256 => 256,
            Width::Lanes512 => 512,
            Width::Lanes2048 => 2048,
        }
    }

    /// Does something with words of this width: the one place that goes from numbers to types.
    pub fn dispatch<T: PerWidth>(self, task: T) -> T::Output {
        match self {
            Width::Lanes64 => task.run::<u64>(),
            Width::Lanes256 => task.run::<u64x4>(),
            Width::Lanes512 => task.run::<u64x8>(),
            Width::Lanes2048 => task.run::<Quad>(),
        }
    }

    /// The width of a level's registers.
    fn of(level: Level) -> Width {
        match level {
            Level::Avx2 => Width::Lanes256,
            Level::Avx512 => Width::Lanes512,
        }
    }
}

/// A width and a back end that go together on this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    width: Width,
    backend: Backend,
}

impl Default for Setup {
    /// The fastest that there is.
    fn default() -> Self {
        match Level::detect() {
            Some(level) => Setup { width: Width::of(level), backend: Backend::Machine(level) },
            None => Setup { width: PORTABLE_WIDTH, backend: Backend::Portable },
        }
    }
}

/// The width at which the simulator is fastest: an operation is looked up once for all lanes. It is
/// so for small and large circuits alike: from 128 gates to 91,505 it was 1.1 to 1.8 times as fast
/// as 512 lanes, and those faster than 256. Compiled code has the width of registers, so that the
/// circuit has no say in either.
const PORTABLE_WIDTH: Width = Width::Lanes2048;

impl Setup {
    /// One state at a time, in plain numbers.
    pub const SCALAR: Setup = Setup { width: Width::Lanes64, backend: Backend::Portable };

    /// What is asked for; the best on this processor where nothing is.
    pub fn new(width: Option<Width>, backend: Option<Backend>) -> Result<Self, SetupError> {
        match (width, backend) {
            (None, None) => Ok(Setup::default()),
            (None, Some(Backend::Portable)) => {
                Ok(Setup { width: PORTABLE_WIDTH, backend: Backend::Portable })
            }
            (Some(width), Some(Backend::Portable)) => {
                Ok(Setup { width, backend: Backend::Portable })
            }
            (width, Some(Backend::Machine(level))) => Self::of(width, level),
            (Some(width), None) => {
                let mut levels = [Level::Avx512, Level::Avx2].into_iter();
                let compiled = levels.find_map(|level| Self::of(Some(width), level).ok());
                Ok(compiled.unwrap_or(Setup { width, backend: Backend::Portable }))
            }
        }
    }

    fn of(width: Option<Width>, level: Level) -> Result<Self, SetupError> {
        let own = Width::of(level);
        if !level.is_available() {
            return Err(SetupError::Level { level });
        }
        match width {
            Some(width) if width != own => Err(SetupError::Width { width, level, own }),
            _ => Ok(Setup { width: own, backend: Backend::Machine(level) }),
        }
    }

    /// The number of lanes.
    pub fn width(self) -> Width {
        self.width
    }

    /// What runs the routines.
    pub fn backend(self) -> Backend {
        self.backend
    }

    /// The operations that suit the back end.
    pub fn mapping(self) -> Mapping {
        match self.backend {
            Backend::Machine(Level::Avx512) => Mapping::ThreeInputs,
            Backend::Machine(Level::Avx2) | Backend::Portable => Mapping::TwoInputs,
        }
    }
}

impl std::fmt::Display for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.width.lanes(), self.backend.name())
    }
}

/// Why a width and a back end cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The processor lacks the level.
    #[error("this processor does not have {}; portable works everywhere", .level.name())]
    Level {
        /// The level asked for.
        level: Level,
    },
    /// The level has registers of another width.
    #[error(
        "{} works on {} lanes and not on {}; portable works on any width",
        .level.name(), .own.lanes(), .width.lanes()
    )]
    Width {
        /// The width asked for.
        width: Width,
        /// The level asked for.
        level: Level,
        /// The width of the level.
        own: Width,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_given_or_refused() {
        for &width in Width::ALL {
            let setup = Setup::new(Some(width), Some(Backend::Portable)).expect("works anywhere");
            assert_eq!((setup.width(), setup.backend()), (width, Backend::Portable));
            assert_eq!(Setup::new(Some(width), None).expect("some back end").width(), width);
            for level in [Level::Avx2, Level::Avx512] {
                let setup = Setup::new(Some(width), Some(Backend::Machine(level)));
                let fits = width == Width::of(level);
                assert_eq!(setup.is_ok(), fits && level.is_available(), "{width:?} {level:?}");
            }
        }
        assert_eq!(Setup::new(None, None), Ok(Setup::default()));
    }

    #[test]
    fn a_width_is_dispatched_to_words_of_that_width() {
        struct CountLanes;
        impl PerWidth for CountLanes {
            type Output = (usize, usize);
            fn run<W: Word>(self) -> (usize, usize) {
                (W::LANES, W::splat(true).count() as usize)
            }
        }
        for &width in Width::ALL {
            assert_eq!(width.dispatch(CountLanes), (width.lanes(), width.lanes()));
        }
    }
}
