//! Engines: a name -> a game that answers.
//!
//! ```text
//! registry   which kinds of game there are       options   how one is made
//! stages     what is made on the way, shared by the engines of one sheet
//! lanes      a game in lanes of the width and on the back end that were chosen
//! ```

mod lanes;
mod options;
mod registry;
mod stages;

pub use lanes::Lanes;
pub use options::EngineOptions;
pub use registry::Engine;
pub use stages::{Made, Stages};
