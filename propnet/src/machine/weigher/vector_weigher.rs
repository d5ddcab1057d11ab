//! A choice by weights in vectors: which of the ways there are.

#[cfg(target_arch = "x86_64")]
use super::{Avx2Weigher, Avx512Offer, Avx512Weigher};
#[cfg(target_arch = "x86_64")]
use crate::machine::executable::{weigh_with_avx2, weigh_with_avx512};
use crate::program::WeightedChoice;

/// What is offered to the choosers of a choice, made ready for vectors once for all weighers that
/// choose from it, each in lanes of its own.
#[derive(Default)]
pub struct VectorOffer {
    #[cfg(target_arch = "x86_64")]
    wide: Option<Box<Avx512Offer>>,
}

impl VectorOffer {
    /// Says that something else is offered now.
    pub fn renew(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = &mut self.wide {
            wide.is_loaded = false;
        }
    }
}

/// A choice by weights in vectors, for one thread.
#[cfg(target_arch = "x86_64")]
pub struct VectorWeigher(AvailableWeigher);

#[cfg(target_arch = "x86_64")]
enum AvailableWeigher {
    Avx2(Box<Avx2Weigher>),
    Avx512(Box<Avx512Weigher>),
}

/// A choice by weights in vectors: there are none for this processor.
#[cfg(not(target_arch = "x86_64"))]
pub struct VectorWeigher(std::convert::Infallible);

#[cfg(target_arch = "x86_64")]
impl VectorWeigher {
    /// A choice with weights of `bits` bits, all 0, in words of `lanes` lanes. Nothing where it is
    /// too large, or where this processor does not have the vectors.
    pub fn new(choice: &WeightedChoice, bits: usize, lanes: usize) -> Option<Self> {
        let wide = (lanes == 512).then(|| Avx512Weigher::new(choice, bits)).flatten();
        let weigher = match wide {
            Some(wide) => AvailableWeigher::Avx512(Box::new(wide)),
            None => AvailableWeigher::Avx2(Box::new(Avx2Weigher::new(choice, bits)?)),
        };
        Some(VectorWeigher(weigher))
    }

    /// Gives the move of a chooser at a position its weight, which has at most the bits that were
    /// said.
    pub fn set(&mut self, chooser: usize, position: usize, weight: u32) {
        match &mut self.0 {
            AvailableWeigher::Avx2(weigher) => weigher.set(chooser, position, weight),
            AvailableWeigher::Avx512(weigher) => weigher.set(chooser, position, weight),
        }
    }

    /// Chooses in some lanes: reads what is offered in the work space, and writes the positions; those
    /// of other lanes mean nothing. Whether it could: words have to be as wide as vectors, or a
    /// multiple of that.
    pub fn choose<W: bytemuck::Pod>(
        &mut self,
        choice: &WeightedChoice,
        offer: &mut VectorOffer,
        lanes: W,
        work: &mut [W],
    ) -> bool {
        match &mut self.0 {
            AvailableWeigher::Avx2(weigher) => weigh_with_avx2(weigher, choice, work),
            AvailableWeigher::Avx512(weigher) => {
                let offer = offer.wide.get_or_insert_with(|| Box::new(Avx512Offer::new(choice)));
                weigh_with_avx512(weigher, choice, offer, lanes, work)
            }
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
    pub fn choose<W: bytemuck::Pod>(
        &mut self,
        _: &WeightedChoice,
        _: &mut VectorOffer,
        _: W,
        _: &mut [W],
    ) -> bool {
        match self.0 {}
    }
}
