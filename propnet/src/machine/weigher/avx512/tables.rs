//! Weights as they are looked up: sums of five at a time, and each for itself.

use std::arch::x86_64::*;
use std::array::from_fn;
use std::ops::Range;

use super::{FIFTEEN, Layout};

/// The positions whose weights are looked up together: a vector has a sum for each set of them.
const FIVE: usize = 5;

/// The numbers that are looked up in one vector.
const ROWS: usize = 1 << FIVE;

/// The weights, as they are looked up.
pub(super) struct Avx512Tables {
    pub(super) choosers: usize,
    /// By block and chooser, a row, for five positions after the other: by which of these are legal,
    /// the sum of the weights.
    pub(super) sums: Vec<[__m512i; 3]>,
    /// By 32 rows, and by place in a block: the weights.
    pub(super) weights: Vec<[__m512i; FIFTEEN]>,
    /// The blocks of each group; none since weights were set.
    pub(super) groups: Vec<Range<usize>>,
}

impl Avx512Tables {
    /// All weights are 0.
    pub(super) fn new(layout: &Layout, choosers: usize) -> Self {
        let rows = layout.blocks * choosers;
        let zero: __m512i = bytemuck::Zeroable::zeroed();
        Avx512Tables {
            choosers,
            sums: vec![[zero; 3]; rows],
            weights: vec![[zero; FIFTEEN]; rows.div_ceil(ROWS)],
            groups: Vec::new(),
        }
    }

    pub(super) fn set(&mut self, chooser: usize, position: usize, weight: u32) {
        let (row, place) = (self.row(chooser, position), position % FIFTEEN);
        let mut rows: [u16; ROWS] = bytemuck::cast(self.weights[row / ROWS][place]);
        rows[row % ROWS] = weight as u16;
        self.weights[row / ROWS][place] = bytemuck::cast(rows);
        let third = place / FIVE;
        let five: [u16; FIVE] = from_fn(|at| self.weight(row, third * FIVE + at));
        let sum = |legal: usize| -> u16 {
            let set = (0..FIVE).filter(|bit| legal >> bit & 1 == 1);
            set.map(|bit| five[bit]).sum()
        };
        self.sums[row][third] = bytemuck::cast(from_fn::<u16, ROWS, _>(sum));
        self.groups.clear();
    }

    /// Makes groups, if there are none.
    pub(super) fn make_groups(&mut self, layout: &Layout) {
        if self.groups.is_empty() {
            self.groups = layout.groups(|chooser, position| {
                u32::from(self.weight(self.row(chooser, position), position % FIFTEEN))
            });
        }
    }

    fn row(&self, chooser: usize, position: usize) -> usize {
        position / FIFTEEN * self.choosers + chooser
    }

    fn weight(&self, row: usize, place: usize) -> u16 {
        let rows: &[u16; ROWS] = bytemuck::cast_ref(&self.weights[row / ROWS][place]);
        rows[row % ROWS]
    }
}
