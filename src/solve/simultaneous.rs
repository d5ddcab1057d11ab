//! Alpha-beta in states in which both sides choose.
//!
//! One side is made to choose first, which gives a bound from each side by ordinary alpha-beta
//! (serialised bounds: Bošanský, Lisý, Čermák, Vítek and Pěchouček 2013). Where these differ, dominated
//! moves are removed (figures 6.3 and 6.4 of the thesis) and the matrix of what is left is solved.

use super::alpha_beta::{
    FoundBounds, SearchLevel, SearchNode, SearchRun, SearchStop, SearchWindow,
};
use super::node::{NodeShape, ValueBounds};
use crate::matrix::Intervals;

impl SearchRun<'_, '_, '_> {
    /// Both sides choose.
    pub(super) fn matrix(
        &mut self,
        node: SearchNode<'_>,
        known: FoundBounds,
        level: &SearchLevel,
        shape: NodeShape,
    ) -> Result<(FoundBounds, u32), SearchStop> {
        // In the sign of the search: its own moves are the rows.
        let (rows, columns) = match self.is_turned {
            false => (shape.rows, shape.columns),
            true => (shape.columns, shape.rows),
        };
        let joint = |row, column| match self.is_turned {
            false => shape.joint(row, column),
            true => shape.joint(column, row),
        };
        let joint: Vec<usize> =
            (0..rows * columns).map(|at| joint(at / columns, at % columns)).collect();
        let mut cells: Vec<FoundBounds> =
            joint.iter().map(|&child| self.child_known(level, child, node.depth - 1)).collect();
        let SearchWindow { alpha, beta } = node.window;
        // The own side chooses first: the best of its moves against the reply that is worst for it.
        let mut lower = known.bounds.lower;
        for row in 0..rows {
            for column in 0..columns {
                let at = row * columns + column;
                if cells[row * columns..(row + 1) * columns].iter().any(|cell| cell.limit <= lower)
                {
                    break;
                }
                let window = SearchWindow { alpha: alpha.max(lower), beta };
                cells[at] = self.child(node, level, joint[at], window)?;
            }
            let worst =
                cells[row * columns..(row + 1) * columns].iter().map(|cell| cell.bounds.lower);
            lower = lower.max(worst.min().unwrap_or(lower));
            if lower >= beta {
                let bounds = ValueBounds { lower, upper: known.bounds.upper };
                return Ok((FoundBounds { bounds, limit: known.limit.max(lower) }, u32::MAX));
            }
        }
        // The other side chooses first.
        let (mut upper, mut limit) = (known.bounds.upper, known.limit);
        for column in 0..columns {
            let in_column = |row: usize| row * columns + column;
            for row in 0..rows {
                if (0..rows).any(|row| cells[in_column(row)].bounds.lower >= limit) {
                    break;
                }
                let window = SearchWindow { alpha, beta: beta.min(limit) };
                cells[in_column(row)] = self.child(node, level, joint[in_column(row)], window)?;
            }
            let best = (0..rows).map(|row| cells[in_column(row)].bounds.upper).max();
            upper = upper.min(best.unwrap_or(upper));
            let best = (0..rows).map(|row| cells[in_column(row)].limit).max();
            limit = limit.min(best.unwrap_or(limit));
            if limit <= alpha {
                let bounds = ValueBounds { lower, upper };
                return Ok((FoundBounds { bounds, limit: limit.max(lower) }, u32::MAX));
            }
        }
        if !(ValueBounds { lower, upper: limit }).is_closed() {
            self.solve_cells(node, level, &joint, &mut cells, columns)?;
            let found = self.solved(&cells, rows, columns);
            lower = lower.max(found.bounds.lower);
            upper = upper.min(found.bounds.upper);
            limit = limit.min(found.limit);
        }
        let bounds = ValueBounds { lower, upper };
        Ok((FoundBounds { bounds, limit: limit.max(lower) }, u32::MAX))
    }

    /// Searches all cells of rows and columns that are not dominated, whatever the window is.
    fn solve_cells(
        &mut self,
        node: SearchNode<'_>,
        level: &SearchLevel,
        joint: &[usize],
        cells: &mut [FoundBounds],
        columns: usize,
    ) -> Result<(), SearchStop> {
        let mut row_list: Vec<usize> = (0..cells.len() / columns).collect();
        let mut column_list: Vec<usize> = (0..columns).collect();
        let pessimistic: Vec<i64> = cells.iter().map(|cell| cell.bounds.lower).collect();
        let optimistic: Vec<i64> = cells.iter().map(|cell| cell.bounds.upper).collect();
        let matrix = Intervals { columns, pessimistic: &pessimistic, optimistic: &optimistic };
        self.search.pruner.prune(matrix, &mut row_list, &mut column_list);
        let whole = self.trivial();
        let window = SearchWindow { alpha: whole.lower - 1, beta: whole.upper + 1 };
        for &row in &row_list {
            for &column in &column_list {
                let at = row * columns + column;
                if !cells[at].bounds.is_closed() {
                    cells[at] = self.child(node, level, joint[at], window)?;
                }
            }
        }
        Ok(())
    }

    /// The Nash values of the matrices of bounds.
    fn solved(&mut self, cells: &[FoundBounds], rows: usize, columns: usize) -> FoundBounds {
        let shape = NodeShape::new([rows, columns].into_iter(), 0);
        let solver = &mut self.search.solver;
        let bounds = solver.bounds(shape, |at| cells[at].bounds);
        let limit =
            |at: usize| ValueBounds { lower: cells[at].bounds.lower, upper: cells[at].limit };
        FoundBounds { bounds, limit: solver.bounds(shape, limit).upper }
    }
}
