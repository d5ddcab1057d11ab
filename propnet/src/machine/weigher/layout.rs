//! Where positions are: in blocks, and these in groups.
//!
//! Sums within a group have 16 bits, so a group ends where weights that count together could come
//! to more.

use std::ops::Range;

use crate::program::Chooser;

/// Positions in blocks.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) per_block: usize,
    pub(super) blocks: usize,
    choosers: Vec<Chooser>,
}

impl Layout {
    /// The layout of positions, `per_block` to a block, for weights of `bits` bits: few enough for
    /// the sum of a block. Nothing where sums of all or numbers of rows would not fit.
    pub(super) fn new(
        choosers: &[Chooser],
        positions: usize,
        per_block: usize,
        bits: usize,
    ) -> Option<Self> {
        let blocks = positions.div_ceil(per_block);
        let fits = blocks * choosers.len() <= usize::from(u16::MAX)
            && positions.saturating_mul((1 << bits) - 1) <= i32::MAX as usize;
        fits.then(|| Layout { per_block, blocks, choosers: choosers.to_vec() })
    }

    /// All moves: chooser and position.
    pub(super) fn moves(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let choosers = self.choosers.iter().enumerate();
        choosers.flat_map(|(number, chooser)| (0..chooser.moves.len()).map(move |at| (number, at)))
    }

    /// The blocks of each group, for weights by chooser and position.
    pub(super) fn groups(&self, weight: impl Fn(usize, usize) -> u32) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut sums = vec![0; self.choosers.len()];
        for block in 0..self.blocks {
            let own = self.highest_sums(block, &weight);
            let together = sums.iter().zip(&own).map(|(sum, own)| sum + own);
            let together: Vec<u32> = together.collect();
            let fits = together.iter().all(|&sum| sum <= u32::from(u16::MAX));
            match groups.last_mut() {
                Some(last) if fits => {
                    last.end = block + 1;
                    sums = together;
                }
                _ => {
                    groups.push(block..block + 1);
                    sums = own;
                }
            }
        }
        groups
    }

    /// By chooser: what the weights of a block can come to. Of moves with the same leaf only one
    /// counts.
    fn highest_sums(&self, block: usize, weight: &impl Fn(usize, usize) -> u32) -> Vec<u32> {
        let sum = |(number, chooser): (usize, &Chooser)| {
            let end = chooser.leaves.len().min((block + 1) * self.per_block);
            let positions: Vec<usize> = (block * self.per_block..end).collect();
            let leaves =
                positions.chunk_by(|&one, &other| chooser.leaves[one] == chooser.leaves[other]);
            let highest = |leaf: &[usize]| leaf.iter().map(|&at| weight(number, at)).max();
            leaves.filter_map(highest).sum()
        };
        self.choosers.iter().enumerate().map(sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooser(leaves: Vec<usize>) -> Chooser {
        Chooser { role: 0, moves: (0..leaves.len()).collect(), leaves }
    }

    fn groups(choosers: &[Chooser], weight: impl Fn(usize, usize) -> u32) -> Vec<Range<usize>> {
        Layout::new(choosers, 40, 8, 13).map(|layout| layout.groups(weight)).unwrap_or_default()
    }

    #[test]
    fn a_group_is_as_large_as_its_sums_allow() {
        // 16 weights of 12 bits have a sum of 16 bits: two blocks, or four where moves come in pairs.
        let alone = [chooser((0..40).collect())];
        assert_eq!(groups(&alone, |_, _| 4095), [0..2, 2..4, 4..5]);
        assert_eq!(groups(&alone, |_, _| 15).len(), 1);
        let pairs = [chooser((0..40).map(|at| at / 2).collect())];
        assert_eq!(groups(&pairs, |_, _| 4095), [0..4, 4..5]);
        assert_eq!(groups(&pairs, |_, at| 4095 * (at as u32 % 2)), [0..4, 4..5]);
    }

    #[test]
    fn each_chooser_has_sums_of_its_own() {
        let both = [chooser((0..12).collect()), chooser((0..40).map(|at| at / 2).collect())];
        assert_eq!(groups(&both, |_, _| 4095), [0..4, 4..5]);
        // 12 weights of the first one end a group before the second one would.
        let by_chooser = |number: usize, _| if number == 0 { 8000 } else { 1 };
        assert_eq!(groups(&both, by_chooser), [0..1, 1..5]);
    }

    #[test]
    fn what_is_too_large_has_no_layout() {
        let choosers = [chooser((0..70_000).collect())];
        assert!(Layout::new(&choosers, 70_000, 1, 16).is_none());
        assert!(Layout::new(&choosers, 70_000, 8, 12).is_some());
    }
}
