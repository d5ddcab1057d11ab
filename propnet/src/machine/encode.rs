//! Instructions become bytes.

use super::bases::{Bases, COUNTER, General, WordAccess};
use super::forms::{MAP_0F, MAP_0F3A, MAP_0F38, Operand, Operation, evex, lea, vex};
use super::instruction::{Instruction, LogicOp, Register, WordSource};
use super::level::Level;

/// After this number of sweeps a block is given up. Loops of rules are monotone: each sweep but the
/// last sets a word in some lane, and far fewer are needed.
const MAX_SWEEPS: u32 = 65_536;

const LOAD: Operation = Operation { map: MAP_0F, number: 0x6f };
const STORE: Operation = Operation { map: MAP_0F, number: 0x7f };
const XOR: Operation = Operation { map: MAP_0F, number: 0xef };
const COMPARE_EQUAL: Operation = Operation { map: MAP_0F, number: 0x76 };
const TERNARY: Operation = Operation { map: MAP_0F3A, number: 0x25 };
/// Sets the zero flag where no bit is set.
const TEST: Operation = Operation { map: MAP_0F38, number: 0x17 };
/// Sets a bit of a mask register for each part with a bit set.
const TEST_INTO_MASK: Operation = Operation { map: MAP_0F38, number: 0x27 };

/// The bytes of a function `(before, after, work) -> whether all blocks came to rest`, called as
/// on System V.
pub(super) fn encode(instructions: &[Instruction], level: Level) -> Vec<u8> {
    let bases = Bases::new(instructions, level);
    let bytes = Vec::with_capacity(instructions.len() * 8);
    let accesses = bases.accesses.iter();
    let mut encoder = InstructionEncoder { level, accesses, bytes, sweep: 0, give_ups: Vec::new() };
    encoder.begin(&bases);
    instructions.iter().for_each(|&instruction| encoder.instruction(instruction));
    encoder.end(&bases);
    encoder.bytes
}

struct InstructionEncoder<'b> {
    level: Level,
    /// To memory, from the current instruction on.
    accesses: std::slice::Iter<'b, WordAccess>,
    bytes: Vec<u8>,
    /// Where the current sweep begins.
    sweep: usize,
    /// Jumps to the end of the code, whose distance is filled in at the end.
    give_ups: Vec<usize>,
}

impl InstructionEncoder<'_> {
    fn begin(&mut self, bases: &Bases) {
        for &register in &bases.saved {
            push_general(&mut self.bytes, 0x50, register);
        }
        for setting in bases.settings {
            lea(&mut self.bytes, setting.register, setting.to);
        }
    }

    fn end(&mut self, bases: &Bases) {
        self.set_counter(1);
        let here = self.bytes.len();
        for jump in std::mem::take(&mut self.give_ups) {
            self.bytes[jump - 4..jump].copy_from_slice(&distance(jump, here).to_le_bytes());
        }
        // Without vzeroupper, older instructions of the caller would be slow from here on.
        self.bytes.extend([0xc5, 0xf8, 0x77]);
        for &register in bases.saved.iter().rev() {
            push_general(&mut self.bytes, 0x58, register);
        }
        self.bytes.push(0xc3);
    }

    fn instruction(&mut self, instruction: Instruction) {
        match instruction {
            Instruction::Load { to, .. } => {
                let memory = self.memory();
                self.vector(LOAD, to, 0, memory);
            }
            Instruction::Store { from, .. } => {
                let memory = self.memory();
                self.vector(STORE, from, 0, memory);
            }
            Instruction::Move { to, from } => self.vector(LOAD, to, 0, Operand::Register(from)),
            Instruction::Zeros { to } => self.vector(XOR, to, to, Operand::Register(to)),
            Instruction::Ones { to } => self.ones(to),
            Instruction::Logic { gate, to, first, second } => {
                let second = self.operand(second);
                self.logic(gate, to, first, second);
            }
            Instruction::Ternary { table, to, second, third } => {
                let third = self.operand(third);
                self.vector(TERNARY, to, second, third);
                self.bytes.push(table);
            }
            Instruction::SweepStart => {
                self.set_counter(MAX_SWEEPS);
                self.sweep = self.bytes.len();
            }
            Instruction::SweepEnd { changed } => self.sweep_end(changed),
        }
    }

    fn logic(&mut self, gate: LogicOp, to: Register, first: Register, second: Operand) {
        let (mut first, mut second) = (first, second);
        // A low register as the last operand makes the short form.
        if let Operand::Register(last) = second
            && (gate != LogicOp::AndNot && last > first)
        {
            (first, second) = (last, Operand::Register(first));
        }
        let number = match gate {
            LogicOp::And => 0xdb,
            LogicOp::AndNot => 0xdf,
            LogicOp::Or => 0xeb,
            LogicOp::Xor => 0xef,
        };
        self.vector(Operation { map: MAP_0F, number }, to, first, second);
    }

    fn ones(&mut self, to: Register) {
        match self.level {
            Level::Avx2 => self.vector(COMPARE_EQUAL, to, to, Operand::Register(to)),
            Level::Avx512 => {
                self.vector(TERNARY, to, to, Operand::Register(to));
                self.bytes.push(0xff);
            }
        }
    }

    /// Back to the start of the sweep where a lane changed, or out of the code after too many.
    fn sweep_end(&mut self, changed: Register) {
        match self.level {
            Level::Avx2 => self.vector(TEST, changed, 0, Operand::Register(changed)),
            Level::Avx512 => {
                let mask = 1;
                self.vector(TEST_INTO_MASK, mask, changed, Operand::Register(changed));
                // kortestw k1, k1: the zero flag where no bit of the mask is set.
                self.bytes.extend([0xc5, 0xf8, 0x98, 0xc9]);
            }
        }
        // jz over the next three instructions, of 2, 6 and 5 bytes.
        self.bytes.extend([0x74, 2 + 6 + 5]);
        // dec eax; jnz to the start of the sweep; jmp to the end of the code.
        self.bytes.extend([0xff, 0xc8]);
        let after = self.bytes.len() + 6;
        self.bytes.extend([0x0f, 0x85]);
        self.bytes.extend(distance(after, self.sweep).to_le_bytes());
        self.bytes.extend([0xe9, 0, 0, 0, 0]);
        self.give_ups.push(self.bytes.len());
    }

    /// `mov eax, value`.
    fn set_counter(&mut self, value: u32) {
        self.bytes.push(0xb8 | COUNTER);
        self.bytes.extend(value.to_le_bytes());
    }

    fn vector(&mut self, operation: Operation, to: Register, first: Register, last: Operand) {
        match self.level {
            Level::Avx2 => vex(&mut self.bytes, operation, to, first, last),
            Level::Avx512 => evex(&mut self.bytes, operation, to, first, last),
        }
    }

    fn operand(&mut self, source: WordSource) -> Operand {
        match source {
            WordSource::Register(register) => Operand::Register(register),
            WordSource::Memory(_) => self.memory(),
        }
    }

    /// The word in memory of the current instruction, after setting a base for it if need be.
    fn memory(&mut self) -> Operand {
        let access = self.accesses.next().expect("each access of an instruction was planned");
        if let Some(setting) = access.setting {
            lea(&mut self.bytes, setting.register, setting.to);
        }
        Operand::Memory(access.address)
    }
}

/// A `push` or `pop` of a general register.
fn push_general(bytes: &mut Vec<u8>, operation: u8, register: General) {
    if register >= 8 {
        bytes.push(0x41);
    }
    bytes.push(operation | register & 7);
}

/// How far a jump goes, counted from the instruction after it.
fn distance(from: usize, to: usize) -> i32 {
    // Code that is too long for this is refused as a whole.
    (to as i64 - from as i64) as i32
}
