//! What a strategy is made of: parts with names, parameters by name, and presets.
//!
//! ```text
//! part       a part: name, paper, parameters, maker   parameter  values by name, with defaults
//! scheme     names -> parts that fit together          presets    names for several parts
//! parts      a scheme made for a game, ready to search
//! playing    what playouts know about a game beyond its rules
//! ```
//!
//! The parts of a kind are listed in the module of that kind, such as `selection`. A new scheme is
//! one file there and one line in its table.

mod parameter;
mod part;
mod parts;
mod playing;
mod presets;
#[expect(clippy::module_inception, reason = "the module's main type")]
mod scheme;

pub use parameter::{Form, Parameter};
pub use part::PartInfo;
pub use presets::{PRESETS, Preset};
pub use scheme::{Scheme, SchemeError, parts};

pub(crate) use parameter::Values;
pub(crate) use part::Part;
pub(crate) use parts::{Parts, playout_limit, step_needs};
pub(crate) use playing::PLAYING;
