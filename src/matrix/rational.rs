//! The exact value of a matrix game, for tests: a simplex in whole numbers.
//!
//! Edmonds' integer pivoting: all entries of the tableau have one common denominator, the previous
//! pivot, and every division by it leaves no rest. Bland's rule, so it ends.

/// A fraction that is the value of the game; entries may have any sign. `None` if numbers grow
/// beyond 128 bits.
pub(super) fn value(rows: usize, columns: usize, entries: &[i64]) -> Option<(i128, i128)> {
    let least = i128::from(*entries.iter().min()?);
    let width = columns + 1;
    let mut tableau: Vec<Vec<i128>> = entries
        .chunks(columns)
        .map(|row| row.iter().map(|&entry| i128::from(entry) - least + 1).chain([1]).collect())
        .collect();
    tableau.push((0..width).map(|column| if column < columns { -1 } else { 0 }).collect());
    let mut row_variables: Vec<usize> = (columns..columns + rows).collect();
    let mut column_variables: Vec<usize> = (0..columns).collect();
    let mut denominator = 1i128;
    loop {
        let improving = (0..columns).filter(|&column| tableau[rows][column] < 0);
        let Some(column) = improving.min_by_key(|&column| column_variables[column]) else {
            // The sum of the strategy is one over the value.
            let sum = tableau[rows][columns];
            return Some((denominator + (least - 1) * sum, sum));
        };
        let mut leaving: Option<usize> = None;
        for row in (0..rows).filter(|&row| tableau[row][column] > 0) {
            let is_better = match leaving {
                None => true,
                Some(other) => {
                    let own = tableau[row][columns].checked_mul(tableau[other][column])?;
                    let others = tableau[other][columns].checked_mul(tableau[row][column])?;
                    (own, row_variables[row]) < (others, row_variables[other])
                }
            };
            leaving = if is_better { Some(row) } else { leaving };
        }
        let row = leaving.expect("the value is above zero, so the program is bounded");
        let pivot = tableau[row][column];
        let own = tableau[row].clone();
        for (at, other) in tableau.iter_mut().enumerate().filter(|(at, _)| *at != row) {
            let factor = other[column];
            for (entry, own) in other.iter_mut().zip(&own) {
                let scaled = entry.checked_mul(pivot)?.checked_sub(factor.checked_mul(*own)?)?;
                assert_eq!(scaled % denominator, 0, "row {at}: the division leaves no rest");
                *entry = scaled / denominator;
            }
            other[column] = -factor;
        }
        tableau[row][column] = denominator;
        denominator = pivot;
        std::mem::swap(&mut row_variables[row], &mut column_variables[column]);
    }
}

#[test]
fn known_values_are_found() {
    assert_eq!(value(2, 2, &[1, -1, -1, 1]).map(|(above, _)| above), Some(0));
    let (above, below) = value(2, 2, &[3, 0, 0, 1]).expect("small numbers");
    assert_eq!(above * 4, below * 3);
    let (above, below) = value(1, 3, &[4, 2, 9]).expect("small numbers");
    assert_eq!(above, 2 * below);
}
