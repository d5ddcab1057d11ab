//! Puts the rule sheets of `games/` into the program: whatever lies in the folder, no list to keep.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let games = variable("CARGO_MANIFEST_DIR").join("games");
    // Cargo looks into a folder, so a new sheet is seen too.
    writeln!(io::stdout(), "cargo::rerun-if-changed={}", games.display())?;
    fs::write(variable("OUT_DIR").join("library.rs"), list(&games)?)
}

/// The names and texts of the sheets as a Rust expression, by name.
fn list(games: &Path) -> io::Result<String> {
    let mut sheets = Vec::new();
    for entry in fs::read_dir(games)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            sheets.push(path);
        }
    }
    sheets.sort();
    let mut text = String::from("&[\n");
    for path in sheets {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    Entry {{ name: {name:?}, text: include_str!({path:?}) }},");
    }
    text.push_str("]\n");
    Ok(text)
}
