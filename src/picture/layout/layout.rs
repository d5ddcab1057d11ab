//! A graph -> the positions of its nodes and edges.
//!
//! Layered drawing: Sugiyama, Tagawa and Toda 1981. Layers, then the order within each, then
//! heights.

use super::chains::{Chains, chains};
use super::graph::{Graph, GraphEdge, GraphLayout, NodeSize, Point, TooManyBends};
use super::layers::layers;
use super::order::{LayerOrder, order};
use super::place::heights;

/// The minimum distance between columns.
const COLUMN_GAP: f32 = 44.0;
/// The maximum distance between columns.
const WIDEST_GAP: f32 = 160.0;
/// How far outside the column a wire turns back.
const TURN: f32 = 16.0;

/// Lays out a graph in columns, wires from left to right except those that close cycles.
pub fn layout(graph: &Graph) -> Result<GraphLayout, TooManyBends> {
    let layers = layers(graph);
    let chains = chains(graph, &layers)?;
    let mut steps = (graph.sizes.len() + graph.edges.len()) as u64;
    let columns = order(&chains, &mut steps);
    let y = heights(graph, &chains, &columns, &mut steps);
    let (spans, width) = column_spans(graph, &chains, &columns, &y);
    let corners = corners(graph, &chains, &spans, &y);
    let routes = routes(graph, &chains, &spans, &y, &corners);
    let bottom = |node: usize| corners[node].y + graph.sizes[node].height;
    let nodes = (0..chains.nodes).map(bottom);
    let bends = y[chains.nodes..].iter().copied();
    let height = nodes.chain(bends).fold(0.0, f32::max);
    let size = NodeSize { width, height };
    Ok(GraphLayout { corners, routes, is_back: layers.is_back, size, steps })
}

/// Where each column begins and ends, and where the last one ends. Columns are further apart where
/// wires between them climb far.
fn column_spans(
    graph: &Graph,
    chains: &Chains,
    columns: &LayerOrder,
    y: &[f32],
) -> (Vec<(f32, f32)>, f32) {
    let mut x = 0.0;
    let mut end = 0.0;
    let mut spans = Vec::with_capacity(columns.len());
    for column in columns {
        let widths = column.iter().filter(|&&vertex| vertex < chains.nodes);
        let width = widths.map(|&node| graph.sizes[node].width).fold(0.0, f32::max);
        spans.push((x, x + width));
        end = x + width;
        let climbs = column.iter().flat_map(|&vertex| {
            chains.right[vertex].iter().map(move |&right| (y[right] - y[vertex]).abs())
        });
        let steepest = climbs.fold(0.0, f32::max);
        x = end + (COLUMN_GAP + steepest / 8.0).min(WIDEST_GAP);
    }
    (spans, end)
}

/// Nodes are in the middle of their column. A node without incoming wires is at its right, and a
/// node without outgoing wires at its left, next to its wires.
fn corners(graph: &Graph, chains: &Chains, spans: &[(f32, f32)], y: &[f32]) -> Vec<Point> {
    let corner = |(node, size): (usize, &NodeSize)| {
        let (left, right) = spans[chains.layer[node]];
        let room = right - left - size.width;
        let share = match (chains.left[node].is_empty(), chains.right[node].is_empty()) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => 0.5,
        };
        Point { x: left + room * share, y: y[node] - size.height / 2.0 }
    };
    graph.sizes.iter().enumerate().map(corner).collect()
}

fn routes(
    graph: &Graph,
    chains: &Chains,
    spans: &[(f32, f32)],
    y: &[f32],
    corners: &[Point],
) -> Vec<Vec<Point>> {
    let arrivals = arrivals(graph, chains, y);
    let route = |(at, edge): (usize, &GraphEdge)| {
        let (from, to) = (chains.layer[edge.from], chains.layer[edge.to]);
        let out = |x| Point { x, y: y[edge.from] };
        let into = |x| Point { x, y: arrivals[at] };
        // Horizontal up to the border of the column, so that no wire crosses a node beside its own.
        let start = [out(corners[edge.from].x + graph.sizes[edge.from].width), out(spans[from].1)];
        let end = [into(spans[to].0), into(corners[edge.to].x)];
        let back = from >= to;
        let bends = &chains.bends[at];
        // The turns of a wire that runs backwards lie beside its ends, not in a column.
        let crossed = if back { &bends[1..bends.len() - 1] } else { &bends[..] };
        let crossed = crossed.iter().flat_map(|&bend| {
            let (left, right) = spans[chains.layer[bend]];
            let passage = if back { [right, left] } else { [left, right] };
            passage.map(|x| Point { x, y: y[bend] })
        });
        let mut points: Vec<Point> = start.into_iter().chain(crossed).chain(end).collect();
        if back {
            add_turns(&mut points);
        } else {
            points.dedup();
        }
        points
    };
    graph.edges.iter().enumerate().map(route).collect()
}

/// Where a wire turns back: halfway between the node and the part that runs backwards.
fn add_turns(points: &mut Vec<Point>) {
    let halfway = |a: Point, b: Point| (a.y + b.y) / 2.0;
    let last = points.len() - 2;
    let right = Point { x: points[1].x + TURN, y: halfway(points[1], points[2]) };
    let left = Point { x: points[last].x - TURN, y: halfway(points[last], points[last - 1]) };
    points.insert(last, left);
    points.insert(2, right);
}

/// Where each wire meets the left side of its node: one below the other, in the order in which they
/// arrive.
fn arrivals(graph: &Graph, chains: &Chains, y: &[f32]) -> Vec<f32> {
    let mut arriving: Vec<Vec<usize>> = vec![Vec::new(); chains.nodes];
    for (at, edge) in graph.edges.iter().enumerate() {
        arriving[edge.to].push(at);
    }
    let mut arrivals = vec![0.0; graph.edges.len()];
    for (node, mut edges) in arriving.into_iter().enumerate() {
        let last = |edge: usize| *chains.bends[edge].last().unwrap_or(&graph.edges[edge].from);
        edges.sort_by(|&a, &b| y[last(a)].total_cmp(&y[last(b)]));
        let height = graph.sizes[node].height;
        let pitch = height / (edges.len() + 1) as f32;
        for (place, edge) in edges.into_iter().enumerate() {
            arrivals[edge] = y[node] - height / 2.0 + pitch * (place + 1) as f32;
        }
    }
    arrivals
}
