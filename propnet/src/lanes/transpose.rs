//! Rows to columns: between states, whose bits are fluents, and words, whose bits are lanes.

/// Transposes a square of bits: bit `c` of row `r` becomes bit `r` of row `c`.
pub(super) fn transpose(rows: &mut [u64; 64]) {
    // Squares within squares: the upper right and the lower left quarter change places, then the
    // same is done within each quarter.
    let mut size = 32;
    let mut mask = u64::MAX >> 32;
    while size > 0 {
        for high in (0..64).step_by(2 * size) {
            for at in high..high + size {
                let change = (rows[at] >> size ^ rows[at + size]) & mask;
                rows[at] ^= change << size;
                rows[at + size] ^= change;
            }
        }
        size /= 2;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

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
}
