//! Folders to write records of matches in.

use std::path::Path;

use anyhow::{Context, Result};
use ludens::record::{self, finish_left_over};

/// Makes a folder for records, and finishes those of matches that were cut off in it. What is to be
/// said about that is told.
pub(crate) fn prepare_folder(folder: &Path, tell: impl Fn(&str)) -> Result<()> {
    record::prepare_folder(folder)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    match finish_left_over(folder) {
        Ok(paths) => {
            for path in paths {
                tell(&format!(
                    "{}: this match was cut off; its record is finished",
                    path.display()
                ));
            }
        }
        // New matches can be recorded all the same.
        Err(error) => tell(&format!(
            "{}: matches that were cut off cannot be finished: {error}",
            folder.display()
        )),
    }
    Ok(())
}
