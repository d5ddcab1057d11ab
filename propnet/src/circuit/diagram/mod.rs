//! Circuits to look at: gates and ports as a graph, cut down and coloured, and as DOT.
//!
//! ```text
//! diagram    elements and wires              classic    and/or/not/transition gates
//! ports      the elements that have names    network    AND gates with complemented wires
//! select     the part to be looked at        highlight  what is true in one state
//! forms      AND gates shown as OR gates     dot        the text that Graphviz draws
//! palette    colours
//! ```

mod classic;
#[expect(clippy::module_inception, reason = "the module's one value")]
mod diagram;
mod dot;
mod forms;
mod highlight;
mod network;
pub mod palette;
mod ports;
mod select;

pub use classic::classic;
pub use diagram::{Diagram, Element, Kind, Purpose, Wire, WireKind};
pub use dot::dot;
pub use highlight::highlight;
pub use network::network;
pub use select::SelectError;
