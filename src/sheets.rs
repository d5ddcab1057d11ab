//! What people name -> the text of a sheet: a file, or a game that comes with the program.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use propnet::gdl::{Source, visible};

use crate::library::{self, Entry};

/// Why there is no text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SheetReadError {
    /// It is the name of nothing.
    #[error("{name} is neither a file nor a known game; {}", hint(close))]
    Unknown {
        /// The name.
        name: String,
        /// Similar names of games.
        close: Vec<&'static str>,
    },
    /// The file cannot be read.
    #[error("cannot read {path}")]
    File {
        /// The file.
        path: String,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

fn hint(close: &[&str]) -> String {
    match close {
        [] => "`ludens games` lists the games that come with the program".to_string(),
        names => format!("did you mean {}?", names.join(", ")),
    }
}

/// Reads the text of a sheet: a path or a file name means a file, even if it does not exist, and
/// everything else is the name of a game.
pub fn read_sheet(sheet: &str) -> Result<Source, SheetReadError> {
    if sheet.contains(['/', '\\', '.']) || Path::new(sheet).exists() {
        return read_file(sheet);
    }
    let entry = library_game(sheet)?;
    Ok(Source::from_text(entry.name, entry.text))
}

/// Reads the text of a file.
pub fn read_file(path: &str) -> Result<Source, SheetReadError> {
    let bytes = File::open(path).and_then(read_bytes);
    // The name is printed; a name from outside must not contain terminal escapes.
    let path = visible(path);
    match bytes {
        Ok(bytes) => Ok(Source::from_bytes(path, &bytes)),
        Err(error) => Err(SheetReadError::File { path: path.into_owned(), error }),
    }
}

/// The game of this name that comes with the program.
pub fn library_game(name: &str) -> Result<&'static Entry, SheetReadError> {
    library::find(name).ok_or_else(|| SheetReadError::Unknown {
        name: visible(name).into_owned(),
        close: library::close_to(name),
    })
}

/// The name of a game: that of its sheet, without directory and extension.
pub fn game_name(sheet: &Source) -> String {
    Path::new(sheet.name()).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads to the end, or just past the size at which a text is refused anyway.
pub fn read_bytes(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(Source::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_games_and_paths_are_files() {
        let source = read_sheet("tic_tac_toe").expect("a game");
        assert_eq!((source.name(), game_name(&source)), ("tic_tac_toe", "tic_tac_toe".into()));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/games/tic_tac_toe.kif");
        let file = read_sheet(path).expect("a file");
        assert_eq!((file.text(), game_name(&file)), (source.text(), "tic_tac_toe".into()));
        let text = |sheet| read_sheet(sheet).expect_err("nothing").to_string();
        assert_eq!(
            text("brekthrough"),
            "brekthrough is neither a file nor a known game; did you mean breakthrough?"
        );
        assert_eq!(text("no/such.kif"), "cannot read no/such.kif");
    }
}
