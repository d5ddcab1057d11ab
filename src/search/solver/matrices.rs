//! Nodes in which two opponents choose at once: bounds as Nash values, and dominated moves.
//!
//! Sections 6.3 and 6.4 of the CadiaPlayer thesis; Saffidine, Finnsson and Buro 2012, "Alpha-Beta Pruning
//! for Games with Simultaneous Moves". The pessimistic bounds of all children are a matrix game P, the
//! optimistic ones a matrix game O; their values bound that of the node. Moves that are dominated
//! whatever the true values are need not be searched.

use propnet::game::Role;

use super::shared::GoalSum;
use crate::matrix::{Intervals, MatrixSolver, Pruner};
use crate::search::tree::{NodeId, PRUNED, SOLVED, ScoreRange, ScoreRanges, Tree};

/// The joint moves of the largest matrix that is solved; beyond, pure strategies have to do.
const MOST_ENTRIES: usize = 10_000;

/// Matrices of one node after the other, in the same memory.
#[derive(Default)]
pub(super) struct Matrices {
    solver: MatrixSolver,
    pruner: Pruner,
    pessimistic: Vec<i64>,
    optimistic: Vec<i64>,
    is_solved: Vec<bool>,
    /// Rows and columns that are not dominated, and the entries of those.
    rows: Vec<usize>,
    columns: Vec<usize>,
    part: Vec<i64>,
    /// The columns of the whole matrix.
    width: usize,
    solutions: u64,
}

/// Whether two opponents choose at once in an open node, and their moves are not too many.
pub(super) fn is_matrix(tree: &Tree, node: NodeId, sum: GoalSum) -> bool {
    let entries = || tree.span(node, 0).len().saturating_mul(tree.span(node, 1).len());
    sum != GoalSum::Varies && tree.chooser(node).is_none() && entries() <= MOST_ENTRIES
}

/// The bounds of a child that is not known.
const OPEN: [i64; 2] = [ScoreRange::ANY.lower as i64, ScoreRange::ANY.upper as i64];

impl Matrices {
    /// The linear programs that were solved so far, or what came instead of them.
    pub(super) fn solutions(&self) -> u64 {
        self.solutions + self.pruner.programs()
    }

    /// By role: the bounds of a node by its children.
    pub(super) fn ranges(&mut self, tree: &Tree, node: NodeId, sum: GoalSum) -> ScoreRanges {
        self.read(tree, node, 0);
        // What one role is not known to get the other may get: then one matrix is for both.
        if sum == GoalSum::Constant(OPEN[0] + OPEN[1]) {
            self.prune();
            let own = self.value();
            let others = ScoreRange {
                lower: ScoreRange::ANY.upper - own.upper,
                upper: ScoreRange::ANY.upper - own.lower,
            };
            return [own, others].into_iter().collect();
        }
        let first = self.value();
        self.read(tree, node, 1);
        let second = self.value();
        self.read(tree, node, 0);
        [first, second].into_iter().collect()
    }

    /// Reads both matrices of a node, where this role has the rows.
    fn read(&mut self, tree: &Tree, node: NodeId, role: Role) {
        let other = 1 - role;
        let [rows, columns] = [role, other].map(|role| tree.span(node, role).len());
        for (matrix, bound) in [&mut self.pessimistic, &mut self.optimistic].into_iter().zip(OPEN) {
            matrix.clear();
            matrix.resize(rows * columns, bound);
        }
        self.is_solved.clear();
        self.is_solved.resize(rows * columns, false);
        for link in tree.children(node) {
            let indices = tree.indices(node, &link);
            let at = indices[role] * columns + indices[other];
            let range = tree.range(link.child, role);
            self.pessimistic[at] = range.lower.into();
            self.optimistic[at] = range.upper.into();
            self.is_solved[at] = tree.is_solved(link.child);
        }
        let open = |role: Role, count: usize| {
            let flags = tree.flags(node, role);
            (0..count).filter(|&at| flags.get(at).is_none_or(|flags| flags & PRUNED == 0))
        };
        self.rows.clear();
        self.rows.extend(open(role, rows));
        self.columns.clear();
        self.columns.extend(open(other, columns));
        self.width = columns;
    }

    /// Leaves out rows and columns that are dominated.
    fn prune(&mut self) {
        let matrix = Intervals {
            columns: self.width,
            pessimistic: &self.pessimistic,
            optimistic: &self.optimistic,
        };
        self.pruner.prune(matrix, &mut self.rows, &mut self.columns);
    }

    /// The bounds of the row player.
    fn value(&mut self) -> ScoreRange {
        let Matrices { solver, rows, columns, part, width, .. } = self;
        let mut solve = |entries: &[i64]| {
            part.clear();
            for row in rows.iter() {
                part.extend(columns.iter().map(|column| entries[row * *width + column]));
            }
            let found = solver.solve(rows.len(), columns.len(), part);
            [found.lower, found.upper]
        };
        let [lower, _] = solve(&self.pessimistic);
        let [_, upper] = solve(&self.optimistic);
        self.solutions += 2;
        let bound = |value: i64| value.clamp(OPEN[0], OPEN[1]) as i32;
        ScoreRange { lower: bound(lower), upper: bound(upper) }
    }

    /// Flags the moves of the node that was just computed; how many became needless.
    pub(super) fn flag_moves(&self, tree: &mut Tree, node: NodeId) -> u64 {
        let mut pruned = 0;
        let is_row_solved = |&row: &usize| {
            self.columns.iter().all(|column| self.is_solved[row * self.width + column])
        };
        let is_column_solved =
            |&column: &usize| self.rows.iter().all(|row| self.is_solved[row * self.width + column]);
        let solved: [Vec<usize>; 2] = [
            self.rows.iter().copied().filter(is_row_solved).collect(),
            self.columns.iter().copied().filter(is_column_solved).collect(),
        ];
        for (role, open) in [&self.rows, &self.columns].into_iter().enumerate() {
            let flags = tree.flags_mut(node, role);
            let before = flags.iter().filter(|flags| **flags & PRUNED != 0).count();
            pruned += (flags.len() - open.len() - before) as u64;
            flags.fill(PRUNED);
            open.iter().for_each(|&at| flags[at] = 0);
            solved[role].iter().for_each(|&at| flags[at] = SOLVED);
        }
        pruned
    }

    /// A strategy by which a role secures the value of a node: weights of its moves.
    pub(super) fn strategy(&mut self, tree: &Tree, node: NodeId, role: Role) -> Vec<u64> {
        self.read(tree, node, role);
        let rows = self.pessimistic.len() / self.width;
        self.solver.solve(rows, self.width, &self.pessimistic).row_weights.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::matrix::POINT;

    /// The bounds of a matrix, given as pairs of points.
    fn value(width: usize, entries: &[[i64; 2]]) -> (Matrices, ScoreRange) {
        let mut matrices = Matrices {
            pessimistic: entries.iter().map(|entry| entry[0] * POINT).collect(),
            optimistic: entries.iter().map(|entry| entry[1] * POINT).collect(),
            rows: (0..entries.len() / width).collect(),
            columns: (0..width).collect(),
            width,
            ..Matrices::default()
        };
        matrices.prune();
        let value = matrices.value();
        (matrices, value)
    }

    #[test]
    fn an_upper_bound_is_known_before_a_column_is() {
        // Figure 6.2, game H: whatever the second column gives, the column player can play the first.
        let (_, found) = value(2, &[[40, 40], [0, 100], [30, 30], [0, 100]]);
        assert_eq!(found.points(), [0.0, 40.0]);
        // Matching pennies for 100 points, and one of its entries unknown.
        let (_, found) = value(2, &[[100, 100], [0, 0], [0, 0], [100, 100]]);
        assert_eq!(found.points(), [50.0, 50.0]);
        let (_, found) = value(2, &[[100, 100], [0, 0], [0, 0], [0, 100]]);
        assert_eq!(found.points(), [0.0, 50.0]);
    }

    #[test]
    fn a_dominated_move_is_left_out_before_all_is_known() {
        // The second row gets 20 at most, the first one 30 at least.
        let (found, _) = value(2, &[[30, 100], [30, 60], [0, 20], [10, 20]]);
        assert_eq!(found.rows, [0]);
    }

    #[test]
    fn one_row_or_one_column_is_minimax() {
        let mut rng = Pcg64::seed_from_u64(1);
        for _ in 0..500 {
            let count = rng.random_range(1..8);
            let entries: Vec<[i64; 2]> = (0..count)
                .map(|_| {
                    let lower = rng.random_range(0..=100);
                    [lower, rng.random_range(lower..=100)]
                })
                .collect();
            let bounds = |at: usize| entries.iter().map(move |entry| entry[at] as f64);
            let (_, most) = value(1, &entries);
            assert_eq!(most.points(), [0, 1].map(|at| bounds(at).fold(0.0, f64::max)));
            let (_, least) = value(count, &entries);
            assert_eq!(least.points(), [0, 1].map(|at| bounds(at).fold(100.0, f64::min)));
        }
    }
}
