//! Places for words: a place is free again when what is in it was read for the last time.

use super::cover::Cell;
use super::lower::Covered;
use super::op::{Slot, Space};
use crate::circuit::{Gate, Stretch};

/// The word of the work space that is false in every lane.
pub(super) const ZERO: usize = 0;

/// When the words of nodes are read for the last time. An operation is one unit of time, and so is
/// the end of a stretch.
pub(super) struct Lives {
    /// By time: the nodes that are not read any more.
    ends: Vec<Vec<u32>>,
}

impl Lives {
    pub(super) fn new(task: &Covered<'_>, stretches: &[Stretch]) -> Self {
        let mut last: Vec<Option<usize>> = vec![None; task.network.len()];
        let mut made_in: Vec<usize> = vec![usize::MAX; task.network.len()];
        let mut time = 0;
        for (number, stretch) in stretches.iter().enumerate() {
            let end = time + stretch.gates.len();
            for &node in &stretch.gates {
                made_in[node as usize] = number;
                for input in task.cells[node as usize].iter().flat_map(Cell::inputs) {
                    // The next sweep of a loop reads what came from outside once more.
                    let is_outside = made_in[input as usize] != number;
                    let read = if stretch.repeats.is_some() && is_outside { end } else { time };
                    last[input as usize] = last[input as usize].max(Some(read));
                }
                time += 1;
            }
            let members = stretch.repeats.iter().flat_map(|&number| &task.loops[number].members);
            for member in members {
                last[member.value.node() as usize] = Some(end);
            }
            time += 1;
        }
        for output in task.outputs {
            last[output.signal.node() as usize] = None;
        }
        let mut ends = vec![Vec::new(); time];
        for (node, &last) in last.iter().enumerate() {
            if let Some(last) = last {
                ends[last].push(node as u32);
            }
        }
        Lives { ends }
    }
}

/// Where the word of each node is.
pub(super) struct WordPlaces {
    /// By node.
    slots: Vec<Option<Slot>>,
    /// By node: whether its place is one that can be used again.
    is_own: Vec<bool>,
    /// By node: where its word is expected in the end, and whether as the complement.
    wanted: Vec<Option<(Slot, bool)>>,
    lives: Lives,
    free: Vec<usize>,
    next: usize,
}

impl WordPlaces {
    pub(super) fn new(task: &Covered<'_>, needed: &[bool], lives: Lives) -> Self {
        let count = task.network.len();
        let mut places = WordPlaces {
            slots: vec![None; count],
            is_own: vec![false; count],
            wanted: vec![None; count],
            lives,
            free: Vec::new(),
            next: task.first_free,
        };
        for node in (0..count).filter(|&node| needed[node]) {
            places.slots[node] = match task.network.gate(node as u32) {
                Gate::False => Some(Slot::new(Space::Work, ZERO)),
                Gate::Fluent(number) => Some((task.input)(number)),
                // Read by every sweep, so never free.
                Gate::Feedback(..) => Some(places.fresh()),
                Gate::And | Gate::Move(..) => None,
            };
        }
        for output in task.outputs {
            let wanted = (output.slot, output.signal.is_complement());
            places.wanted[output.signal.node() as usize].get_or_insert(wanted);
        }
        places
    }

    /// Where the word of a node is.
    pub(super) fn of(&self, node: u32) -> Slot {
        self.slots[node as usize].expect("a word is made before it is read")
    }

    /// A place for the word of a node that is being made.
    pub(super) fn take(&mut self, node: u32, complemented: bool) -> Slot {
        let slot = match self.wanted[node as usize] {
            Some((slot, complement)) if complement == complemented => slot,
            _ => {
                self.is_own[node as usize] = true;
                let index = self.free.pop().unwrap_or_else(|| {
                    self.next += 1;
                    self.next - 1
                });
                Slot::new(Space::Work, index)
            }
        };
        self.slots[node as usize] = Some(slot);
        slot
    }

    /// Frees the places of what is not read after this time.
    pub(super) fn release(&mut self, time: usize) {
        for node in std::mem::take(&mut self.lives.ends[time]) {
            if std::mem::take(&mut self.is_own[node as usize]) {
                self.free.push(self.of(node).index());
            }
        }
    }

    /// A place that is never used for anything else.
    pub(super) fn fresh(&mut self) -> Slot {
        self.next += 1;
        Slot::new(Space::Work, self.next - 1)
    }

    /// How many words the work space needs.
    pub(super) fn words(&self) -> usize {
        self.next
    }
}
