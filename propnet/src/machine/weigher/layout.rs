//! Where positions are: in octets, and these in groups.
//!
//! Sums within an octet, and within a group, have 16 bits. So an octet has fewer positions where
//! weights have very many bits, and a group as many octets as moves can be legal together without a
//! sum that is too high.

use std::ops::Range;

use super::OCTET;
use crate::program::Chooser;

/// The most octets of a group: nothing is gained by more.
const LONGEST: usize = 32;

/// Positions in octets, and these in groups.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Positions of an octet: 8, 4, 2 or 1.
    pub(super) per_octet: usize,
    pub(super) octets: usize,
    /// The octets of each group.
    pub(super) groups: Vec<Range<usize>>,
}

impl Layout {
    /// The layout for so many positions with weights of so many bits; nothing where sums or numbers
    /// of octets would not fit.
    pub(super) fn new(choosers: &[Chooser], positions: usize, bits: usize) -> Option<Self> {
        let highest = (1usize << bits) - 1;
        let most = usize::from(u16::MAX) / highest;
        let per_octet = 1 << most.min(OCTET).checked_ilog2()?;
        let octets = positions.div_ceil(per_octet);
        let fits = octets * choosers.len() <= usize::from(u16::MAX)
            && positions.saturating_mul(highest) <= i32::MAX as usize;
        if !fits {
            return None;
        }
        let mut layout = Layout { per_octet, octets, groups: Vec::new() };
        layout.make_groups(choosers, most);
        Some(layout)
    }

    fn make_groups(&mut self, choosers: &[Chooser], most: usize) {
        for octet in 0..self.octets {
            let group = self.groups.last().map_or(octet..octet + 1, |last| last.start..octet + 1);
            let fits = group.len() <= LONGEST && together(choosers, self.per_octet, &group) <= most;
            match self.groups.last_mut() {
                Some(last) if fits => *last = group,
                _ => self.groups.push(octet..octet + 1),
            }
        }
    }
}

/// The most moves of some octets that can be legal together.
fn together(choosers: &[Chooser], per_octet: usize, octets: &Range<usize>) -> usize {
    let count = |chooser: &Chooser| {
        let end = chooser.leaves.len().min(octets.end * per_octet);
        let leaves = &chooser.leaves[(octets.start * per_octet).min(end)..end];
        leaves.chunk_by(|one, other| one == other).count()
    };
    choosers.iter().map(count).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooser(leaves: Vec<usize>) -> Chooser {
        Chooser { role: 0, moves: (0..leaves.len()).collect(), leaves }
    }

    #[test]
    fn a_group_is_as_large_as_its_sums_allow() {
        let groups =
            |choosers: &[Chooser], bits| Layout::new(choosers, 40, bits).map(|it| it.groups);
        // 16 weights of 12 bits have a sum of 16 bits: two octets, or four where moves come in pairs.
        let alone = [chooser((0..40).collect())];
        assert_eq!(groups(&alone, 12), Some(vec![0..2, 2..4, 4..5]));
        let pairs = [chooser((0..40).map(|at| at / 2).collect())];
        assert_eq!(groups(&pairs, 12), Some(vec![0..4, 4..5]));
        let both = [chooser((0..12).collect()), chooser((0..40).map(|at| at / 2).collect())];
        assert_eq!(groups(&both, 12), Some(vec![0..4, 4..5]));
        assert_eq!(groups(&alone, 4).map(|groups| groups.len()), Some(1));
    }

    #[test]
    fn an_octet_has_fewer_positions_for_many_bits() {
        let choosers = [chooser((0..40).collect())];
        let per_octet = |bits| Layout::new(&choosers, 40, bits).map(|layout| layout.per_octet);
        let found: Vec<_> = [1, 13, 14, 15, 16, 17].map(per_octet).into();
        assert_eq!(found, [Some(8), Some(8), Some(4), Some(2), Some(1), None]);
    }

    #[test]
    fn what_is_too_large_has_no_layout() {
        let choosers = [chooser((0..70_000).collect())];
        assert_eq!(Layout::new(&choosers, 70_000, 16), None);
        assert!(Layout::new(&choosers, 70_000, 12).is_some());
    }
}
