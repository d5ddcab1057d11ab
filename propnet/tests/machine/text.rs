//! Routines as text, for tests that a person reads.
//!
//! ```text
//! w0 = and b0 b1        words: b before, a after, w work
//! a0 = e8 w0 b2 b3      a truth table in hexadecimal
//! block                 what follows is another block
//! feed w1 from w2       the block is repeated
//! keep w2
//! ```

use propnet::program::{Block, Feedback, Op, Routine, Slot, table};

use super::support::{after, before, work};

/// The routine that a text says.
pub(crate) fn routine(text: &str) -> Routine {
    let mut routine = Routine { blocks: vec![Block::default()], keeps: Vec::new() };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let block = routine.blocks.last_mut().expect("there is always one");
        match words[..] {
            ["block"] => routine.blocks.push(Block::default()),
            ["keep", word] => routine.keeps.push(slot(word)),
            ["feed", word, "from", value] => {
                block.feedback.push(Feedback { word: slot(word), value: slot(value) });
            }
            [target, "=", table, ref inputs @ ..] => block.ops.push(op(target, table, inputs)),
            _ => panic!("a line of a routine: {line}"),
        }
    }
    routine
}

fn op(target: &str, table: &str, inputs: &[&str]) -> Op {
    let table = match table {
        "and" => table::AND,
        "andnot" => table::AND_NOT,
        "or" => table::OR,
        "xor" => table::XOR,
        "not" => table::NOT,
        "copy" => table::COPY,
        table => u8::from_str_radix(table, 16).expect("a truth table"),
    };
    // One that does not matter repeats another.
    let input = |i: usize| slot(inputs[i.min(inputs.len() - 1)]);
    Op { table, inputs: [input(0), input(1), input(2)], target: slot(target) }
}

fn slot(name: &str) -> Slot {
    let (space, index) = name.split_at(1);
    let index = index.parse().expect("the number of a word");
    match space {
        "b" => before(index),
        "a" => after(index),
        "w" => work(index),
        _ => panic!("a space: {name}"),
    }
}
