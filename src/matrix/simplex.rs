//! A dense simplex in floats for one matrix game at a time; its strategies are proposals.
//!
//! The linear program of figure 6.1 of the thesis, as the column player sees it: with all entries
//! shifted above zero, maximise the sum of y with A y <= 1 and y >= 0. Its slacks are a feasible
//! start, the value is one over the sum, and the reduced costs of the slacks are the row player's
//! strategy. The tableau is condensed: a pivot exchanges a row's variable with a column's, and
//! columns of the basis are not stored.
//!
//! ```text
//!              columns that are not in the basis | right side
//!   rows       A after pivots                    | what the basic variables are worth
//!   last row   reduced costs                     | sum of y
//! ```

/// The tableau, and which variable stands where.
#[derive(Default)]
pub(super) struct Simplex {
    tableau: Vec<f64>,
    /// One more than the columns of the game.
    width: usize,
    /// The row that is subtracted from the others in a pivot.
    pivot_row: Vec<f64>,
    /// The variable of each row and of each column: columns of the game first, then its rows.
    row_variables: Vec<usize>,
    column_variables: Vec<usize>,
}

/// Reduced costs above this count as zero; entries lie between one and two.
const ZERO: f64 = 1e-12;

/// The least entry to pivot on.
const LEAST_PIVOT: f64 = 1e-9;

impl Simplex {
    /// Finds strategies for a game whose entries are given one by one. Both are as long as the
    /// game is wide or high; not scaled.
    pub(super) fn solve(
        &mut self,
        rows: usize,
        columns: usize,
        entry: impl Fn(usize, usize) -> i64,
        row_strategy: &mut Vec<f64>,
        column_strategy: &mut Vec<f64>,
    ) {
        self.fill(rows, columns, entry);
        // The largest coefficient first, which is quick, and then Bland's rule, which always ends.
        let quick = 8 * (rows + columns);
        for step in 0..20 * quick {
            let Some(column) = self.entering(step >= quick) else { break };
            let Some(row) = self.leaving(column) else { break };
            self.pivot(row, column);
        }
        self.read(rows, columns, row_strategy, column_strategy);
    }

    fn fill(&mut self, rows: usize, columns: usize, entry: impl Fn(usize, usize) -> i64) {
        self.width = columns + 1;
        self.tableau.clear();
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for row in 0..rows {
            for column in 0..columns {
                let entry = entry(row, column) as f64;
                (least, most) = (entry.min(least), entry.max(most));
                self.tableau.push(entry);
            }
            self.tableau.push(1.0);
        }
        let scale = if most > least { 1.0 / (most - least) } else { 1.0 };
        for row in self.tableau.chunks_exact_mut(columns + 1) {
            for entry in &mut row[..columns] {
                *entry = (*entry - least) * scale + 1.0;
            }
        }
        self.tableau.resize(self.tableau.len() + columns, -1.0);
        self.tableau.push(0.0);
        self.column_variables.clear();
        self.column_variables.extend(0..columns);
        self.row_variables.clear();
        self.row_variables.extend(columns..columns + rows);
    }

    /// The column whose variable enters the basis; none if the solution is optimal.
    fn entering(&self, by_bland: bool) -> Option<usize> {
        let costs = &self.tableau[self.row_variables.len() * self.width..][..self.width - 1];
        let improving = costs.iter().enumerate().filter(|(_, cost)| **cost < -ZERO);
        let found = if by_bland {
            improving.min_by_key(|(column, _)| self.column_variables[*column])
        } else {
            improving.min_by(|one, other| one.1.total_cmp(other.1))
        };
        found.map(|(column, _)| column)
    }

    /// The row whose variable reaches zero first when that of the column grows. Of equal ones that
    /// with the smallest variable, as Bland's rule asks.
    fn leaving(&self, column: usize) -> Option<usize> {
        let mut best: Option<(f64, usize, usize)> = None;
        for (row, &variable) in self.row_variables.iter().enumerate() {
            let entry = self.tableau[row * self.width + column];
            if entry > LEAST_PIVOT {
                let ratio = self.tableau[(row + 1) * self.width - 1] / entry;
                if best.is_none_or(|(least, other, _)| (ratio, variable) < (least, other)) {
                    best = Some((ratio, variable, row));
                }
            }
        }
        best.map(|(_, _, row)| row)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let own = &mut self.tableau[row * self.width..][..self.width];
        let inverse = 1.0 / own[column];
        own[column] = 1.0;
        own.iter_mut().for_each(|entry| *entry *= inverse);
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(own);
        for (at, other) in self.tableau.chunks_exact_mut(self.width).enumerate() {
            let factor = other[column];
            if at != row && factor != 0.0 {
                other[column] = 0.0;
                for (entry, own) in other.iter_mut().zip(&self.pivot_row) {
                    *entry -= factor * own;
                }
            }
        }
        std::mem::swap(&mut self.row_variables[row], &mut self.column_variables[column]);
    }

    fn read(
        &self,
        rows: usize,
        columns: usize,
        row_strategy: &mut Vec<f64>,
        column_strategy: &mut Vec<f64>,
    ) {
        row_strategy.clear();
        row_strategy.resize(rows, 0.0);
        column_strategy.clear();
        column_strategy.resize(columns, 0.0);
        for (row, &variable) in self.row_variables.iter().enumerate() {
            if let Some(weight) = column_strategy.get_mut(variable) {
                *weight = self.tableau[(row + 1) * self.width - 1].max(0.0);
            }
        }
        for (column, &variable) in self.column_variables.iter().enumerate() {
            let weight = variable.checked_sub(columns).and_then(|row| row_strategy.get_mut(row));
            if let Some(weight) = weight {
                *weight = self.tableau[rows * self.width + column].max(0.0);
            }
        }
    }
}
