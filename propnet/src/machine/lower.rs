//! Which instruction does an operation, and which of its operands may stay in memory.

use super::instruction::{Instruction, LogicOp, Register, WordSource};
use super::level::Level;
use super::tables::rewire;
use crate::program::table;

/// The register that holds all-true throughout on AVX2, which has no instruction for NOT.
pub(super) const ONES: Register = 15;

/// NOT of the third operand, as ternary logic.
const NOT_THIRD: u8 = 0b0101_0101;

/// a AND (NOT b): the mirror image of the AND-NOT that there is.
const AND_NOT_SECOND: u8 = 0b0011_0000;

/// How an operation is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Constant(bool),
    Copy,
    Not,
    /// An instruction of its own, on the inputs as they come.
    Logic(LogicOp),
    /// AND-NOT with the second input negated.
    AndNotMirrored,
    /// Ternary logic that reads two operands.
    Pair(u8),
    /// Ternary logic that overwrites one of its three operands.
    Triple(u8),
}

impl Form {
    pub(super) fn of(table: u8, arity: u8) -> Self {
        match (arity, table) {
            (0, _) => Form::Constant(table != 0),
            (1, table::COPY) => Form::Copy,
            (1, _) => Form::Not,
            (2, table::AND) => Form::Logic(LogicOp::And),
            (2, table::OR) => Form::Logic(LogicOp::Or),
            (2, table::XOR) => Form::Logic(LogicOp::Xor),
            (2, table::AND_NOT) => Form::Logic(LogicOp::AndNot),
            (2, AND_NOT_SECOND) => Form::AndNotMirrored,
            (2, _) => Form::Pair(table),
            _ => Form::Triple(table),
        }
    }

    /// The input that must be in a register, if it matters which.
    pub(super) fn register_input(self) -> Option<usize> {
        match self {
            Form::Logic(LogicOp::AndNot) | Form::Copy => Some(0),
            Form::AndNotMirrored => Some(1),
            _ => None,
        }
    }

    /// Writes the instructions. At most one source is in memory.
    pub(super) fn emit(
        self,
        level: Level,
        to: Register,
        sources: [WordSource; 3],
        out: &mut Vec<Instruction>,
    ) {
        match self {
            Form::Constant(false) => out.push(Instruction::Zeros { to }),
            Form::Constant(true) => out.push(Instruction::Ones { to }),
            Form::Copy => emit_copy(to, sources[0], out),
            Form::Not => out.push(not(level, to, sources[0])),
            Form::AndNotMirrored => out.push(logic(LogicOp::AndNot, to, sources[1], sources[0])),
            Form::Logic(gate) => out.push(logic(gate, to, sources[0], sources[1])),
            Form::Pair(table) => out.push(pair(table, to, sources)),
            Form::Triple(table) => emit_triple(table, to, sources, out),
        }
    }
}

fn emit_copy(to: Register, source: WordSource, out: &mut Vec<Instruction>) {
    match source {
        WordSource::Register(from) if from == to => {}
        WordSource::Register(from) => out.push(Instruction::Move { to, from }),
        WordSource::Memory(from) => out.push(Instruction::Load { to, from }),
    }
}

fn not(level: Level, to: Register, source: WordSource) -> Instruction {
    match level {
        Level::Avx2 => Instruction::Logic { gate: LogicOp::Xor, to, first: ONES, second: source },
        Level::Avx512 => {
            let second = if let WordSource::Register(register) = source { register } else { to };
            Instruction::Ternary { table: NOT_THIRD, to, second, third: source }
        }
    }
}

/// The operands of AND, OR and XOR change places where the first one is in memory.
fn logic(gate: LogicOp, to: Register, first: WordSource, second: WordSource) -> Instruction {
    match (first, second) {
        (WordSource::Register(first), second) => Instruction::Logic { gate, to, first, second },
        (memory, WordSource::Register(first)) => {
            debug_assert!(gate != LogicOp::AndNot, "its negated operand is in a register");
            Instruction::Logic { gate, to, first, second: memory }
        }
        _ => unreachable!("at most one operand is in memory"),
    }
}

fn pair(table: u8, to: Register, sources: [WordSource; 3]) -> Instruction {
    let (places, second, third) = match (sources[0], sources[1]) {
        (WordSource::Register(second), third) => ([1, 2, 0], second, third),
        (third, WordSource::Register(second)) => ([2, 1, 0], second, third),
        _ => unreachable!("at most one operand is in memory"),
    };
    Instruction::Ternary { table: rewire(table, places), to, second, third }
}

fn emit_triple(table: u8, to: Register, sources: [WordSource; 3], out: &mut Vec<Instruction>) {
    // What is overwritten: the input that is in the target already; otherwise it is put there,
    // straight from memory if possible.
    let in_place = sources.iter().position(|&source| source == WordSource::Register(to));
    let in_memory = sources.iter().position(|source| matches!(source, WordSource::Memory(_)));
    let first = in_place.or(in_memory).unwrap_or(0);
    emit_copy(to, sources[first], out);
    let (mut second, mut third) = ((first + 1) % 3, (first + 2) % 3);
    if matches!(sources[second], WordSource::Memory(_)) {
        (second, third) = (third, second);
    }
    let WordSource::Register(register) = sources[second] else {
        unreachable!("at most one operand is in memory")
    };
    let mut places = [0; 3];
    (places[first], places[second], places[third]) = (0, 1, 2);
    let table = rewire(table, places);
    out.push(Instruction::Ternary { table, to, second: register, third: sources[third] });
}
