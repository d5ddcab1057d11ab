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

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A cell by its place in its row, and its row.
pub(super) type HexPlace = (usize, usize);

/// The horizontal position of each cell, in half cells, if the links between the cells are those of
/// hexagons. Links between cells that are further apart, such as jumps, are ignored.
pub(super) fn positions(cells: &[HexPlace], links: &[(usize, usize)]) -> Option<Vec<i32>> {
    let near = near(cells, links);
    if !near.iter().any(|near| near.len() == 6) {
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
