//! The entry point: a sheet's text to a game that is ready to play, in two calls.
//!
//! ```text
//! text -> load -> Rules -> Compiled -> playouts, batch, game
//! ```
//!
//! Nothing is computed here that the stages do not compute: this module only puts them together,
//! with the usual settings, and hides the width of the lanes.

mod batch;
mod compiled;
mod error;
mod options;

pub use batch::{Situation, StateBatch};
pub use compiled::{Compiled, load};
pub use error::{BatchError, CompileError};
pub use options::CompileOptions;
