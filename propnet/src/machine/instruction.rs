//! Instructions on vector registers, before they are bytes.

use crate::program::Slot;

/// A vector register.
pub(super) type Register = u8;

/// An operand that may come straight from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordSource {
    Register(Register),
    Memory(Slot),
}

/// An operation on two words that has an instruction of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogicOp {
    And,
    /// (NOT first) AND second.
    AndNot,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    Load {
        to: Register,
        from: Slot,
    },
    Store {
        from: Register,
        to: Slot,
    },
    Move {
        to: Register,
        from: Register,
    },
    Zeros {
        to: Register,
    },
    Ones {
        to: Register,
    },
    Logic {
        gate: LogicOp,
        to: Register,
        first: Register,
        second: WordSource,
    },
    /// Any function of three words; the first is what `to` held before.
    Ternary {
        table: u8,
        to: Register,
        second: Register,
        third: WordSource,
    },
    /// What follows is repeated, up to the sweep's end.
    SweepStart,
    /// Back to the start of the sweep where any lane of the register is set.
    SweepEnd {
        changed: Register,
    },
}

impl Instruction {
    /// The word in memory that the instruction reads or writes.
    pub(super) fn slot(&self) -> Option<Slot> {
        match *self {
            Instruction::Load { from: slot, .. }
            | Instruction::Store { to: slot, .. }
            | Instruction::Logic { second: WordSource::Memory(slot), .. }
            | Instruction::Ternary { third: WordSource::Memory(slot), .. } => Some(slot),
            _ => None,
        }
    }
}
