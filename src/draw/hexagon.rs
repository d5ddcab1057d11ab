//! Cells that touch six others -> their positions, row by row.
//!
//! In a row of hexagons, each cell touches the cells beside it and two in the row above, half a
//! cell to the left and to the right. So positions follow from which cells touch:
//!
//! ```text
//!  b c      b and c are half a cell left and right of a;
//! d a e     d and e are a whole cell left and right of it
//!  f g
//! ```
//!
//! Where pieces only go up, as in races over a star, no link leads along a row. Then the two cells
//! above are beside each other in their row; on squares, diagonals leave one between them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A cell by its place in its row, and its row.
pub(super) type HexPlace = (usize, usize);

/// The horizontal position of each cell, in half cells, if the links between the cells are those of
/// hexagons. Links between cells that are further apart, such as jumps, are ignored.
pub(super) fn positions(cells: &[HexPlace], links: &[(usize, usize)]) -> Option<Vec<i32>> {
    let near = near(cells, links);
    if !near.iter().any(|near| near.len() == 6) && !is_staggered(cells, &near) {
        return None;
    }
    let mut steps: Vec<Vec<(usize, i32)>> = vec![Vec::new(); cells.len()];
    for (cell, near) in near.iter().enumerate() {
        let (order, row) = cells[cell];
        let mut by_row: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &other in near {
            by_row.entry(cells[other].1).or_default().push(other);
        }
        for (other_row, mut others) in by_row {
            others.sort_by_key(|&other| cells[other].0);
            match others[..] {
                _ if other_row == row && others.len() <= 2 => {
                    for other in others {
                        let right = if cells[other].0 > order { 2 } else { -2 };
                        steps[cell].push((other, right));
                    }
                }
                [left, right] => {
                    for (other, by) in [(left, -1), (right, 1)] {
                        steps[cell].push((other, by));
                        steps[other].push((cell, -by));
                    }
                }
                [_] => {}
                _ => return None,
            }
        }
    }
    let found = walked(&steps)?;
    let fits = |(cell, near): (usize, &BTreeSet<usize>)| {
        near.iter().all(|&other| {
            let wanted = if cells[other].1 == cells[cell].1 { 2 } else { 1 };
            (found[other] - found[cell]).abs() == wanted
        })
    };
    near.iter().enumerate().all(fits).then_some(found)
}

/// For each cell: the cells it touches in its own row and in the next one.
fn near(cells: &[HexPlace], links: &[(usize, usize)]) -> Vec<BTreeSet<usize>> {
    let apart = |&(one, two): &(usize, usize)| {
        (cells[one].0.abs_diff(cells[two].0), cells[one].1.abs_diff(cells[two].1))
    };
    let within_row = links.iter().map(apart).filter(|&(orders, rows)| rows == 0 && orders > 0);
    let shortest = within_row.map(|(orders, _)| orders).min().unwrap_or(0);
    let mut near = vec![BTreeSet::new(); cells.len()];
    for link in links {
        let (orders, rows) = apart(link);
        if rows == 1 || rows == 0 && orders == shortest && orders > 0 {
            near[link.0].insert(link.1);
            near[link.1].insert(link.0);
        }
    }
    near
}

/// Whether cells touch two neighbours in the rows above and below, and none in their own. Rows of the
/// same cells may be squares all the same, with pieces that go up straight and to one side.
fn is_staggered(cells: &[HexPlace], near: &[BTreeSet<usize>]) -> bool {
    let mut rows: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &(order, row) in cells {
        rows.entry(row).or_default().insert(order);
    }
    let differ = rows.values().collect::<BTreeSet<_>>().len() > 1;
    let touch = |(cell, near): (usize, &BTreeSet<usize>)| {
        let orders_in = |row: Option<usize>| -> Vec<usize> {
            let there = near.iter().filter(|&&other| Some(cells[other].1) == row);
            there.map(|&other| cells[other].0).collect()
        };
        let row = cells[cell].1;
        let beside = |row: Option<usize>| match orders_in(row)[..] {
            [one, two] => one.abs_diff(two) == 1,
            [_] | [] => true,
            _ => false,
        };
        orders_in(Some(row)).is_empty() && beside(row.checked_sub(1)) && beside(Some(row + 1))
    };
    differ && near.iter().any(|near| near.len() == 4) && near.iter().enumerate().all(touch)
}

/// The positions of all cells, computed from the steps between them; none if some cell cannot be
/// reached.
fn walked(steps: &[Vec<(usize, i32)>]) -> Option<Vec<i32>> {
    let mut found: Vec<Option<i32>> = vec![None; steps.len()];
    *found.first_mut()? = Some(0);
    let mut queue = VecDeque::from([(0, 0)]);
    while let Some((cell, at)) = queue.pop_front() {
        for &(other, by) in &steps[cell] {
            if found[other].is_none() {
                found[other] = Some(at + by);
                queue.push_back((other, at + by));
            }
        }
    }
    let found: Vec<i32> = found.into_iter().collect::<Option<_>>()?;
    let least = found.iter().copied().min()?;
    Some(found.into_iter().map(|at| at - least).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links from each cell of a grid by these offsets.
    fn grid(side: usize, offsets: &[(i32, i32)]) -> (Vec<HexPlace>, Vec<(usize, usize)>) {
        let cells: Vec<HexPlace> =
            (0..side).flat_map(|row| (0..side).map(move |order| (order, row))).collect();
        let find = |order: i32, row: i32| {
            cells.iter().position(|&cell| (cell.0 as i32, cell.1 as i32) == (order, row))
        };
        let link = |at: usize| {
            let (order, row) = (cells[at].0 as i32, cells[at].1 as i32);
            let others = offsets.iter().filter_map(move |by| find(order + by.0, row + by.1));
            others.map(move |other| (at, other)).collect::<Vec<_>>()
        };
        let links = (0..cells.len()).flat_map(link).collect();
        (cells, links)
    }

    #[test]
    fn a_rhombus_is_slanted() {
        let (cells, links) = grid(4, &[(1, 0), (0, 1), (1, -1)]);
        let found = positions(&cells, &links).expect("hexagons");
        let expected: Vec<i32> =
            cells.iter().map(|&(order, row)| (2 * order + row) as i32).collect();
        assert_eq!(found, expected);
        let (cells, links) = grid(4, &[(1, 0), (0, 1), (1, 1), (2, 0), (2, 2)]);
        let found = positions(&cells, &links).expect("hexagons, and jumps");
        assert_eq!(found[0] - found[4], 1);
    }

    /// A diamond whose rows have names of their own: a1, b1, b2, and so on.
    #[test]
    fn rows_that_are_only_climbed_are_staggered() {
        let rows: [&[usize]; 5] = [&[1], &[1, 2], &[3, 4, 5], &[2, 3], &[7]];
        let cells: Vec<HexPlace> = rows
            .iter()
            .enumerate()
            .flat_map(|(row, orders)| orders.iter().map(move |&order| (order, row)))
            .collect();
        let links =
            [(0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (2, 5), (3, 6), (4, 6), (4, 7), (5, 7)];
        let links: Vec<_> = links.into_iter().chain([(6, 8), (7, 8), (0, 4)]).collect();
        assert_eq!(positions(&cells, &links), Some(vec![2, 1, 3, 0, 2, 4, 1, 3, 2]));
        // The same links between rows of the same cells may be those of squares.
        let (cells, links) = grid(5, &[(0, 1), (1, 1)]);
        assert_eq!(positions(&cells, &links), None);
    }

    #[test]
    fn squares_are_not() {
        for offsets in [
            &[(1, 0), (0, 1)][..],
            &[(1, 0), (0, 1), (1, 1), (1, -1)],
            &[(1, 1), (1, -1)],
            &[(0, 1), (1, 1), (-1, 1)],
            &[],
        ] {
            let (cells, links) = grid(5, offsets);
            assert_eq!(positions(&cells, &links), None, "{offsets:?}");
        }
    }
}
