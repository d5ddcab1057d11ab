//! What is laid out, and what comes of it.

/// A place in a picture; y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Point {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
}

/// The room that a node takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeSize {
    /// From left to right.
    pub width: f32,
    /// From top to bottom.
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
    /// Wires of one node share the points of their common way. The third point of a wire that runs
    /// from right to left, and the third but last, are its turns.
    pub routes: Vec<Vec<Point>>,
    /// Whether a wire runs from right to left.
    pub is_back: Vec<bool>,
    /// The room that all takes.
    pub size: NodeSize,
    /// How many nodes, bends and wires were looked at, all rounds counted: the work it took.
    pub steps: u64,
}

/// Wires that cross so many columns that no picture could show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the wires would need {bends} bends, more than the {limit} that can be laid out")]
pub struct TooManyBends {
    /// The bends that are needed.
    pub bends: u64,
    /// The bends that are possible.
    pub limit: u64,
}
