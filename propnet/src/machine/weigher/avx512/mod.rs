//! Blocks of 15 positions, 512 lanes at a time: 16 bits of a lane, and sums of 5 positions by table.

mod cases;
mod groups;
mod search;
mod tables;
mod vectors;

use super::layout::Layout;
use crate::program::WeightedChoice;
use tables::Avx512Tables;

pub(in crate::machine) use cases::{Avx512CaseWeigher, choose_case};
pub(in crate::machine) use search::{Avx512Offer, choose};

/// The positions of a block.
const FIFTEEN: usize = 15;

/// A choice by weights, in blocks of fifteen.
pub(in crate::machine) struct Avx512Weigher {
    layout: Layout,
    tables: Avx512Tables,
    /// The same where each weight is 1.
    even: Avx512Tables,
}

impl Avx512Weigher {
    /// A choice with weights of `bits` bits, all 0. Nothing where it is too large, or where this
    /// processor does not have the vectors.
    pub(super) fn new(choice: &WeightedChoice, bits: usize) -> Option<Self> {
        let positions = choice.legal.len();
        let fits = FIFTEEN * ((1 << bits) - 1) <= usize::from(u16::MAX)
            && positions <= usize::from(u16::MAX);
        let is_available =
            std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512bw");
        if !fits || !is_available {
            return None;
        }
        let layout = Layout::new(&choice.choosers, positions, FIFTEEN, bits)?;
        let mut even = Avx512Tables::new(&layout, choice.choosers.len());
        layout.moves().for_each(|(chooser, position)| even.set(chooser, position, 1));
        even.make_groups(&layout);
        let tables = Avx512Tables::new(&layout, choice.choosers.len());
        Some(Avx512Weigher { layout, tables, even })
    }

    /// Gives the move of a chooser at a position its weight.
    pub(super) fn set(&mut self, chooser: usize, position: usize, weight: u32) {
        self.tables.set(chooser, position, weight);
    }
}
