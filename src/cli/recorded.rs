//! Records of matches: folders to write them in, and files to read them from.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use ludens::record::{self, MatchRecord, finish_left_over, read_record};
use ludens::run::Setup;
use ludens::start::StartError;
use propnet::gdl::Source;

use super::input;

/// The longest record that is read, in bytes.
const LONGEST: u64 = 1 << 28;

/// The name of standard input in error messages.
const STDIN: &str = "stdin";

/// Makes a folder for records, and finishes the records of matches in it that were cut off. `tell`
/// gets a line for each of them.
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
        // New matches can still be recorded.
        Err(error) => tell(&format!(
            "{}: the records of matches that were cut off cannot be finished: {error}",
            folder.display()
        )),
    }
    Ok(())
}

/// Whether a file begins like a record.
pub(crate) fn is_record(path: &str) -> Result<bool> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1 << 10).read_to_end(&mut first));
    read.with_context(|| format!("cannot read {path}"))?;
    Ok(record::is_record(&first))
}

/// A record that was read.
pub(crate) struct Recorded {
    /// Where it comes from.
    pub(crate) name: String,
    pub(crate) record: MatchRecord,
    pub(crate) bytes: Vec<u8>,
}

/// Reads the record of a match; `-` is standard input.
pub(crate) fn read(path: &str) -> Result<Recorded> {
    let mut bytes = Vec::new();
    let (name, read) = match path {
        "-" => (STDIN, io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes)),
        path => {
            let file = File::open(path).with_context(|| format!("cannot read {path}"))?;
            (path, file.take(LONGEST + 1).read_to_end(&mut bytes))
        }
    };
    read.with_context(|| format!("cannot read {name}"))?;
    ensure!(bytes.len() as u64 <= LONGEST, "{name} has more than {LONGEST} bytes");
    let record = read_record(&bytes).map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(Recorded { name: name.to_string(), record, bytes })
}

impl Recorded {
    /// Where its match starts, and its moves.
    pub(crate) fn setup(&self) -> Result<Setup, StartError> {
        self.record.setup(&self.name)
    }

    /// The rules it was played by: those that are named, those that it carries, or those of the
    /// game that it names. An error says how to name them.
    pub(crate) fn sheet(&self, named: Option<&str>, how: &str) -> Result<Source> {
        ensure!(
            named != Some("-") || self.name != STDIN,
            "the rules and the record cannot both come from standard input"
        );
        let record = &self.record;
        if let Some(sheet) = named {
            return input::read_sheet(sheet);
        }
        record.rules(&self.name).ok_or_else(|| {
            let known = [record.game.as_str(), record.game_meta_url.as_deref().unwrap_or("")];
            let game = known.iter().find(|name| !name.is_empty()).unwrap_or(&"its game");
            anyhow!(
                "{} does not carry the rules, and {game} does not come with the program; name the \
                 rules with {how}",
                self.name
            )
        })
    }
}
