//! The bytes of the few instruction forms that are needed.
//!
//! An instruction is a prefix that names the operation's family, width and the high bits of its
//! registers; the operation; and its last operand, a register or an address.
//!
//! ```text
//! VEX, short   C5  rvvvvLpp            operation  operand          AVX2
//! VEX, long    C4  rxbmmmmm  wvvvvLpp  operation  operand
//! EVEX         62  rxbR0mmm  wvvvv1pp  zLLbVaaa   operation  operand   AVX-512
//! ```
//!
//! Register bits and `v` are stored inverted.

use super::bases::{Address, General};
use super::instruction::Register;

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Register(Register),
    Memory(Address),
}

/// An operation's table in the processor's manual, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) map: u8,
    pub(super) number: u8,
}

/// The tables of operations that are used.
pub(super) const MAP_0F: u8 = 1;
pub(super) const MAP_0F38: u8 = 2;
pub(super) const MAP_0F3A: u8 = 3;

/// All vector operations used have the mandatory prefix 66.
const PREFIX_66: u8 = 1;

/// An instruction on 256 bits. `to` is the register field, `first` the additional operand.
pub(super) fn vex(
    bytes: &mut Vec<u8>,
    operation: Operation,
    to: Register,
    first: Register,
    last: Operand,
) {
    let low_byte = inverted(first, 0xf) << 3 | 1 << 2 | PREFIX_66;
    let high_to = inverted(to >> 3, 1) << 7;
    let high_last = inverted(last.number() >> 3, 1);
    if high_last == 1 && operation.map == MAP_0F {
        bytes.extend([0xc5, high_to | low_byte]);
    } else {
        bytes.extend([0xc4, high_to | 1 << 6 | high_last << 5 | operation.map, low_byte]);
    }
    bytes.push(operation.number);
    push_operand(bytes, to, last, 1);
}

/// An instruction on 512 bits.
pub(super) fn evex(
    bytes: &mut Vec<u8>,
    operation: Operation,
    to: Register,
    first: Register,
    last: Operand,
) {
    let number = last.number();
    // The bit of an index register serves as the fifth bit of a vector register.
    let fifth_last = if matches!(last, Operand::Register(_)) { number >> 4 } else { 0 };
    let high_bits = inverted(to >> 3, 1) << 7
        | inverted(fifth_last, 1) << 6
        | inverted(number >> 3, 1) << 5
        | inverted(to >> 4, 1) << 4;
    let wide = 1 << 7;
    bytes.extend([
        0x62,
        high_bits | operation.map,
        wide | inverted(first, 0xf) << 3 | 1 << 2 | PREFIX_66,
        0b10 << 5 | inverted(first >> 4, 1) << 3,
        operation.number,
    ]);
    push_operand(bytes, to, last, 64);
}

/// `lea to, [base + displacement]`: a general register is set to an address.
pub(super) fn lea(bytes: &mut Vec<u8>, to: General, address: Address) {
    bytes.extend([0x48 | to >> 3 << 2 | address.base >> 3, 0x8d]);
    push_operand(bytes, to, Operand::Memory(address), 1);
}

impl Operand {
    fn number(self) -> u8 {
        match self {
            Operand::Register(register) => register,
            Operand::Memory(address) => address.base,
        }
    }
}

fn inverted(bits: u8, mask: u8) -> u8 {
    !bits & mask
}

/// The register field and the last operand. A displacement of one byte counts units.
fn push_operand(bytes: &mut Vec<u8>, field: u8, last: Operand, unit: i32) {
    let low = (field & 7) << 3 | last.number() & 7;
    let Operand::Memory(Address { base, displacement }) = last else {
        return bytes.push(0b11 << 6 | low);
    };
    debug_assert!(base & 7 != 4, "such a base needs another byte");
    let short = i8::try_from(displacement / unit).ok().filter(|_| displacement % unit == 0);
    match short {
        // With base 5 this would mean something else.
        Some(0) if base & 7 != 5 => bytes.push(low),
        Some(short) => bytes.extend([0b01 << 6 | low, short as u8]),
        None => {
            bytes.push(0b10 << 6 | low);
            bytes.extend(displacement.to_le_bytes());
        }
    }
}
