//! A choice by values that differ from lane to lane, in vectors of 512 bits; there is none for those
//! of 256, where lanes choose one by one.

#[cfg(target_arch = "x86_64")]
use super::Avx512CaseWeigher;
#[cfg(target_arch = "x86_64")]
use crate::machine::executable::weigh_cases_with_avx512;
use crate::program::{CASE_BITS, Sampling, WeightedChoice};

/// The cases of all positions of a choice: lists of words, of which the first that holds in a lane
/// counts there. A list has a power of two of them; the first one holds where the position is not
/// legal, the last one always.
#[derive(Clone, Debug, Default)]
pub struct CaseLists {
    /// By position: how often a list has to be halved, from 1 to [`CASE_BITS`].
    pub bits: Vec<usize>,
    /// By position and chooser: the numbers of words.
    pub words: Vec<u32>,
    /// By position and chooser: the value by code. That of illegal positions, the last one, is 0.
    pub values: Vec<[u16; 1 << CASE_BITS]>,
}

impl CaseLists {
    /// The number of the word that holds where the position that is looked at is not legal.
    pub const ILLEGAL: u32 = 0;
    /// The number of the word that holds always.
    pub const ALWAYS: u32 = 1;
}

/// A choice by cases in vectors, for one thread. The code of a position in a lane is the complement
/// of the index of the first word that holds, or all bits where it is not legal, and says which of its
/// values it has there.
#[cfg(target_arch = "x86_64")]
pub struct CaseWeigher(Box<Avx512CaseWeigher>);

/// A choice by codes in vectors: there are none for this processor.
#[cfg(not(target_arch = "x86_64"))]
pub struct CaseWeigher(std::convert::Infallible);

#[cfg(target_arch = "x86_64")]
impl CaseWeigher {
    /// A choice without values, in words of `lanes` lanes. Nothing where it is too large, or where
    /// this processor does not have the vectors.
    pub fn new(choice: &WeightedChoice, lanes: usize) -> Option<Self> {
        let wide = (lanes == 512).then(|| Avx512CaseWeigher::new(choice)).flatten()?;
        Some(CaseWeigher(Box::new(wide)))
    }

    /// Says how moves are chosen, and the values of all parts; their sum has 16 bits.
    pub fn set(&mut self, sampling: Sampling, parts: &[CaseLists]) {
        self.0.set(sampling, parts);
    }

    /// Chooses in some lanes: reads what is offered in the work space, and writes the positions; those
    /// of other lanes mean nothing. `words` are those of lists; that of illegal positions is written.
    /// Whether it could: words have to be as wide as vectors.
    pub fn choose<W: bytemuck::Pod>(
        &mut self,
        choice: &WeightedChoice,
        parts: &[CaseLists],
        lanes: W,
        words: &mut [W],
        work: &mut [W],
    ) -> bool {
        weigh_cases_with_avx512(&mut self.0, choice, parts, lanes, words, work)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl CaseWeigher {
    /// Nothing: this processor does not have the vectors.
    pub fn new(_: &WeightedChoice, _: usize) -> Option<Self> {
        None
    }

    /// Never called.
    pub fn set(&mut self, _: Sampling, _: &[CaseLists]) {
        match self.0 {}
    }

    /// Never called.
    pub fn choose<W: bytemuck::Pod>(
        &mut self,
        _: &WeightedChoice,
        _: &[CaseLists],
        _: W,
        _: &mut [W],
        _: &mut [W],
    ) -> bool {
        match self.0 {}
    }
}
