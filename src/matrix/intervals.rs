//! Rows and columns that are dominated whatever the true entries are, where only bounds are known.
//!
//! Figures 6.3 and 6.4 of the thesis. A row is dominated if some mix of the other rows gets, by
//! the pessimistic entries, at least as much in every column as the row does by the optimistic
//! ones. That is a matrix game again, of the differences: the mix exists if its value is at least
//! zero. Columns are the same from the other side.

use super::simplex::Simplex;
use super::solver::Mix;

/// A matrix of which only bounds are known, each row by row in units of a point.
#[derive(Clone, Copy)]
pub struct Intervals<'m> {
    /// The columns of the whole matrix.
    pub columns: usize,
    /// P: what the row player gets at least.
    pub pessimistic: &'m [i64],
    /// O: what the row player gets at most.
    pub optimistic: &'m [i64],
}

/// Finds dominated rows and columns of one matrix after another in the same memory.
#[derive(Default)]
pub struct Pruner {
    simplex: Simplex,
    mix: Mix,
    strategy: Vec<f64>,
    other_strategy: Vec<f64>,
    others: Vec<usize>,
    programs: u64,
}

impl Pruner {
    /// Nothing is allocated before the first matrix.
    pub fn new() -> Self {
        Pruner::default()
    }

    /// The linear programs that were needed so far.
    pub fn programs(&self) -> u64 {
        self.programs
    }

    /// Removes dominated rows and columns from those that are still considered, in turn until
    /// nothing changes; true if any was. At least one of each stays, and the value of the matrix
    /// of what stays is that of the whole, whatever the true entries are.
    pub fn prune(
        &mut self,
        matrix: Intervals<'_>,
        rows: &mut Vec<usize>,
        columns: &mut Vec<usize>,
    ) -> bool {
        let at = |row: usize, column: usize| row * matrix.columns + column;
        let (pessimistic, optimistic) = (matrix.pessimistic, matrix.optimistic);
        let mut pruned = false;
        loop {
            // Figure 6.3: the row player's other rows at their worst, the row at its best.
            let worst = |row, column| pessimistic[at(row, column)];
            let best = |row, column| optimistic[at(row, column)];
            let lost_rows = self.prune_moves(rows, columns, worst, best);
            // Figure 6.4: the column player gets what the row player does not.
            let worst = |column, row| -optimistic[at(row, column)];
            let best = |column, row| -pessimistic[at(row, column)];
            let lost_columns = self.prune_moves(columns, rows, worst, best);
            pruned |= lost_rows || lost_columns;
            // Columns were checked against the rows that are left; only rows may have changed.
            if !lost_columns {
                return pruned;
            }
        }
    }

    /// Removes dominated moves of one player, given what its moves get against those of the other.
    fn prune_moves(
        &mut self,
        moves: &mut Vec<usize>,
        replies: &[usize],
        worst: impl Fn(usize, usize) -> i64,
        best: impl Fn(usize, usize) -> i64,
    ) -> bool {
        let before = moves.len();
        let mut at = 0;
        while at < moves.len() {
            let removed = moves.remove(at);
            if moves.is_empty() || !self.is_dominated(removed, moves, replies, &worst, &best) {
                moves.insert(at, removed);
                at += 1;
            }
        }
        moves.len() < before
    }

    fn is_dominated(
        &mut self,
        candidate: usize,
        others: &[usize],
        replies: &[usize],
        worst: &impl Fn(usize, usize) -> i64,
        best: &impl Fn(usize, usize) -> i64,
    ) -> bool {
        let reaches = |other: usize, reply: usize| worst(other, reply) >= best(candidate, reply);
        // A reply in which no other move does as well settles it, and so does a single move that
        // always does.
        if replies.iter().any(|&reply| others.iter().all(|&other| !reaches(other, reply))) {
            return false;
        }
        if others.iter().any(|&other| replies.iter().all(|&reply| reaches(other, reply))) {
            return true;
        }
        // Only what does as well somewhere can be part of a mix that does so everywhere; the rest
        // would lower it in every reply.
        self.others.clear();
        let useful = |other: &&usize| replies.iter().any(|&reply| reaches(**other, reply));
        self.others.extend(others.iter().filter(useful));
        let others = &self.others;
        self.programs += 1;
        let gain = |other: usize, reply: usize| worst(other, reply) - best(candidate, reply);
        self.simplex.solve(
            others.len(),
            replies.len(),
            |other, reply| gain(others[other], replies[reply]),
            &mut self.strategy,
            &mut self.other_strategy,
        );
        self.mix.set_all_rounded(&self.strategy);
        let share = |(&weight, &other): (&u64, &usize), reply| {
            i128::from(weight) * i128::from(gain(other, reply))
        };
        let mean = |&reply: &usize| -> i128 {
            self.mix.weights.iter().zip(others).map(|pair| share(pair, reply)).sum()
        };
        replies.iter().all(|reply| mean(reply) >= 0)
    }
}
