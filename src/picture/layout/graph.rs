//! The graph that is laid out, and the result.

/// A point in a picture; y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Point {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
}

/// The size of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeSize {
    /// The width.
    pub width: f32,
    /// The height.
    pub height: f32,
}

/// A wire between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// Where it leaves.
    pub from: usize,
    /// Where it arrives.
    pub to: usize,
    /// Whether it is known to close a cycle, and so may run from right to left.
    pub back: bool,
}

/// Nodes of known size and the wires between them.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The nodes.
    pub sizes: Vec<NodeSize>,
    /// The wires.
    pub edges: Vec<GraphEdge>,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub struct GraphLayout {
    /// The upper left corner of each node.
    pub corners: Vec<Point>,
    /// The points each wire goes through, from the right side of a node to the left side of one.
    /// Wires of one node share the points of their common part. The third point and the third to
    /// last point of a wire that runs from right to left are its turns.
    pub routes: Vec<Vec<Point>>,
    /// Whether a wire runs from right to left.
    pub is_back: Vec<bool>,
    /// The size of the whole picture.
    pub size: NodeSize,
    /// The number of nodes, bends and wires visited in all rounds: a measure of the work.
    pub steps: u64,
}

/// The error for wires that cross too many columns to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the wires would need {bends} bends, more than the {limit} that can be laid out")]
pub struct TooManyBends {
    /// The bends that would be needed.
    pub bends: u64,
    /// The bends that are allowed.
    pub limit: u64,
}
