//! Rows to columns: between states, whose bits are fluents, and words, whose bits are lanes.
//!
//! Squares within squares: Warren, Hacker's Delight, section 7-3.

use super::word::Word;

/// Transposes squares of bits, each 64 lanes for themselves: bit `c` of row `r` becomes bit `r` of
/// row `c`.
#[inline(always)]
pub(super) fn transpose<W: Word>(rows: &mut [W; 64]) {
    // Squares within squares: the upper right and the lower left quarter change places, then the
    // same is done within each quarter.
    let mut size = 32;
    let mut mask = u64::MAX >> 32;
    while size > 0 {
        for high in (0..64).step_by(2 * size) {
            for at in high..high + size {
                let [mut one, mut other] = [rows[at], rows[at + size]];
                for (one, other) in one.parts_mut().iter_mut().zip(other.parts_mut()) {
                    let change = (*one >> size ^ *other) & mask;
                    *one ^= change << size;
                    *other ^= change;
                }
                (rows[at], rows[at + size]) = (one, other);
            }
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// So few lanes are better read bit by bit.
const FEW: usize = 4;

/// Reads words lane by lane: of each of the first lanes, 64 words at a time, which are true in it.
/// `put` gets the lane, the number of the 64 words and the bits.
pub(super) fn by_lane<W: Word>(
    lanes: usize,
    words: usize,
    word: impl Fn(usize) -> W,
    mut put: impl FnMut(usize, usize, u64),
) {
    for column in 0..words.div_ceil(64) {
        if lanes <= FEW {
            for lane in 0..lanes {
                let truths = (column * 64..words).take(64).map(|at| word(at).has(lane));
                let bits =
                    truths.enumerate().fold(0, |bits, (at, truth)| bits | u64::from(truth) << at);
                put(lane, column, bits);
            }
            continue;
        }
        for part in 0..lanes.div_ceil(64) {
            let mut square = [0; 64];
            for (row, at) in square.iter_mut().zip(column * 64..words) {
                *row = word(at).parts()[part];
            }
            transpose(&mut square);
            for (lane, bits) in (part * 64..lanes).zip(square) {
                put(lane, column, bits);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use wide::u64x4;

    use super::*;

    #[test]
    fn rows_become_columns() {
        let mut rng = Pcg64::seed_from_u64(5);
        let old: [u64; 64] = std::array::from_fn(|_| rng.random());
        let mut new = old;
        transpose(&mut new);
        for (row, old) in old.into_iter().enumerate() {
            for (column, new) in new.into_iter().enumerate() {
                assert_eq!(new >> row & 1, old >> column & 1);
            }
        }
    }

    #[test]
    fn any_number_of_lanes_is_read() {
        let mut rng = Pcg64::seed_from_u64(6);
        let words: Vec<u64x4> = (0..150).map(|_| u64x4::new(rng.random())).collect();
        for lanes in [0, 1, 4, 5, 64, 65, 256] {
            let mut told = 0;
            by_lane(
                lanes,
                words.len(),
                |at| words[at],
                |lane, column, bits| {
                    told += 1;
                    for (at, word) in words.iter().enumerate().skip(column * 64).take(64) {
                        assert_eq!(bits >> (at % 64) & 1 == 1, word.has(lane), "{lane} {at}");
                    }
                },
            );
            assert_eq!(told, lanes * 3);
        }
    }
}
