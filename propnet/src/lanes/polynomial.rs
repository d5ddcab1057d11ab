//! Truth tables as polynomials, to be computed without a branch.
//!
//! Which operation comes next is hard to foresee for a processor, and a wrong guess costs more than
//! the operation. But every function of two words is a sum (XOR) of products (AND) of them,
//!
//! ```text
//! f(a, b) = k0 ^ (k1 & b) ^ (k2 & a) ^ (k3 & a & b)
//! ```
//!
//! where each k is true in all lanes or in none; and so for three. So all operations are the same
//! formula with other constants.
//!
//! The formula is the algebraic normal form (Zhegalkin 1927).

use super::word::Piece;
use crate::program::Op;

/// By four bits: a mask for each of them.
const MASKS: [[u64; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut at = 0;
    while at < 64 {
        if (at / 4) >> (at % 4) & 1 == 1 {
            masks[at / 4][at % 4] = u64::MAX;
        }
        at += 1;
    }
    masks
};

/// The coefficients of a function of two words, 1, b, a and ab: a bit for each.
#[derive(Clone, Copy)]
pub(super) struct OfTwo(u8);

/// The coefficients of a function of three words: a bit for each product of them, with the order
/// of the rows of a table.
#[derive(Clone, Copy)]
pub(super) struct OfThree(u8);

impl OfTwo {
    /// The polynomial of an operation on its first two inputs; none where it needs the third.
    pub(super) fn new(op: &Op) -> Option<Self> {
        let coefficients = OfThree::new(op).0;
        let with_third = 0b1010_1010;
        let pick = |coefficient: u8, to: u8| (coefficients >> coefficient & 1) << to;
        let two = pick(0, 0) | pick(2, 1) | pick(4, 2) | pick(6, 3);
        (coefficients & with_third == 0).then_some(OfTwo(two))
    }

    /// The formula, with its constants.
    #[inline(always)]
    pub(super) fn formula<P: Piece>(self) -> impl Fn(P, P) -> P {
        let [k0, k1, k2, k3] = masks(self.0);
        move |a, b| (((a & k3) ^ k1) & b) ^ (a & k2) ^ k0
    }
}

impl OfThree {
    /// The polynomial of an operation.
    pub(super) fn new(op: &Op) -> Self {
        // A coefficient is the sum over the rows in which nothing else is true.
        let mut coefficients = op.table;
        for (input, with) in [(1, 0b1010_1010), (2, 0b1100_1100), (4, 0b1111_0000u8)] {
            coefficients ^= coefficients << input & with;
        }
        OfThree(coefficients)
    }

    /// The formula, with its constants.
    #[inline(always)]
    pub(super) fn formula<P: Piece>(self) -> impl Fn(P, P, P) -> P {
        let [k0, k1, k2, k3] = masks::<P>(self.0 & 15);
        let [k4, k5, k6, k7] = masks::<P>(self.0 >> 4);
        move |a, b, c| {
            let without = k0 ^ (k1 & c) ^ (b & (k2 ^ (k3 & c)));
            let with = k4 ^ (k5 & c) ^ (b & (k6 ^ (k7 & c)));
            without ^ (a & with)
        }
    }
}

#[inline(always)]
fn masks<P: Piece>(bits: u8) -> [P; 4] {
    MASKS[usize::from(bits & 15)].map(P::repeat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Slot, Space};

    /// All eight rows of three inputs, one in each lane.
    const INPUTS: [u64; 3] = [0b1111_0000, 0b1100_1100, 0b1010_1010];

    #[test]
    fn every_table_is_computed() {
        let slot = Slot::new(Space::Work, 0);
        let [a, b, c] = INPUTS;
        let mut of_two = 0;
        for table in 0..=255 {
            let op = Op { table, inputs: [slot; 3], target: slot };
            assert_eq!(OfThree::new(&op).formula()(a, b, c) & 0xff, u64::from(table));
            if let Some(two) = OfTwo::new(&op) {
                assert_eq!(two.formula()(a, b) & 0xff, u64::from(table));
                of_two += 1;
            }
        }
        assert_eq!(of_two, 16);
    }
}
