//! Matrix games solved per second, by size, against a general solver of linear programs.
//!
//! ```text
//! cargo bench --bench solver [-- SIZE ...]
//! ```
//!
//! Each size has its own random square matrices with entries from 0 to 100, most of them without a
//! saddle point. Both solvers take turns in short stretches and are measured in CPU time. The
//! bounds must enclose the other solver's value.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use cpu_time::ThreadTime;
use ludens::matrix::{MatrixSolver, POINT};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const SIZES: &[usize] = &[2, 3, 4, 6, 9, 13, 30, 100];

/// How long each solver is measured in all.
const TIME: Duration = Duration::from_millis(1000);

fn main() {
    let named: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    println!("{:>7} {:>12} {:>12} {:>7} {:>10}", "size", "ours/s", "microlp/s", "ratio", "gap");
    for &size in if named.is_empty() { SIZES } else { &named } {
        measure(size);
    }
}

fn measure(size: usize) {
    let mut random = Pcg64Mcg::seed_from_u64(size as u64);
    let count = (100_000 / (size * size)).clamp(10, 1000);
    let mut points = || (0..size * size).map(|_| random.random_range(0..=100)).collect();
    let matrices: Vec<Vec<i64>> = (0..count).map(|_| points()).collect();
    let units = |points: &Vec<i64>| points.iter().map(|point| point * POINT).collect();
    let in_units: Vec<Vec<i64>> = matrices.iter().map(units).collect();
    let mut solver = MatrixSolver::new();
    let mut gap = 0;
    for (points, units) in matrices.iter().zip(&in_units).take(100) {
        let found = solver.solve(size, size, units);
        gap = gap.max(found.upper - found.lower);
        let (lower, upper) = (found.lower as f64, found.upper as f64);
        let value = general(size, points) * POINT as f64;
        assert!(lower - 100.0 < value && value < upper + 100.0, "{lower} to {upper}: {value}");
    }
    let (mut ours, mut general_rate) = (Rate::default(), Rate::default());
    while ours.time < TIME || general_rate.time < TIME {
        ours.measure(|at| solver.solve(size, size, &in_units[at % count]).lower as f64);
        general_rate.measure(|at| general(size, &matrices[at % count]));
    }
    let (ours, general) = (ours.per_second(), general_rate.per_second());
    println!("{size:>7} {ours:>12.0} {general:>12.0} {:>7.1} {gap:>10}", ours / general);
}

#[derive(Default)]
struct Rate {
    solved: usize,
    time: Duration,
}

impl Rate {
    /// Solves for a stretch of time.
    fn measure(&mut self, mut solve: impl FnMut(usize) -> f64) {
        let start = ThreadTime::now();
        while start.elapsed() < TIME / 20 {
            for _ in 0..8 {
                std::hint::black_box(solve(self.solved));
                self.solved += 1;
            }
        }
        self.time += start.elapsed();
    }

    fn per_second(&self) -> f64 {
        self.solved as f64 / self.time.as_secs_f64()
    }
}

/// The value by the general solver.
fn general(size: usize, points: &[i64]) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let variables: Vec<_> = (0..size).map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
    for row in points.chunks(size) {
        let terms = variables.iter().zip(row).map(|(&one, &entry)| (one, (entry + 1) as f64));
        problem.add_constraint(terms.collect::<Vec<_>>(), ComparisonOp::Le, 1.0);
    }
    match problem.solve().unwrap() {
        SolveOutcome::Solution(solution) => 1.0 / solution.objective() - 1.0,
        SolveOutcome::Interrupted(_) => unreachable!("no limit was set"),
    }
}
