//! A state -> what people see: boards with their cells, and the rest as short lists.
//!
//! ```text
//! knowledge  what is known of a game before it is drawn   links     which cells touch
//! statics    what is true in every state                  sentence  texts, parsed
//! reading    how sentences are read as cells              hexagon   where hexagonal cells are
//! layout     the boards of a game, as plain data          group     those of one name
//! pieces     symbols for contents                         sides     letters for those of two sides
//! drawing    a state on these boards                      text      boards as lines of text
//! look       what pieces look like in a picture           hints     what comments of a sheet say
//! board_svg  a state as SVG                               marks     moves and values over it
//! move_cells which cells a move names                     learn     knowledge within seconds
//! ```
//!
//! Nothing here is specific to a game. Boards are recognised by the sentences that can be true, the
//! states of a few playouts, and the order of names that the sheet gives; names are only hints for
//! symbols. A [`BoardLayout`] is plain data, for any renderer.

mod board_places;
mod board_svg;
mod drawing;
mod group;
mod hexagon;
mod hints;
mod knowledge;
mod layout;
mod learn;
mod links;
mod look;
mod marks;
mod move_cells;
mod piece_svg;
mod pieces;
mod reading;
mod sentence;
mod sides;
mod statics;
mod text;

pub use board_svg::BoardPicture;
pub use drawing::Drawing;
pub use hints::Hints;
pub use knowledge::Knowledge;
pub use layout::{BoardLayout, BoardShape, Cell, CellIndex, DrawnBoard, DrawnPosition, List};
pub use marks::Marks;
