//! Coordinates: every vertex as near to its neighbours as the order of its column allows.
//!
//! For one column this has an exact solution. With the required distances subtracted, the problem
//! is to find the ascending numbers that are closest to the desired ones. Pooling solves it:
//! neighbours that would have to swap places stay together at their common mean.

use super::chains::Chains;
use super::graph::Graph;
use super::order::LayerOrder;

/// Rounds to the right and back.
const ROUNDS: usize = 10;

/// The minimum distance between two nodes of a column.
const NODE_GAP: f32 = 10.0;
/// The minimum distance of a bend from its neighbours.
const BEND_GAP: f32 = 7.0;

/// The weight of links between bends, which pull each other straight; links between nodes weigh 1.
const BEND_PULL: f32 = 8.0;
/// A vertex without neighbours stays roughly where it is.
const NO_PULL: f32 = 0.01;

/// The middle of each vertex from top to bottom.
pub(super) fn heights(
    graph: &Graph,
    chains: &Chains,
    columns: &LayerOrder,
    steps: &mut u64,
) -> Vec<f32> {
    let mut placement = Placement { graph, chains, y: vec![0.0; chains.layer.len()], steps: 0 };
    for column in columns {
        placement.stack(column);
    }
    for _ in 0..ROUNDS {
        for column in columns {
            placement.settle(column, &[&chains.left]);
        }
        for column in columns.iter().rev() {
            placement.settle(column, &[&chains.right]);
        }
        for column in columns {
            placement.settle(column, &[&chains.left, &chains.right]);
        }
    }
    let top = |vertex: usize| placement.y[vertex] - placement.height(vertex) / 2.0;
    let highest = (0..placement.y.len()).map(top).fold(f32::INFINITY, f32::min);
    *steps += placement.steps;
    placement.y.iter().map(|y| y - highest).collect()
}

struct Placement<'a> {
    graph: &'a Graph,
    chains: &'a Chains,
    y: Vec<f32>,
    steps: u64,
}

impl Placement<'_> {
    fn is_bend(&self, vertex: usize) -> bool {
        vertex >= self.chains.nodes
    }

    fn height(&self, vertex: usize) -> f32 {
        if self.is_bend(vertex) { 0.0 } else { self.graph.sizes[vertex].height }
    }

    /// The required distance between the middles of two adjacent vertices.
    fn distance(&self, above: usize, below: usize) -> f32 {
        let bend = self.is_bend(above) || self.is_bend(below);
        let gap = if bend { BEND_GAP } else { NODE_GAP };
        gap + (self.height(above) + self.height(below)) / 2.0
    }

    /// One below the other, around zero.
    fn stack(&mut self, column: &[usize]) {
        let mut y = 0.0;
        for (at, &vertex) in column.iter().enumerate() {
            if at > 0 {
                y += self.distance(column[at - 1], vertex);
            }
            self.y[vertex] = y;
        }
        for &vertex in column {
            self.y[vertex] -= y / 2.0;
        }
    }

    /// Moves a column as close to its neighbours as its order allows.
    fn settle(&mut self, column: &[usize], near: &[&Vec<Vec<usize>>]) {
        // Runs of adjacent vertices: desired position, weight and number.
        let mut runs: Vec<(f32, f32, usize)> = Vec::new();
        let mut offsets = Vec::with_capacity(column.len());
        let mut offset = 0.0;
        for (at, &vertex) in column.iter().enumerate() {
            if at > 0 {
                offset += self.distance(column[at - 1], vertex);
            }
            offsets.push(offset);
            let (wish, weight) = self.wish(vertex, near);
            let mut run = (wish - offset, weight, 1);
            while let Some(&(above, above_weight, count)) = runs.last()
                && above >= run.0
            {
                let weight = above_weight + run.1;
                let mean = (above * above_weight + run.0 * run.1) / weight;
                run = (mean, weight, count + run.2);
                runs.pop();
            }
            runs.push(run);
        }
        let places = runs.iter().flat_map(|&(place, _, count)| std::iter::repeat_n(place, count));
        for ((&vertex, offset), place) in column.iter().zip(offsets).zip(places) {
            self.y[vertex] = place + offset;
        }
    }

    /// The desired position of a vertex, and its weight.
    fn wish(&mut self, vertex: usize, near: &[&Vec<Vec<usize>>]) -> (f32, f32) {
        let (mut sum, mut weight) = (self.y[vertex] * NO_PULL, NO_PULL);
        for &other in near.iter().flat_map(|near| &near[vertex]) {
            let bends = self.is_bend(vertex) && self.is_bend(other);
            let pull = if bends { BEND_PULL } else { 1.0 };
            sum += self.y[other] * pull;
            weight += pull;
            self.steps += 1;
        }
        self.steps += 1;
        (sum / weight, weight)
    }
}
