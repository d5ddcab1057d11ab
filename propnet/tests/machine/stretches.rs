//! Random routines, in every way of running them.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::make::{Shape, routine};
use super::support::{check, check_ternary};

fn random_shape(ops: usize, ternary: bool, rng: &mut Pcg64) -> Shape {
    Shape {
        before: rng.random_range(1..60),
        after: rng.random_range(1..60),
        work: [12, 20, 40, 400][rng.random_range(0..4)],
        ops,
        blocks: rng.random_range(1..5),
        window: [1, 6, 30, 200][rng.random_range(0..4)],
        ternary,
    }
}

/// Both kinds of tables: code for any table cannot be made for two inputs only.
fn check_many(count: usize, ops: usize, loops: bool, seed: u64) {
    let mut rng = Pcg64::seed_from_u64(seed);
    for _ in 0..count {
        let ops = rng.random_range(1..=ops);
        let two = routine(random_shape(ops, false, &mut rng), loops, &mut rng);
        check(&two, &mut rng);
        let three = routine(random_shape(ops, true, &mut rng), loops, &mut rng);
        check_ternary(&three, &mut rng);
    }
}

#[test]
fn short_routines() {
    check_many(2_000, 12, false, 1);
}

#[test]
fn long_routines() {
    check_many(40, 3_000, false, 2);
}

#[test]
fn routines_with_loops() {
    check_many(300, 60, true, 3);
}

#[test]
fn more_words_than_short_addresses_reach() {
    let mut rng = Pcg64::seed_from_u64(4);
    for (ops, ternary, loops) in
        [(20_000, false, false), (20_000, true, false), (4_000, false, true), (4_000, true, true)]
    {
        let (before, after, work, window) = (2_000, 3_000, 9_000, 3_000);
        let shape = Shape { before, after, work, ops, blocks: 3, window, ternary };
        let routine = routine(shape, loops, &mut rng);
        if ternary {
            check_ternary(&routine, &mut rng);
        } else {
            check(&routine, &mut rng);
        }
    }
}
