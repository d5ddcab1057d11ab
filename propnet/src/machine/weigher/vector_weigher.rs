//! A choice by weights in vectors: what it consists of.

#[cfg(target_arch = "x86_64")]
use super::{layout::Layout, search::Scratch, tables::Tables};
#[cfg(target_arch = "x86_64")]
use crate::machine::{Level, executable::weigh};
use crate::program::WeightedChoice;

/// A choice by weights in vectors, for one thread.
#[cfg(target_arch = "x86_64")]
pub struct VectorWeigher {
    pub(super) layout: Layout,
    pub(super) tables: Tables,
    /// The same where each weight is 1.
    pub(super) even: Tables,
    pub(super) scratch: Scratch,
}

/// A choice by weights in vectors: there are none for this processor.
#[cfg(not(target_arch = "x86_64"))]
pub struct VectorWeigher(std::convert::Infallible);

#[cfg(target_arch = "x86_64")]
impl VectorWeigher {
    /// A choice with weights of so many bits, all 0. Nothing where it is too large, or where this
    /// processor does not have the vectors.
    pub fn new(choice: &WeightedChoice, bits: usize) -> Option<Self> {
        let layout = Layout::new(&choice.choosers, choice.legal.len(), bits)?;
        if !Level::Avx2.is_available() {
            return None;
        }
        let mut even = Tables::new(&layout, choice.choosers.len());
        for (number, chooser) in choice.choosers.iter().enumerate() {
            (0..chooser.moves.len()).for_each(|position| even.set(number, position, 1));
        }
        let tables = Tables::new(&layout, choice.choosers.len());
        let scratch = Scratch::new(choice, &layout);
        Some(VectorWeigher { layout, tables, even, scratch })
    }

    /// Gives the move of a chooser at a position its weight, which has at most the bits that were
    /// said.
    pub fn set(&mut self, chooser: usize, position: usize, weight: u32) {
        self.tables.set(chooser, position, weight);
    }

    /// Chooses in all lanes: reads what is offered in the work space, and writes the positions.
    /// Whether it could: words have to be as wide as vectors, or a multiple of that.
    pub fn choose<W: bytemuck::Pod>(&mut self, choice: &WeightedChoice, work: &mut [W]) -> bool {
        weigh(self, choice, work)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl VectorWeigher {
    /// Nothing: this processor does not have the vectors.
    pub fn new(_: &WeightedChoice, _: usize) -> Option<Self> {
        None
    }

    /// Never called.
    pub fn set(&mut self, _: usize, _: usize, _: u32) {
        match self.0 {}
    }

    /// Never called.
    pub fn choose<W: bytemuck::Pod>(&mut self, _: &WeightedChoice, _: &mut [W]) -> bool {
        match self.0 {}
    }
}
