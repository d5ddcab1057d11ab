//! The handful of instructions that the code consists of, decoded by another's hand and done on
//! plain integers. So code can be shown right on processors that could not run it.

use std::collections::HashMap;

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use propnet::machine::{Level, MachineCode};

use super::judge::{Memory, lookup};

/// Where each space begins: far from each other, so that a wrong address is in none.
const BASES: [u64; 3] = [1 << 40, 2 << 40, 3 << 40];

/// Registers that a function leaves as it found them.
const CALLERS: [Register; 6] =
    [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];

/// Runs code to its end; whether its loops came to rest.
pub(crate) fn emulate<const N: usize>(code: &MachineCode, memory: &mut Memory<N>) -> bool {
    let program = decode(code);
    let mut machine = Machine::new(code.level(), memory);
    let mut ip = 0;
    loop {
        let instruction = program.get(&ip).expect("an instruction begins here");
        match machine.step(instruction) {
            Flow::Next => ip = instruction.next_ip(),
            Flow::Jump(target) => ip = target,
            Flow::Return => break,
        }
    }
    assert!(machine.stack.is_empty(), "all that was pushed is popped");
    for register in CALLERS {
        let kept = machine.general(register) == untouched(register);
        assert!(kept, "{register:?} belongs to the caller");
    }
    machine.general(Register::RAX) & 0xffff_ffff != 0
}

fn decode(code: &MachineCode) -> HashMap<u64, Instruction> {
    let mut decoder = Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE);
    let mut program = HashMap::new();
    while decoder.can_decode() {
        let instruction = decoder.decode();
        assert!(!instruction.is_invalid(), "valid code at {:#x}", instruction.ip());
        program.insert(instruction.ip(), instruction);
    }
    program
}

enum Flow {
    Next,
    Jump(u64),
    Return,
}

struct Machine<'m, const N: usize> {
    level: Level,
    memory: &'m mut Memory<N>,
    vectors: [[u64; N]; 32],
    generals: [u64; 16],
    mask: u16,
    zero: bool,
    stack: Vec<u64>,
}

/// What a register holds at the beginning.
fn untouched(register: Register) -> u64 {
    0xdead_0000 + register as u64
}

impl<'m, const N: usize> Machine<'m, N> {
    fn new(level: Level, memory: &'m mut Memory<N>) -> Self {
        let mut generals = [0; 16];
        for (number, general) in generals.iter_mut().enumerate() {
            *general = 0xdead_0000 + Register::RAX as u64 + number as u64;
        }
        // Nothing may rely on what registers hold at the beginning.
        let vectors = [[0x0123_4567_89ab_cdef; N]; 32];
        let stack = Vec::new();
        let mut machine = Machine { level, memory, vectors, generals, mask: 0, zero: false, stack };
        for (register, base) in [Register::RDI, Register::RSI, Register::RDX].iter().zip(BASES) {
            machine.generals[general_number(*register)] = base;
        }
        machine
    }

    fn step(&mut self, instruction: &Instruction) -> Flow {
        use Mnemonic as M;
        match instruction.mnemonic() {
            M::Vmovdqa | M::Vmovdqa64 => {
                let word = self.operand(instruction, 1);
                self.set(instruction, word);
            }
            M::Vpand | M::Vpandq => self.binary(instruction, |a, b| a & b),
            M::Vpandn | M::Vpandnq => self.binary(instruction, |a, b| !a & b),
            M::Vpor | M::Vporq => self.binary(instruction, |a, b| a | b),
            M::Vpxor | M::Vpxorq => self.binary(instruction, |a, b| a ^ b),
            M::Vpcmpeqd => self.binary(instruction, equal_halves),
            M::Vpternlogq => {
                let [a, b, c] = [0, 1, 2].map(|operand| self.operand(instruction, operand));
                let table = instruction.immediate8();
                self.set(instruction, std::array::from_fn(|i| lookup(table, a[i], b[i], c[i])));
            }
            M::Vptest => {
                let (a, b) = (self.operand(instruction, 0), self.operand(instruction, 1));
                self.zero = (0..N).all(|i| a[i] & b[i] == 0);
            }
            M::Vptestmq => {
                assert_eq!(instruction.op0_register(), Register::K1);
                let (a, b) = (self.operand(instruction, 1), self.operand(instruction, 2));
                self.mask = (0..N).map(|i| u16::from(a[i] & b[i] != 0) << i).sum();
            }
            M::Kortestw => {
                assert_eq!([0, 1].map(|i| instruction.op_register(i)), [Register::K1; 2]);
                self.zero = self.mask == 0;
            }
            _ => return self.general_step(instruction),
        }
        Flow::Next
    }

    /// Instructions on general registers, and jumps.
    fn general_step(&mut self, instruction: &Instruction) -> Flow {
        let register = instruction.op0_register();
        match instruction.mnemonic() {
            Mnemonic::Lea => {
                self.generals[general_number(register)] = self.address(instruction);
            }
            Mnemonic::Mov => {
                self.generals[general_number(register)] = u64::from(instruction.immediate32());
            }
            Mnemonic::Dec => {
                assert_eq!(register, Register::EAX);
                let counter = (self.generals[0] as u32).wrapping_sub(1);
                (self.generals[0], self.zero) = (u64::from(counter), counter == 0);
            }
            Mnemonic::Push => self.stack.push(self.general(register)),
            Mnemonic::Pop => {
                self.generals[general_number(register)] = self.stack.pop().expect("a value");
            }
            Mnemonic::Je if self.zero => return Flow::Jump(instruction.near_branch64()),
            Mnemonic::Jne if !self.zero => return Flow::Jump(instruction.near_branch64()),
            Mnemonic::Je | Mnemonic::Jne | Mnemonic::Vzeroupper => {}
            Mnemonic::Jmp => return Flow::Jump(instruction.near_branch64()),
            Mnemonic::Ret => return Flow::Return,
            other => panic!("an instruction that should not be there: {other:?}"),
        }
        Flow::Next
    }

    fn binary(&mut self, instruction: &Instruction, function: fn(u64, u64) -> u64) {
        let (a, b) = (self.operand(instruction, 1), self.operand(instruction, 2));
        self.set(instruction, std::array::from_fn(|i| function(a[i], b[i])));
    }

    fn operand(&self, instruction: &Instruction, operand: u32) -> [u64; N] {
        if instruction.op_kind(operand) == OpKind::Memory {
            let (space, index) = self.word(instruction);
            return [&self.memory.before, &self.memory.after, &self.memory.work][space][index];
        }
        self.vectors[self.vector_number(instruction.op_register(operand))]
    }

    fn set(&mut self, instruction: &Instruction, word: [u64; N]) {
        if instruction.op0_kind() != OpKind::Memory {
            self.vectors[self.vector_number(instruction.op0_register())] = word;
            return;
        }
        let (space, index) = self.word(instruction);
        match space {
            0 => panic!("the state before a step is written"),
            1 => self.memory.after[index] = word,
            _ => self.memory.work[index] = word,
        }
    }

    /// The space and index of an instruction's word.
    fn word(&self, instruction: &Instruction) -> (usize, usize) {
        let address = self.address(instruction);
        let space = (address >> 40).wrapping_sub(1) as usize;
        let offset = address & ((1 << 40) - 1);
        let bytes = self.level.word_bytes() as u64;
        assert_eq!(offset % bytes, 0, "aligned");
        (space, (offset / bytes) as usize)
    }

    fn address(&self, instruction: &Instruction) -> u64 {
        assert_eq!(instruction.memory_index(), Register::None);
        let base = self.general(instruction.memory_base());
        base.wrapping_add(instruction.memory_displacement64())
    }

    fn general(&self, register: Register) -> u64 {
        self.generals[general_number(register)]
    }

    /// The number of a register that is as wide as the level's.
    fn vector_number(&self, register: Register) -> usize {
        let (first, count) = match self.level {
            Level::Avx2 => (Register::YMM0, 16),
            Level::Avx512 => (Register::ZMM0, 32),
        };
        let number = (register as usize).wrapping_sub(first as usize);
        assert!(number < count, "{register:?} belongs to {:?}", self.level);
        number
    }
}

/// The number of a general register, by its name for 32 or 64 bits.
fn general_number(register: Register) -> usize {
    let first =
        if register as usize >= Register::RAX as usize { Register::RAX } else { Register::EAX };
    let number = (register as usize).wrapping_sub(first as usize);
    assert!(number < 16, "{register:?} is a general register");
    number
}

/// All ones in each half that is equal.
fn equal_halves(a: u64, b: u64) -> u64 {
    let half = |mask: u64| if (a ^ b) & mask == 0 { mask } else { 0 };
    half(0xffff_ffff) | half(0xffff_ffff << 32)
}
