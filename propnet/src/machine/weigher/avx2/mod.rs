//! Blocks of 8 positions, 256 lanes at a time: bytes, and sums of 4 positions by table.

mod search;
mod tables;
mod vectors;

use super::layout::Layout;
use crate::machine::Level;
use crate::program::WeightedChoice;
use search::Avx2Scratch;
use tables::Avx2Tables;

pub(in crate::machine) use search::choose;

/// The most positions of an octet.
const OCTET: usize = 8;

/// A choice by weights, in octets.
pub(in crate::machine) struct Avx2Weigher {
    layout: Layout,
    tables: Avx2Tables,
    /// The same where each weight is 1.
    even: Avx2Tables,
    scratch: Avx2Scratch,
}

impl Avx2Weigher {
    /// A choice with weights of `bits` bits, all 0. Nothing where it is too large, or where this
    /// processor does not have the vectors.
    pub(super) fn new(choice: &WeightedChoice, bits: usize) -> Option<Self> {
        // An octet has fewer positions where weights have very many bits.
        let most = usize::from(u16::MAX) / ((1 << bits) - 1);
        let per_octet = 1 << most.min(OCTET).checked_ilog2()?;
        let layout = Layout::new(&choice.choosers, choice.legal.len(), per_octet, bits)?;
        if !Level::Avx2.is_available() {
            return None;
        }
        let mut even = Avx2Tables::new(&layout, choice.choosers.len());
        layout.moves().for_each(|(chooser, position)| even.set(chooser, position, 1));
        even.make_groups(&layout);
        let tables = Avx2Tables::new(&layout, choice.choosers.len());
        let scratch = Avx2Scratch::new(choice, &layout);
        Some(Avx2Weigher { layout, tables, even, scratch })
    }

    /// Gives the move of a chooser at a position its weight.
    pub(super) fn set(&mut self, chooser: usize, position: usize, weight: u32) {
        self.tables.set(chooser, position, weight);
    }
}
