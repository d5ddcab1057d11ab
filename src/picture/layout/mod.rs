//! A layered layout: nodes in columns, signals from left to right.
//!
//! ```text
//! layers  a column for each node; wires that close cycles run backwards
//! chains  wires that cross columns get a bend in each, shared by all wires of a node
//! order   nodes and bends of a column from top to bottom, with few crossings
//! place   coordinates: close to their neighbours, never on top of each other
//! layout  all of these steps, and the route of every wire
//! ```

mod chains;
mod graph;
mod layers;
#[expect(clippy::module_inception, reason = "the file that does what the module is named after")]
mod layout;
mod order;
mod place;

pub use graph::{Graph, GraphEdge, GraphLayout, NodeSize, Point, TooManyBends};
pub use layout::layout;
