//! Engines: a name -> a game that answers.
//!
//! ```text
//! registry   which kinds of game there are       options   how one is made
//! stages     what is made on the way, shared by the engines of one sheet
//! ```

mod options;
mod registry;
mod stages;

pub use options::EngineOptions;
pub use registry::Engine;
pub use stages::Stages;
