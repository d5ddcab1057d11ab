//! Files and names of games -> sheets, moves and states.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use ludens::run::Setup;
use ludens::sheets::{self, read_bytes, read_file};
use ludens::start::{Given, read_moves, read_state};
use propnet::gdl::{Rules, Source};
use propnet::reference;

pub(crate) use ludens::sheets::game_name;

use super::recorded;

/// Reads the text of a sheet: `-` is standard input, and what is not a file is the name of a game
/// that comes with the program.
pub(crate) fn read_sheet(sheet: &str) -> Result<Source> {
    if sheet == "-" {
        let bytes = read_bytes(io::stdin().lock()).context("cannot read standard input")?;
        return Ok(Source::from_bytes("stdin", &bytes));
    }
    Ok(sheets::read_sheet(sheet)?)
}

/// Reads the texts of the sheets NAME.kif in a folder, by name.
pub(crate) fn sheets_in(folder: &str) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {folder}"))? {
        let path = entry.with_context(|| format!("cannot read {folder}"))?.path();
        if path.extension().is_some_and(|extension| extension == "kif") && path.is_file() {
            found.push(path.display().to_string());
        }
    }
    ensure!(!found.is_empty(), "there is no sheet NAME.kif in {folder}");
    found.sort();
    found.iter().map(|path| Ok(read_file(path)?)).collect()
}

/// Reads the texts of sheets, and of all sheets in folders.
pub(crate) fn sheets(named: &[String]) -> Result<Vec<Source>> {
    let mut sheets = Vec::new();
    for sheet in named {
        if Path::new(sheet).is_dir() {
            sheets.extend(sheets_in(sheet)?);
        } else {
            sheets.push(read_sheet(sheet)?);
        }
    }
    Ok(sheets)
}

/// Reads a sheet that can be played.
pub(crate) fn load_sheet(sheet: &str) -> Result<Rules> {
    load_source(read_sheet(sheet)?)
}

/// The rules of a sheet, if it can be played.
pub(crate) fn load_source(source: Source) -> Result<Rules> {
    let name = source.name().to_string();
    reference::load(source).with_context(|| format!("{name} cannot be played"))
}

/// Reads joint moves from the file of that name, which may be the record of a match, or else from
/// the text itself.
pub(crate) fn scripted_moves(file_or_text: &str) -> Result<Setup> {
    let source = if !Path::new(file_or_text).is_file() {
        Source::from_text("--moves", file_or_text)
    } else if recorded::is_record(file_or_text)? {
        return Ok(recorded::read(file_or_text)?.setup()?);
    } else {
        read_file(file_or_text)?
    };
    Ok(Setup { script: read_moves(&source)?, ..Setup::default() })
}

/// Reads the sentences of a state from a file.
pub(crate) fn given_state(file: &str) -> Result<Vec<Given>> {
    Ok(read_state(&read_file(file)?)?)
}
