//! The sheets of the corpus, which are not part of the repository.

pub(crate) mod grounding;
pub(crate) mod passes;
pub(crate) mod spoiled;
pub(crate) mod text;

use std::path::Path;

use crate::common::sheets_in;

/// Name and text of each sheet, sorted by name.
fn sheets(shared: &Path) -> Vec<(String, Vec<u8>)> {
    sheets_in(&shared.join("corpus"))
}
