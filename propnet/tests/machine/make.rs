//! Random routines.

use propnet::program::{Block, Feedback, Op, Routine, Slot, Space, table};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

use super::support::{after, before, work};

/// What a random routine looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Words of each space.
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) work: usize,
    /// Operations of each block.
    pub(crate) ops: usize,
    pub(crate) blocks: usize,
    /// Most inputs are among so many last results.
    pub(crate) window: usize,
    /// Any truth table of three inputs, or only operations on two.
    pub(crate) ternary: bool,
}

const TWO_INPUT_TABLES: [u8; 6] =
    [table::AND, table::AND_NOT, table::OR, table::XOR, table::NOT, table::COPY];

/// A routine in which blocks that run once, and loops if any are wanted, take turns.
pub(crate) fn routine(shape: Shape, loops: bool, rng: &mut Pcg64) -> Routine {
    let mut blocks = Vec::new();
    for block in 0..shape.blocks {
        let repeated = loops && block % 2 == 1;
        blocks.push(if repeated { loop_block(shape, rng) } else { block_once(shape, rng) });
    }
    let keeps = (0..shape.work).filter(|_| rng.random_ratio(1, 10)).map(work).collect();
    Routine { blocks, keeps }
}

/// Operations that may read and overwrite anything.
fn block_once(shape: Shape, rng: &mut Pcg64) -> Block {
    let mut ops: Vec<Op> = Vec::new();
    for _ in 0..shape.ops {
        let mut inputs = [before(0); 3];
        for input in &mut inputs {
            let recent = &ops[ops.len().saturating_sub(shape.window)..];
            *input = match recent.choose(rng) {
                Some(op) if rng.random_ratio(4, 5) => op.target,
                _ => any_slot(shape, rng),
            };
        }
        let in_place = inputs[rng.random_range(0..3)];
        let target = if in_place.space() != Space::Before && rng.random_ratio(1, 8) {
            in_place
        } else {
            writable_slot(shape, rng)
        };
        ops.push(op(any_table(shape.ternary, rng), inputs, target));
    }
    Block { ops, feedback: Vec::new() }
}

/// A loop whose operations are monotone in what they feed back, so that it comes to rest. It uses
/// the last third of the work space for its results and reads the others.
fn loop_block(shape: Shape, rng: &mut Pcg64) -> Block {
    let tables: Vec<u8> = if shape.ternary {
        (0..=255).filter(|&table| is_monotone(table)).collect()
    } else {
        vec![table::AND, table::OR, table::OR, table::COPY]
    };
    let first = shape.work * 2 / 3;
    let words = 1 + shape.work / 12;
    let mut readable: Vec<Slot> = (0..words).map(|i| work(first + i)).collect();
    let results: Vec<Slot> = (first + words..shape.work).map(work).collect();
    let mut ops = Vec::new();
    for _ in 0..shape.ops {
        let inputs = std::array::from_fn(|_| {
            if rng.random_ratio(3, 4) {
                return *readable.choose(rng).expect("the words");
            }
            if rng.random() {
                before(rng.random_range(0..shape.before))
            } else {
                work(rng.random_range(0..first))
            }
        });
        let target = *results.choose(rng).expect("room for results");
        let table = *tables.choose(rng).expect("some tables are monotone");
        ops.push(op(table, inputs, target));
        readable.push(target);
    }
    let made = &readable[words..];
    let feedback = (0..words).map(|i| Feedback {
        word: work(first + i),
        value: *made.choose(rng).expect("something was made"),
    });
    Block { feedback: feedback.collect(), ops }
}

fn op(table: u8, inputs: [Slot; 3], target: Slot) -> Op {
    Op { table, inputs, target }
}

fn any_table(ternary: bool, rng: &mut Pcg64) -> u8 {
    if ternary && rng.random_ratio(3, 4) {
        rng.random()
    } else {
        *TWO_INPUT_TABLES.choose(rng).expect("six of them")
    }
}

fn any_slot(shape: Shape, rng: &mut Pcg64) -> Slot {
    if rng.random() { before(rng.random_range(0..shape.before)) } else { writable_slot(shape, rng) }
}

fn writable_slot(shape: Shape, rng: &mut Pcg64) -> Slot {
    if rng.random_ratio(1, 10) {
        after(rng.random_range(0..shape.after))
    } else {
        work(rng.random_range(0..shape.work))
    }
}

/// Whether no input that becomes true makes the result false.
fn is_monotone(table: u8) -> bool {
    (0..8).all(|row: u8| {
        let grown = [1, 2, 4].map(|bit| row | bit);
        grown.iter().all(|&more| table >> row & 1 <= table >> more & 1)
    })
}
