//! Truth tables of three inputs, taken apart.
//!
//! A table is a byte; bit `4a + 2b + c` is the result for the inputs `a`, `b`, `c`.

/// A table over the inputs that matter, which come first; the others are don't-cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reduced {
    pub(super) table: u8,
    /// Which of the three inputs stand in the places that matter.
    pub(super) sources: [u8; 3],
    /// How many matter.
    pub(super) arity: u8,
}

/// The table without inputs that are equal to an earlier one or do not matter.
pub(super) fn reduce(table: u8, inputs: [u32; 3]) -> Reduced {
    // With equal inputs merged, input i follows the place of the first one like it.
    let first_like = |i: usize| (0..i).find(|&j| inputs[j] == inputs[i]).unwrap_or(i);
    let table = rewire(table, [first_like(0), first_like(1), first_like(2)]);
    let mut reduced = Reduced { table, sources: [0; 3], arity: 0 };
    let mut places = [0; 3];
    for (input, place) in places.iter_mut().enumerate() {
        if depends(table, input) {
            *place = reduced.arity as usize;
            reduced.sources[reduced.arity as usize] = input as u8;
            reduced.arity += 1;
        }
    }
    // An input that does not matter may read any place.
    reduced.table = rewire(table, places);
    reduced
}

/// The table of a function whose input `i` is read from place `places[i]`.
pub(super) fn rewire(table: u8, places: [usize; 3]) -> u8 {
    let mut rewired = 0;
    for row in 0..8 {
        let bit = |i: usize| (row >> (2 - places[i]) & 1) << (2 - i);
        let old = bit(0) | bit(1) | bit(2);
        rewired |= (table >> old & 1) << row;
    }
    rewired
}

/// Whether the result ever changes with an input alone.
fn depends(table: u8, input: usize) -> bool {
    let (mask, shift) = [(0xf0, 4), (0xcc, 2), (0xaa, 1)][input];
    (table & mask) >> shift != table & (mask >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table's answer, by its definition.
    fn answer(table: u8, inputs: [bool; 3]) -> bool {
        let [a, b, c] = inputs.map(u8::from);
        table >> (4 * a + 2 * b + c) & 1 == 1
    }

    #[test]
    fn a_reduced_table_says_the_same_for_every_table_and_every_pattern_of_equal_inputs() {
        let patterns = [[0, 1, 2], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 0, 0]];
        for table in 0..=255 {
            for inputs in patterns {
                let reduced = reduce(table, inputs);
                for row in 0..8 {
                    let value = |input: u32| row >> input & 1 == 1;
                    let expected = answer(table, inputs.map(value));
                    let mut places = [false; 3];
                    for place in 0..reduced.arity as usize {
                        places[place] = value(inputs[reduced.sources[place] as usize]);
                    }
                    assert_eq!(answer(reduced.table, places), expected, "{table:#x} {inputs:?}");
                }
            }
        }
    }

    #[test]
    fn only_inputs_that_matter_are_left() {
        assert_eq!(reduce(0b1100_0000, [7, 8, 8]).arity, 2);
        assert_eq!(
            reduce(0b1100_0000, [7, 7, 7]),
            Reduced { table: 0b1111_0000, sources: [0; 3], arity: 1 }
        );
        assert_eq!(reduce(0b0011_1100, [7, 7, 9]).arity, 0);
        assert_eq!(reduce(0xff, [1, 2, 3]).arity, 0);
        assert_eq!(reduce(0x96, [1, 2, 3]).arity, 3);
    }
}
