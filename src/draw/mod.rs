//! A state -> what people see: boards with their cells, and the rest as short lists.
//!
//! ```text
//! knowledge  what is known of a game before it is drawn   links     which cells touch
//! statics    what is true in every state                  sentence  texts, parsed
//! reading    how sentences are read as cells              hexagon   where hexagonal cells are
//! layout     the boards of a game, as plain data          group     those of one name
//! pieces     symbols for contents                         sides     letters for those of two sides
//! drawing    a state on these boards                      text      boards as lines of text
//! ```
//!
//! Nothing here is specific to a game. Boards are recognised by the sentences that can be true, the
//! states of a few playouts, and the order of names that the sheet gives; names are only hints for
//! symbols. A [`BoardLayout`] is plain data, for any renderer.

mod drawing;
mod group;
mod hexagon;
mod knowledge;
mod layout;
mod links;
mod pieces;
mod reading;
mod sentence;
mod sides;
mod statics;
mod text;

pub use drawing::Drawing;
pub use knowledge::Knowledge;
pub use layout::{BoardLayout, BoardShape, Cell, DrawnBoard, DrawnPosition, List};
