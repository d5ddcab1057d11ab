//! Matrix games with known values, and random ones judged by exact fractions and by microlp.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::rational;
use super::{Intervals, MatrixSolver, POINT, Pruner};

/// Entries in points, in units.
fn units(points: &[i64]) -> Vec<i64> {
    points.iter().map(|&points| points * POINT).collect()
}

/// The bounds and the probabilities of both players.
fn solve(rows: usize, columns: usize, points: &[i64]) -> (i64, i64, Vec<f64>, Vec<f64>) {
    let mut solver = MatrixSolver::new();
    let entries = units(points);
    let found = solver.solve(rows, columns, &entries);
    let shares = |weights: &[u64]| {
        let total = weights.iter().sum::<u64>() as f64;
        weights.iter().map(|&weight| weight as f64 / total).collect()
    };
    (found.lower, found.upper, shares(found.row_weights), shares(found.column_weights))
}

#[test]
fn known_games_have_their_values() {
    let half = vec![0.5, 0.5];
    let pennies = solve(2, 2, &[100, 0, 0, 100]);
    assert_eq!(pennies, (50 * POINT, 50 * POINT, half.clone(), half));
    let (lower, upper, row, column) = solve(3, 3, &[50, 0, 100, 100, 50, 0, 0, 100, 50]);
    assert_eq!((lower, upper), (50 * POINT, 50 * POINT), "rock-paper-scissors");
    assert_eq!((&row, &column), (&vec![1.0 / 3.0; 3], &vec![1.0 / 3.0; 3]));
    // Rock wins by 50 points, paper by 25, scissors by 5.
    let (lower, upper, row, column) = solve(3, 3, &[50, 25, 100, 75, 50, 45, 0, 55, 50]);
    assert_eq!((lower, upper), (50 * POINT, 50 * POINT), "biased rock-paper-scissors");
    assert_eq!((row, column), (vec![0.0625, 0.625, 0.3125], vec![0.0625, 0.625, 0.3125]));
    // A value that is no multiple of the unit: bounds to both sides of it.
    let (lower, upper, ..) = solve(3, 3, &[100, 0, 0, 0, 100, 0, 0, 0, 100]);
    assert_eq!((lower, upper), (100 * POINT / 3, 100 * POINT / 3 + 1));
}

#[test]
fn a_role_with_one_move_reduces_to_minimax() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for _ in 0..1000 {
        let len = random.random_range(1..=100);
        let entries: Vec<i64> = (0..len).map(|_| random.random_range(0..=100) * POINT).collect();
        let mut solver = MatrixSolver::new();
        let (least, most) = (entries.iter().min().copied(), entries.iter().max().copied());
        let found = solver.solve(1, len, &entries);
        assert_eq!((Some(found.lower), Some(found.upper)), (least, least));
        let found = solver.solve(len, 1, &entries);
        assert_eq!((Some(found.lower), Some(found.upper)), (most, most));
        // With exact entries one move is left, and it is one of the best.
        let (mut rows, mut columns) = ((0..len).collect(), vec![0]);
        let matrix = Intervals { columns: 1, pessimistic: &entries, optimistic: &entries };
        Pruner::new().prune(matrix, &mut rows, &mut columns);
        assert_eq!(
            rows.iter().map(|&row| entries[row]).collect::<Vec<_>>(),
            most.into_iter().collect::<Vec<_>>()
        );
    }
}

/// A matrix of a random kind: few values make ties and degenerate programs.
fn random_matrix(random: &mut impl Rng, most: usize) -> (usize, usize, Vec<i64>) {
    let (rows, columns) = (random.random_range(1..=most), random.random_range(1..=most));
    let range: i64 = [1, 2, 4, 10, 100][random.random_range(0..5)];
    let sparse = random.random_bool(0.3);
    let entry =
        |_| if sparse && random.random_bool(0.6) { 0 } else { random.random_range(0..=range) };
    (rows, columns, (0..rows * columns).map(entry).collect())
}

#[test]
fn random_matrices_agree_with_exact_fractions() {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut solver = MatrixSolver::new();
    let (mut judged, mut closed) = (0, 0);
    while judged < 10_000 {
        let (rows, columns, points) = random_matrix(&mut random, 6);
        // Numbers of the judge may grow too large; it says so.
        let Some((above, below)) = rational::value(rows, columns, &points) else { continue };
        judged += 1;
        let entries = units(&points);
        let found = solver.solve(rows, columns, &entries);
        let (lower, upper) = (i128::from(found.lower), i128::from(found.upper));
        let value = above * i128::from(POINT);
        assert!(lower * below <= value && value <= upper * below, "{rows} x {columns}: {points:?}");
        assert!(upper - lower <= 2, "{rows} x {columns}: {points:?}: {lower} to {upper}");
        closed += usize::from(upper - lower <= 1);
    }
    assert!(closed > 9_900, "as close as units allow: {closed}");
}

/// The value by another program.
fn by_microlp(rows: usize, columns: usize, points: &[i64]) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let variables: Vec<_> =
        (0..columns).map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
    for row in 0..rows {
        let entries = &points[row * columns..(row + 1) * columns];
        let terms =
            variables.iter().zip(entries).map(|(&variable, &entry)| (variable, (entry + 1) as f64));
        problem.add_constraint(terms.collect::<Vec<_>>(), ComparisonOp::Le, 1.0);
    }
    match problem.solve() {
        Ok(SolveOutcome::Solution(solution)) => 1.0 / solution.objective() - 1.0,
        other => panic!("a bounded program is solved: {other:?}"),
    }
}

#[test]
fn larger_matrices_agree_with_microlp() {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let mut solver = MatrixSolver::new();
    let mut check = |rows: usize, columns: usize, points: &[i64]| {
        let entries = units(points);
        let found = solver.solve(rows, columns, &entries);
        assert!(found.upper - found.lower <= 2, "{rows} x {columns}: {found:?}");
        let (value, point) = (by_microlp(rows, columns, points), POINT as f64);
        let (lower, upper) = (found.lower as f64 / point, found.upper as f64 / point);
        assert!(lower - 1e-6 < value && value < upper + 1e-6, "{lower} to {upper}, not {value}");
    };
    for _ in 0..500 {
        let (rows, columns, points) = random_matrix(&mut random, 13);
        check(rows, columns, &points);
    }
    let mut points = |rows: usize, columns: usize, most: i64| -> Vec<i64> {
        (0..rows * columns).map(|_| random.random_range(0..=most)).collect()
    };
    for (rows, columns) in [(100, 100), (1, 100), (100, 1), (2, 100), (100, 3), (60, 100)] {
        check(rows, columns, &points(rows, columns, 100));
        check(rows, columns, &points(rows, columns, 1));
    }
}

#[test]
fn degenerate_matrices_are_solved() {
    let equal = solve(4, 5, &[7; 20]);
    assert_eq!((equal.0, equal.1), (7 * POINT, 7 * POINT));
    // A hundred coins to guess among: each is the right one as often as the others.
    let mut guess = vec![0; 10_000];
    (0..100).for_each(|at| guess[at * 101] = 100);
    let (lower, upper, row, _) = solve(100, 100, &guess);
    assert!(lower <= POINT && POINT <= upper && upper - lower <= 2);
    assert!(row.iter().all(|share| (share - 0.01).abs() < 1e-9));
    // A magic square: every mix of equal shares is optimal, and much else.
    let (lower, upper, ..) = solve(4, 4, &[16, 3, 2, 13, 5, 10, 11, 8, 9, 6, 7, 12, 4, 15, 14, 1]);
    assert!(2 * lower <= 17 * POINT && 17 * POINT <= 2 * upper && upper - lower <= 1);
    // Goals below zero, and far above a hundred.
    let (lower, upper, ..) = solve(2, 2, &[i64::from(i32::MAX), -5, i64::from(i32::MIN), 5]);
    assert!(lower < upper + 1 && upper - lower <= 1 && lower > -5 * POINT && upper < 5 * POINT);
}

#[test]
fn the_example_of_figure_6_2_prunes_as_described() {
    // H: the column of 40 and 30 is known, the other is not.
    let (pessimistic, optimistic) = (units(&[40, 0, 30, 0]), units(&[40, 100, 30, 100]));
    let mut solver = MatrixSolver::new();
    let upper = solver.solve(2, 2, &optimistic).upper;
    let lower = solver.solve(2, 2, &pessimistic).lower;
    assert_eq!((lower, upper), (0, 40 * POINT), "40 is an upper bound of H");
    // G: 50, or H, which is never chosen.
    let (pessimistic, optimistic) = ([50 * POINT, lower], [50 * POINT, upper]);
    let matrix = Intervals { columns: 1, pessimistic: &pessimistic, optimistic: &optimistic };
    let (mut rows, mut columns) = (vec![0, 1], vec![0]);
    assert!(Pruner::new().prune(matrix, &mut rows, &mut columns));
    assert_eq!((rows, columns), (vec![0], vec![0]));
    // If 60 were known instead of 40, H could be better.
    let optimistic = [50 * POINT, 60 * POINT];
    let matrix = Intervals { columns: 1, pessimistic: &pessimistic, optimistic: &optimistic };
    assert!(!Pruner::new().prune(matrix, &mut vec![0, 1], &mut vec![0]));
}

#[test]
fn a_mix_dominates_what_no_single_row_does() {
    let prune = |middle: i64| {
        let entries = units(&[100, 0, 0, 100, middle, middle]);
        let matrix = Intervals { columns: 2, pessimistic: &entries, optimistic: &entries };
        let (mut rows, mut columns) = (vec![0, 1, 2], vec![0, 1]);
        Pruner::new().prune(matrix, &mut rows, &mut columns);
        (rows, columns)
    };
    assert_eq!(prune(50), (vec![0, 1], vec![0, 1]));
    assert_eq!(prune(51), (vec![0, 1, 2], vec![0, 1]), "no mix gets 51 in both columns");
}

#[test]
fn pruning_never_changes_the_value() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let mut pruner = Pruner::new();
    let mut pruned = 0;
    for _ in 0..3000 {
        let (rows, columns, points) = random_matrix(&mut random, 5);
        // Bounds around the true entries, some of them exact, some trivial.
        let slack: Vec<(i64, i64)> = points
            .iter()
            .map(|&point| match random.random_range(0..4) {
                0 => (0, 100),
                1 => (point - random.random_range(0..=2), point + random.random_range(0..=2)),
                _ => (point, point),
            })
            .collect();
        let (pessimistic, optimistic): (Vec<i64>, Vec<i64>) = slack.into_iter().unzip();
        let matrix = Intervals { columns, pessimistic: &pessimistic, optimistic: &optimistic };
        let (mut row_list, mut column_list) = ((0..rows).collect(), (0..columns).collect());
        pruned += usize::from(pruner.prune(matrix, &mut row_list, &mut column_list));
        let left: Vec<i64> = row_list
            .iter()
            .flat_map(|row| column_list.iter().map(move |column| row * columns + column))
            .map(|at| points[at])
            .collect();
        let whole = rational::value(rows, columns, &points).expect("small numbers");
        let rest =
            rational::value(row_list.len(), column_list.len(), &left).expect("small numbers");
        assert_eq!(whole.0 * rest.1, rest.0 * whole.1, "{rows} x {columns}: {points:?}");
    }
    assert!(pruned > 1000, "{pruned} matrices lost rows or columns");
    assert!(pruner.programs() > 100, "some needed linear programs");
}
