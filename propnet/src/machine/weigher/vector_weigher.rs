//! A choice by weights in vectors: which of the ways there are.

#[cfg(target_arch = "x86_64")]
use super::{Fifteens, Octets};
#[cfg(target_arch = "x86_64")]
use crate::machine::executable::{weigh_by_fifteens, weigh_by_octets};
use crate::program::WeightedChoice;

/// A choice by weights in vectors, for one thread.
#[cfg(target_arch = "x86_64")]
pub struct VectorWeigher(Way);

#[cfg(target_arch = "x86_64")]
enum Way {
    Octets(Box<Octets>),
    Fifteens(Box<Fifteens>),
}

/// A choice by weights in vectors: there are none for this processor.
#[cfg(not(target_arch = "x86_64"))]
pub struct VectorWeigher(std::convert::Infallible);

#[cfg(target_arch = "x86_64")]
impl VectorWeigher {
    /// A choice with weights of so many bits, all 0, in words of so many lanes. Nothing where it is
    /// too large, or where this processor does not have the vectors.
    pub fn new(choice: &WeightedChoice, bits: usize, lanes: usize) -> Option<Self> {
        let fifteens = (lanes == 512).then(|| Fifteens::new(choice, bits)).flatten();
        let way = match fifteens {
            Some(fifteens) => Way::Fifteens(Box::new(fifteens)),
            None => Way::Octets(Box::new(Octets::new(choice, bits)?)),
        };
        Some(VectorWeigher(way))
    }

    /// Gives the move of a chooser at a position its weight, which has at most the bits that were
    /// said.
    pub fn set(&mut self, chooser: usize, position: usize, weight: u32) {
        match &mut self.0 {
            Way::Octets(octets) => octets.set(chooser, position, weight),
            Way::Fifteens(fifteens) => fifteens.set(chooser, position, weight),
        }
    }

    /// Chooses in all lanes: reads what is offered in the work space, and writes the positions.
    /// Whether it could: words have to be as wide as vectors, or a multiple of that.
    pub fn choose<W: bytemuck::Pod>(&mut self, choice: &WeightedChoice, work: &mut [W]) -> bool {
        match &mut self.0 {
            Way::Octets(octets) => weigh_by_octets(octets, choice, work),
            Way::Fifteens(fifteens) => weigh_by_fifteens(fifteens, choice, work),
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl VectorWeigher {
    /// Nothing: this processor does not have the vectors.
    pub fn new(_: &WeightedChoice, _: usize, _: usize) -> Option<Self> {
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
