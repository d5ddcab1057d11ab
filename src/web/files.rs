//! Files that are opened by their path: sheets and records, on this machine only.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use propnet::gdl::{Source, visible};

use super::error::ApiError;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// What the names of sheets, and of records and saved runs, end with.
pub(super) const SHEETS: &[&str] = &["kif", "gdl"];
pub(super) const RECORDS: &[&str] = &["json", "pgn", "part"];

/// Reads a file with one of these extensions. Others are refused, so that the page is no way to read
/// whatever its user may read.
pub(super) fn read(path: &str, extensions: &[&str]) -> Result<Vec<u8>, ApiError> {
    let extension = Path::new(path).extension().and_then(|name| name.to_str()).unwrap_or_default();
    if !extensions.contains(&extension) {
        let known = extensions.join(", .");
        return Err(ApiError::bad(format!("files that are opened here end with .{known}")));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| ApiError::bad(format!("cannot read {}: {error}", visible(path))))?;
    match bytes.len() as u64 > LONGEST {
        true => Err(ApiError::bad(format!("{} has more than {LONGEST} bytes", visible(path)))),
        false => Ok(bytes),
    }
}

/// A sheet in a file.
pub(super) fn sheet(path: &str) -> Result<Source, ApiError> {
    Ok(Source::from_bytes(visible(path), &read(path, SHEETS)?))
}
