//! Diagrams -> pictures, without any program or font being installed.
//!
//! ```text
//! layout  where everything is                  outline  the shapes of gates and ports
//! scene   shapes and text, ready to draw       legend   what colours and marks mean
//! svg     a scene as SVG text                  png      a scene as pixels
//! ```

pub mod layout;
mod legend;
mod outline;
mod path;
mod png;
mod scene;
mod svg;
mod wires;

pub use path::{DrawnShape, LineStyle, Path, PathSegment};
pub use png::{PngError, png};
pub use scene::{Figure, Scene, scene};
pub use svg::svg;
