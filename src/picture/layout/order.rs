//! The order of a column from top to bottom: each vertex near the middle of its neighbours, with as
//! few crossings as a few rounds achieve.
//!
//! The barycentre heuristic: Sugiyama, Tagawa and Toda 1981.

use super::chains::Chains;

/// Rounds to the right and back. More rounds rarely improve the order.
const ROUNDS: usize = 12;

/// Columns of vertices from top to bottom.
pub(super) type LayerOrder = Vec<Vec<usize>>;

/// Orders the columns; `steps` counts the vertices and links looked at.
pub(super) fn order(chains: &Chains, steps: &mut u64) -> LayerOrder {
    let mut columns = first_order(chains);
    let mut position = vec![0; chains.layer.len()];
    for column in &columns {
        note(column, &mut position);
    }
    let mut best = columns.clone();
    let mut fewest = crossings(chains, &columns, &position, steps);
    for _ in 0..ROUNDS {
        for column in columns.iter_mut().skip(1) {
            sort_by_middle(column, &chains.left, &mut position, steps);
        }
        for column in columns.iter_mut().rev().skip(1) {
            sort_by_middle(column, &chains.right, &mut position, steps);
        }
        let found = crossings(chains, &columns, &position, steps);
        if found < fewest {
            fewest = found;
            best.clone_from(&columns);
        }
        if fewest == 0 {
            break;
        }
    }
    best
}

/// Depth first along the links, so that connected vertices start out together.
fn first_order(chains: &Chains) -> LayerOrder {
    let mut columns = vec![Vec::new(); chains.columns()];
    let mut seen = vec![false; chains.layer.len()];
    for start in 0..seen.len() {
        let mut stack = vec![start];
        while let Some(vertex) = stack.pop() {
            if std::mem::replace(&mut seen[vertex], true) {
                continue;
            }
            columns[chains.layer[vertex]].push(vertex);
            let near = chains.right[vertex].iter().chain(&chains.left[vertex]);
            stack.extend(near.copied().filter(|&vertex| !seen[vertex]).rev());
        }
    }
    columns
}

fn note(column: &[usize], position: &mut [usize]) {
    for (at, &vertex) in column.iter().enumerate() {
        position[vertex] = at;
    }
}

/// Vertices without neighbours on that side keep their place among the others.
fn sort_by_middle(
    column: &mut [usize],
    near: &[Vec<usize>],
    position: &mut [usize],
    steps: &mut u64,
) {
    let middle = |vertex: usize| {
        let near = &near[vertex];
        match near.len() {
            0 => position[vertex] as f32,
            count => near.iter().map(|&other| position[other] as f32).sum::<f32>() / count as f32,
        }
    };
    let mut keyed: Vec<(f32, usize)> = column.iter().map(|&v| (middle(v), v)).collect();
    *steps += column.iter().map(|&vertex| 1 + near[vertex].len() as u64).sum::<u64>();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (place, (_, vertex)) in column.iter_mut().zip(keyed) {
        *place = vertex;
    }
    note(column, position);
}

/// The number of pairs of links that cross: for each pair of neighbouring columns, the inversions
/// between the order of left ends and the order of right ends, counted with a tree of sums.
fn crossings(chains: &Chains, columns: &LayerOrder, position: &[usize], steps: &mut u64) -> u64 {
    let mut total = 0;
    for pair in columns.windows(2) {
        let mut sums = vec![0u64; pair[1].len() + 1];
        let mut passed = 0;
        let mut ends = Vec::new();
        for &vertex in &pair[0] {
            ends.clear();
            ends.extend(chains.right[vertex].iter().map(|&right| position[right]));
            *steps += 1 + ends.len() as u64;
            for &end in &ends {
                total += passed - sum_up_to(&sums, end + 1);
            }
            for &end in &ends {
                add_at(&mut sums, end + 1);
                passed += 1;
            }
        }
    }
    total
}

fn sum_up_to(sums: &[u64], mut at: usize) -> u64 {
    let mut sum = 0;
    while at > 0 {
        sum += sums[at];
        at &= at - 1;
    }
    sum
}

fn add_at(sums: &mut [u64], mut at: usize) {
    while at < sums.len() {
        sums[at] += 1;
        at += at & at.wrapping_neg();
    }
}
