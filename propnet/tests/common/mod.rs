//! What several tests share.

pub(crate) mod spoil;

use std::path::{Path, PathBuf};

/// Our own sheets, sorted by name.
pub(crate) fn ours() -> Vec<(String, Vec<u8>)> {
    sheets_in(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../games")))
}

/// The sheets of a folder, sorted by name.
pub(crate) fn sheets_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder of sheets");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    paths.sort();
    paths.iter().map(|path| (stem(path), std::fs::read(path).expect("a sheet"))).collect()
}

/// A file's name without folder and extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
