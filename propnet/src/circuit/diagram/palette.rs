//! The colours of diagrams, as `#rrggbb`: one place, so that all pictures of a circuit agree.

use super::diagram::Purpose;
use crate::circuit::cones::Cone;

/// What the elements of a purpose are filled with.
pub fn fill(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::State => "#dbe9fb",
        Purpose::Moves => "#fde6c8",
        Purpose::Cone(Cone::Legal) => "#d8f0d2",
        Purpose::Cone(Cone::Terminal) => "#fad4d4",
        Purpose::Cone(Cone::Goal) => "#f8efb8",
        Purpose::Cone(Cone::Next) => "#e6dcf5",
        Purpose::Cone(Cone::Observed) => "#f5dcec",
        Purpose::Shared => "#e4e6e8",
    }
}

/// The background.
pub const PAPER: &str = "#ffffff";
/// Outlines and letters.
pub const INK: &str = "#22272e";
/// Wires.
pub const WIRE: &str = "#66707c";
/// Wires from one step of the game to the next.
pub const STEP: &str = "#7a5bb5";
/// What is true in the state that is shown.
pub const TRUE: &str = "#d9480f";
/// What is false in the state that is shown.
pub const FALSE: &str = "#c3c8ce";
