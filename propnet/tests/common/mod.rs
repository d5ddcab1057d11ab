//! What several tests share: the sheets of the field, which are not part of the project.
#![allow(dead_code, unreachable_pub, clippy::print_stderr)]

use std::path::{Path, PathBuf};

/// The sheets of the corpus, sorted by name; empty, with a line that says so, where it is absent.
pub fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus"));
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("skipped: no corpus of sheets at {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    paths.sort();
    paths.iter().map(|path| (stem(path), std::fs::read(path).expect("a sheet"))).collect()
}

/// A file's name without folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
