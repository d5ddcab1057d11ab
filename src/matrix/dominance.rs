//! Saddle points, and rows and columns that a single other one dominates.

/// A row and a column that are best replies to each other; `None` if there are none.
pub(super) fn saddle_point(
    rows: usize,
    columns: usize,
    entries: &[i64],
    most: &mut Vec<i64>,
) -> Option<(usize, usize)> {
    most.clear();
    most.resize(columns, i64::MIN);
    let (mut maximin, mut best) = (i64::MIN, 0);
    for (row, entries) in entries.chunks_exact(columns).take(rows).enumerate() {
        let mut least = i64::MAX;
        for (most, &entry) in most.iter_mut().zip(entries) {
            least = least.min(entry);
            *most = entry.max(*most);
        }
        if least > maximin {
            (maximin, best) = (least, row);
        }
    }
    let column = most.iter().position(|&most| most == maximin)?;
    Some((best, column))
}

/// Takes out rows and columns that another one dominates weakly, in turn until nothing changes.
/// The value of the game stays the same.
pub(super) fn reduce(
    columns: usize,
    entries: &[i64],
    row_list: &mut Vec<usize>,
    column_list: &mut Vec<usize>,
) {
    loop {
        let at = |row: usize, column: usize| entries[row * columns + column];
        let columns_before = column_list.len();
        retain_undominated(row_list, |better, worse| {
            column_list.iter().all(|&column| at(better, column) >= at(worse, column))
        });
        retain_undominated(column_list, |better, worse| {
            row_list.iter().all(|&row| at(row, better) <= at(row, worse))
        });
        // Columns are compared after rows, so rows need another look only if columns were lost.
        if column_list.len() == columns_before {
            return;
        }
    }
}

/// Keeps what no other one that is still there dominates.
fn retain_undominated(list: &mut Vec<usize>, dominates: impl Fn(usize, usize) -> bool) {
    let mut at = 0;
    while at < list.len() {
        let worse = list[at];
        if list.iter().any(|&better| better != worse && dominates(better, worse)) {
            list.swap_remove(at);
        } else {
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saddle_points_are_found() {
        let mut most = Vec::new();
        assert_eq!(saddle_point(2, 2, &[3, 1, 4, 2], &mut most), Some((1, 1)));
        assert_eq!(saddle_point(2, 2, &[1, -1, -1, 1], &mut most), None);
        assert_eq!(saddle_point(1, 3, &[5, 2, 7], &mut most), Some((0, 1)));
        assert_eq!(saddle_point(3, 1, &[5, 2, 7], &mut most), Some((2, 0)));
    }

    #[test]
    fn dominated_rows_and_columns_go_in_turn() {
        // The last column is dominated by the first only when the last row is gone.
        let entries = [5, 0, 6, 0, 5, 1, 0, 0, 0];
        let (mut rows, mut columns) = (vec![0, 1, 2], vec![0, 1, 2]);
        reduce(3, &entries, &mut rows, &mut columns);
        assert_eq!((rows, columns), (vec![0, 1], vec![0, 1]));
    }

    #[test]
    fn one_of_equal_rows_is_kept() {
        let (mut rows, mut columns) = (vec![0, 1, 2], vec![0, 1]);
        reduce(2, &[1, 2, 1, 2, 1, 2], &mut rows, &mut columns);
        assert_eq!((rows.len(), columns), (1, vec![0]));
    }
}
