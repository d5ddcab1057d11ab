//! The value of one state for one role against all others, from the values of the states after it.

use crate::matrix::{MatrixSolver, SAME};

/// What is proven about a value, in units of [`crate::matrix::POINT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    /// It is at least this.
    pub lower: i64,
    /// It is at most this.
    pub upper: i64,
}

impl ValueBounds {
    /// A value that is known.
    pub fn exactly(value: i64) -> Self {
        ValueBounds { lower: value, upper: value }
    }

    /// Whether the bounds are one value: as close as rounding lets them come.
    pub fn is_closed(&self) -> bool {
        self.upper - self.lower <= SAME
    }
}

/// How the joint moves of a state are a matrix for one role: its own moves are the rows, and the
/// joint moves of all others the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeShape {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// How many joint moves differ only in the moves of the roles after it.
    stride: usize,
}

impl NodeShape {
    /// From the number of legal moves of each role.
    pub(super) fn new(counts: impl Iterator<Item = usize>, role: usize) -> Self {
        let (mut rows, mut columns, mut stride) = (1, 1, 1);
        for (other, count) in counts.enumerate() {
            match other == role {
                true => (rows, stride) = (count, 1),
                false => (columns, stride) = (columns * count, stride * count),
            }
        }
        NodeShape { rows, columns, stride }
    }

    /// The number of the joint move in a row and a column.
    pub(super) fn joint(&self, row: usize, column: usize) -> usize {
        let (before, after) = (column / self.stride, column % self.stride);
        (before * self.rows + row) * self.stride + after
    }
}

/// Values of states, one after the other in the same memory.
#[derive(Default)]
pub(super) struct NodeSolver {
    matrix: MatrixSolver,
    lower: Vec<i64>,
    upper: Vec<i64>,
    /// Matrices in which both sides had a choice.
    pub(super) matrices: u64,
}

/// Strategies that secure the bounds of a state: weights of the rows, and of the columns.
pub(super) struct NodeStrategies {
    pub(super) rows: Vec<u64>,
    pub(super) columns: Vec<u64>,
}

impl NodeSolver {
    /// The bounds of a state, given those of the states after it by the number of the joint move. If
    /// one side has a single move this is minimax; otherwise it is the Nash value of the matrix
    /// (section 6.3 of the thesis).
    pub(super) fn bounds(
        &mut self,
        shape: NodeShape,
        child: impl Fn(usize) -> ValueBounds,
    ) -> ValueBounds {
        if shape.rows == 1 || shape.columns == 1 {
            let children = (0..shape.rows * shape.columns).map(child);
            let pick = if shape.columns == 1 { i64::max } else { i64::min };
            let best = children.reduce(|one, other| ValueBounds {
                lower: pick(one.lower, other.lower),
                upper: pick(one.upper, other.upper),
            });
            return best.expect("a state that is not over has joint moves");
        }
        self.fill(shape, child);
        self.matrices += 1;
        let found = self.matrix.solve(shape.rows, shape.columns, &self.lower);
        let (lower, upper) = (found.lower, found.upper);
        if self.lower == self.upper {
            return ValueBounds { lower, upper };
        }
        let upper = self.matrix.solve(shape.rows, shape.columns, &self.upper).upper;
        ValueBounds { lower, upper }
    }

    /// Strategies: the rows' secures the lower bound, the columns' the upper one.
    pub(super) fn strategies(
        &mut self,
        shape: NodeShape,
        child: impl Fn(usize) -> ValueBounds,
    ) -> NodeStrategies {
        self.fill(shape, child);
        let found = self.matrix.solve(shape.rows, shape.columns, &self.lower);
        let rows = found.row_weights.to_vec();
        let found = self.matrix.solve(shape.rows, shape.columns, &self.upper);
        NodeStrategies { rows, columns: found.column_weights.to_vec() }
    }

    fn fill(&mut self, shape: NodeShape, child: impl Fn(usize) -> ValueBounds) {
        self.lower.clear();
        self.upper.clear();
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                let bounds = child(shape.joint(row, column));
                self.lower.push(bounds.lower);
                self.upper.push(bounds.upper);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::POINT;

    #[test]
    fn every_joint_move_has_its_place_in_the_matrix_of_each_role() {
        let counts = [2, 3, 4];
        for role in 0..3 {
            let shape = NodeShape::new(counts.into_iter(), role);
            assert_eq!((shape.rows, shape.rows * shape.columns), (counts[role], 24));
            let mut seen = [false; 24];
            for row in 0..shape.rows {
                for column in 0..shape.columns {
                    let joint = shape.joint(row, column);
                    let own = [joint / 12, joint / 4 % 3, joint % 4][role];
                    assert_eq!(own, row);
                    seen[joint] = true;
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn with_a_single_move_on_one_side_a_matrix_is_minimax() {
        let values = [3, 9, 4, 1].map(|value| ValueBounds::exactly(value * POINT));
        let mut solver = NodeSolver::default();
        let rows = NodeShape::new([4, 1].into_iter(), 0);
        assert_eq!(solver.bounds(rows, |at| values[at]), values[1]);
        let columns = NodeShape::new([4, 1].into_iter(), 1);
        assert_eq!(solver.bounds(columns, |at| values[at]), values[3]);
        assert_eq!(solver.matrices, 0);
        for (shape, best) in [(rows, 1), (columns, 3)] {
            let found = solver.strategies(shape, |at| values[at]);
            let chosen = if shape.rows > 1 { found.rows } else { found.columns };
            let expected: Vec<u64> = (0..4).map(|at| u64::from(at == best)).collect();
            assert_eq!(chosen, expected);
        }
    }
}
