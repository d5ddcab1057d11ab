//! The value of a matrix game between two exact bounds, and strategies that secure them.

use super::dominance::{reduce, saddle_point};
use super::simplex::Simplex;

/// Solves one matrix game after another in the same memory.
#[derive(Default)]
pub struct MatrixSolver {
    simplex: Simplex,
    row_mix: Mix,
    column_mix: Mix,
    /// Rows and columns that are not dominated.
    rows: Vec<usize>,
    columns: Vec<usize>,
    row_strategy: Vec<f64>,
    column_strategy: Vec<f64>,
    /// By column: the greatest entry, or a sum.
    most: Vec<i64>,
    sums: Vec<i128>,
}

/// What is proven of a matrix game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equilibrium<'s> {
    /// What the row player's strategy secures, rounded down.
    pub lower: i64,
    /// The most that the column player's strategy concedes, rounded up.
    pub upper: i64,
    /// By row: its weight in the mix of the row player. A probability is a weight divided by the
    /// sum of all.
    pub row_weights: &'s [u64],
    /// By column: its weight in the mix of the column player.
    pub column_weights: &'s [u64],
}

/// A mixed strategy: whole numbers, in proportion to the probabilities.
#[derive(Default)]
pub(super) struct Mix {
    pub(super) weights: Vec<u64>,
    pub(super) total: u64,
}

/// What the weights of a rounded strategy sum up to, more or less. It is divisible by every
/// number up to 36, so that most equilibria of small matrices are represented exactly.
const TOTAL: f64 = 144_403_552_893_600.0;

impl MatrixSolver {
    /// Nothing is allocated before the first game.
    pub fn new() -> Self {
        MatrixSolver::default()
    }

    /// Solves a game given row by row. Entries are less than 2^60 in magnitude.
    ///
    /// # Panics
    ///
    /// If there is no row or no column, or if the number of entries is not that of the matrix.
    pub fn solve(&mut self, rows: usize, columns: usize, entries: &[i64]) -> Equilibrium<'_> {
        assert!(rows > 0 && columns > 0, "a matrix game has rows and columns");
        assert_eq!(entries.len(), rows * columns, "a matrix has an entry for each row and column");
        let (lower, upper) = self.find(rows, columns, entries);
        let (row_weights, column_weights) = (&self.row_mix.weights, &self.column_mix.weights);
        Equilibrium { lower, upper, row_weights, column_weights }
    }

    fn find(&mut self, rows: usize, columns: usize, entries: &[i64]) -> (i64, i64) {
        if let Some((row, column)) = saddle_point(rows, columns, entries, &mut self.most) {
            self.row_mix.set_pure(rows, row);
            self.column_mix.set_pure(columns, column);
            let value = entries[row * columns + column];
            return (value, value);
        }
        self.rows.clear();
        self.rows.extend(0..rows);
        self.columns.clear();
        self.columns.extend(0..columns);
        reduce(columns, entries, &mut self.rows, &mut self.columns);
        if let (&[first, second], &[left, right]) = (&self.rows[..], &self.columns[..]) {
            let at = |row: usize, column: usize| i128::from(entries[row * columns + column]);
            let (a, b) = (at(first, left), at(first, right));
            let (c, d) = (at(second, left), at(second, right));
            self.row_mix.set_two(rows, (first, d - c), (second, a - b));
            self.column_mix.set_two(columns, (left, d - b), (right, a - c));
        } else {
            self.simplex.solve(
                self.rows.len(),
                self.columns.len(),
                |row, column| entries[self.rows[row] * columns + self.columns[column]],
                &mut self.row_strategy,
                &mut self.column_strategy,
            );
            self.row_mix.set_rounded(rows, &self.rows, &self.row_strategy);
            self.column_mix.set_rounded(columns, &self.columns, &self.column_strategy);
        }
        let least = self.row_mix.least(columns, entries, &mut self.sums);
        let most = self.column_mix.most(entries);
        (floor(least, self.row_mix.total), ceil(most, self.column_mix.total))
    }
}

impl Mix {
    fn clear(&mut self, len: usize) {
        self.weights.clear();
        self.weights.resize(len, 0);
    }

    fn set_pure(&mut self, len: usize, at: usize) {
        self.clear(len);
        self.weights[at] = 1;
        self.total = 1;
    }

    /// The equilibrium of two by two without a saddle point: differences of entries, all of the
    /// same sign.
    fn set_two(&mut self, len: usize, one: (usize, i128), other: (usize, i128)) {
        self.clear(len);
        for (at, weight) in [one, other] {
            self.weights[at] = weight.unsigned_abs() as u64;
        }
        self.total = self.weights[one.0] + self.weights[other.0];
    }

    /// A strategy in floats, of those rows or columns that are listed, rounded.
    fn set_rounded(&mut self, len: usize, listed: &[usize], strategy: &[f64]) {
        self.clear(len);
        for (&at, weight) in listed.iter().zip(rounded(strategy)) {
            self.weights[at] = weight;
        }
        self.total = self.weights.iter().sum();
        // Rounding nothing but zeros leaves no strategy, and any other is one.
        if self.total == 0 {
            self.set_pure(len, listed[0]);
        }
    }

    /// The same for a strategy of all rows or columns.
    pub(super) fn set_all_rounded(&mut self, strategy: &[f64]) {
        self.weights.clear();
        self.weights.extend(rounded(strategy));
        self.total = self.weights.iter().sum();
        if self.total == 0 {
            self.set_pure(strategy.len(), 0);
        }
    }

    /// What the mix of the row player gets against the column that is worst for it, times the
    /// total.
    fn least(&self, columns: usize, entries: &[i64], sums: &mut Vec<i128>) -> i128 {
        sums.clear();
        sums.resize(columns, 0);
        for (row, &weight) in entries.chunks_exact(columns).zip(&self.weights) {
            if weight > 0 {
                for (sum, &entry) in sums.iter_mut().zip(row) {
                    *sum += i128::from(weight) * i128::from(entry);
                }
            }
        }
        sums.iter().copied().min().unwrap_or_default()
    }

    /// What the mix of the column player concedes to the best row, times the total.
    fn most(&self, entries: &[i64]) -> i128 {
        let product = |(&weight, &entry): (&u64, &i64)| i128::from(weight) * i128::from(entry);
        let rows = entries.chunks_exact(self.weights.len());
        let sums = rows.map(|row| self.weights.iter().zip(row).map(product).sum());
        sums.max().unwrap_or_default()
    }
}

/// Whole numbers in proportion to shares.
fn rounded(strategy: &[f64]) -> impl Iterator<Item = u64> {
    let scale = TOTAL / strategy.iter().sum::<f64>();
    // The conversion makes what is no number a zero, and what is too large the greatest number.
    strategy.iter().map(move |share| ((share * scale).round() as u64).min(TOTAL as u64))
}

/// A mean of entries is between them, so it fits as they do.
fn floor(sum: i128, total: u64) -> i64 {
    sum.div_euclid(i128::from(total)) as i64
}

fn ceil(sum: i128, total: u64) -> i64 {
    -floor(-sum, total)
}
