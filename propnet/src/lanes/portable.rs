//! The portable simulator: operations one after the other, on words of any width.
//!
//! It runs everywhere and is the judge of compiled code. A routine is laid out once: all words are
//! in one space, what stands for one of three spaces in an operation becomes a plain index, and
//! what it does becomes a polynomial, so that nothing is left to decide for an operation.

use std::collections::BTreeSet;

use super::polynomial::{OfThree, OfTwo};
use super::word::Word;
use crate::machine::{Task, at_full_speed};
use crate::program::{Block, Op, Routine, Slot, Space};

/// A routine, laid out.
///
/// ```text
/// | work space as the program names it | copies of words before | copies of words after |
/// ```
///
/// Another routine may have used the copies' memory for something else, so nothing in it lasts
/// from one run to the next.
pub struct Simulation {
    /// The words before that are read, and where their copies are.
    loads: Vec<(usize, usize)>,
    /// The words after that are read as an earlier routine of the step made them, and where their
    /// copies are.
    reloads: Vec<(usize, usize)>,
    /// Where words after are made, and which they are. Words that are only read are not among them.
    stores: Vec<(usize, usize)>,
    blocks: Vec<Placed>,
    /// All words that it works with.
    words: usize,
}

/// A block, laid out.
struct Placed {
    ops: Ops,
    /// Feedback words and their values.
    feedback: Vec<(usize, usize)>,
}

/// Operations that are all done in the same way.
enum Ops {
    /// On two words: all that there are in programs mapped to two inputs.
    Two(Vec<PlacedOp<OfTwo, 2>>),
    /// On three.
    Three(Vec<PlacedOp<OfThree, 3>>),
}

struct PlacedOp<F, const N: usize> {
    function: F,
    inputs: [u32; N],
    target: u32,
}

/// Runs a routine once. To run it often, make a [`Simulation`].
pub fn run<W: Word>(routine: &Routine, before: &[W], after: &mut [W], work: &mut [W]) {
    let mut memory = work.to_vec();
    Simulation::new(routine, work.len()).run(before, after, &mut memory);
    work.copy_from_slice(&memory[..work.len()]);
}

impl Simulation {
    /// Lays a routine out after a work space of this many words.
    pub fn new(routine: &Routine, work_words: usize) -> Self {
        let slots = || routine.blocks.iter().flat_map(slots);
        let indices = |space: Space| {
            let slots = slots().filter(|slot| slot.space() == space);
            let mut indices: Vec<usize> = slots.map(Slot::index).collect();
            indices.sort_unstable();
            indices.dedup();
            indices
        };
        let (before, after) = (indices(Space::Before), indices(Space::After));
        let work = slots().filter(|slot| slot.space() == Space::Work);
        let work_words = work.map(|slot| slot.index() + 1).fold(work_words, usize::max);
        let place = |slot: Slot| {
            let position = |all: &[usize]| all.binary_search(&slot.index());
            let found = match slot.space() {
                Space::Work => return slot.index(),
                Space::Before => position(&before),
                Space::After => position(&after).map(|at| at + before.len()),
            };
            work_words + found.expect("every slot was collected")
        };
        let copies = |slots: &mut dyn Iterator<Item = Slot>, space: Space| {
            let slots = slots.filter(|slot| slot.space() == space);
            let copies: BTreeSet<(usize, usize)> =
                slots.map(|slot| (slot.index(), place(slot))).collect();
            copies.into_iter().collect()
        };
        let stores: Vec<(usize, usize)> = copies(&mut routine.writes(), Space::After);
        let reads = routine.reads();
        Simulation {
            loads: copies(&mut reads.iter().copied(), Space::Before),
            reloads: copies(&mut reads.iter().copied(), Space::After),
            stores: stores.into_iter().map(|(word, copy)| (copy, word)).collect(),
            blocks: routine.blocks.iter().map(|block| Placed::new(block, place)).collect(),
            words: work_words + before.len() + after.len(),
        }
    }

    /// Does the routine once. The work space is made longer if need be.
    pub fn run<W: Word>(&self, before: &[W], after: &mut [W], work: &mut Vec<W>) {
        if work.len() < self.words {
            work.resize(self.words, W::ZERO);
        }
        for &(from, to) in &self.loads {
            work[to] = before[from];
        }
        for &(from, to) in &self.reloads {
            work[to] = after[from];
        }
        at_full_speed(Sweep { blocks: &self.blocks, memory: work });
        for &(from, to) in &self.stores {
            after[to] = work[from];
        }
    }
}

/// Blocks to be done on words.
struct Sweep<'r, W> {
    blocks: &'r [Placed],
    memory: &'r mut [W],
}

impl<W: Word> Task for Sweep<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for block in self.blocks {
            block.run(self.memory);
        }
    }
}

impl Placed {
    fn new(block: &Block, place: impl Fn(Slot) -> usize) -> Self {
        let index = |slot: Slot| place(slot) as u32;
        let two = |op: &Op| {
            let [a, b, _] = op.inputs;
            let (inputs, target) = ([index(a), index(b)], index(op.target));
            OfTwo::new(op).map(|function| PlacedOp { function, inputs, target })
        };
        let three = |op: &Op| {
            let (inputs, target) = (op.inputs.map(index), index(op.target));
            PlacedOp { function: OfThree::new(op), inputs, target }
        };
        let ops = match block.ops.iter().map(two).collect() {
            Some(ops) => Ops::Two(ops),
            None => Ops::Three(block.ops.iter().map(three).collect()),
        };
        let feedback = block.feedback.iter();
        let feedback = feedback.map(|member| (place(member.word), place(member.value)));
        Placed { ops, feedback: feedback.collect() }
    }

    #[inline(always)]
    fn run<W: Word>(&self, memory: &mut [W]) {
        match self.feedback.is_empty() {
            true => self.ops.sweep(memory),
            false => self.repeat(memory),
        }
    }

    /// Sweeps from all-false until nothing changes.
    #[inline(always)]
    fn repeat<W: Word>(&self, memory: &mut [W]) {
        for &(word, _) in &self.feedback {
            memory[word] = W::ZERO;
        }
        loop {
            self.ops.sweep(memory);
            let mut changed = W::ZERO;
            for &(word, value) in &self.feedback {
                changed = changed | (memory[value] ^ memory[word]);
                memory[word] = memory[value];
            }
            if changed.is_zero() {
                return;
            }
        }
    }
}

impl Ops {
    #[inline(always)]
    fn sweep<W: Word>(&self, memory: &mut [W]) {
        match self {
            Ops::Two(ops) => sweep_two(ops, memory),
            Ops::Three(ops) => sweep_three(ops, memory),
        }
    }
}

// Wide words are done piece by piece, so that a piece is never out of its register.

#[inline(always)]
fn sweep_two<W: Word>(ops: &[PlacedOp<OfTwo, 2>], memory: &mut [W]) {
    for op in ops {
        let formula = op.function.formula();
        let ([a, b], target) = (op.inputs.map(|at| at as usize), op.target as usize);
        for at in 0..W::PIECES {
            let word = formula(memory[a].piece(at), memory[b].piece(at));
            memory[target].set_piece(at, word);
        }
    }
}

#[inline(always)]
fn sweep_three<W: Word>(ops: &[PlacedOp<OfThree, 3>], memory: &mut [W]) {
    for op in ops {
        let formula = op.function.formula();
        let ([a, b, c], target) = (op.inputs.map(|at| at as usize), op.target as usize);
        for at in 0..W::PIECES {
            let [a, b, c] = [a, b, c].map(|word| memory[word].piece(at));
            memory[target].set_piece(at, formula(a, b, c));
        }
    }
}

/// All slots of a block.
fn slots(block: &Block) -> impl Iterator<Item = Slot> {
    let ops = block.ops.iter().flat_map(|op| op.inputs.into_iter().chain([op.target]));
    ops.chain(block.feedback.iter().flat_map(|member| [member.word, member.value]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::table;

    /// A choice by weights cuts a step in two, and what follows it reads words of the state that
    /// the first part made.
    #[test]
    fn a_word_after_may_be_read_by_the_next_routine() {
        let made = [0, 1].map(|index| Slot::new(Space::After, index));
        let given = Slot::new(Space::Work, 1);
        let op = |inputs: [Slot; 2], target: Slot| {
            let [a, b] = inputs;
            let ops = vec![Op { table: table::AND, inputs: [a, b, b], target }];
            Routine { blocks: vec![Block { ops, feedback: Vec::new() }], keeps: Vec::new() }
        };
        let (first, rest) = (op([given; 2], made[0]), op([made[0], given], made[1]));
        let routines = [&first, &rest].map(|routine| Simulation::new(routine, 2));
        let (mut after, mut work) = ([0u64; 2], vec![0u64, 0b0110]);
        routines[0].run(&[], &mut after, &mut work);
        // Other routines use the memory that follows the work space for words of their own.
        work[2..].fill(0b1000);
        work[1] = 0b0011;
        routines[1].run(&[], &mut after, &mut work);
        assert_eq!(after, [0b0110, 0b0010], "what is only read stays as it was");
    }
}
