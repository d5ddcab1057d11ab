//! The results of earlier runs in a file, so that a long run continues where it was stopped.
//!
//! The file has one JSON line for each finished sheet, appended and flushed when the sheet is
//! finished. A line is only reused for the same engine, passes, lanes, bound on the steps, and
//! contents of sheet and trace.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use rustc_hash::FxHashMap;

use super::case::CaseResult;

/// What is known from earlier runs.
#[derive(Default)]
pub struct Record {
    known: FxHashMap<Key, CaseResult>,
}

/// Sheet, engine, passes, lanes, steps, contents.
type Key = (String, String, Option<String>, Option<String>, Option<u64>, String);

impl Record {
    /// Reads a record file, which need not exist yet, and opens it for further lines.
    pub fn open(path: &Path) -> io::Result<(Record, Writer)> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut record = Record::default();
        let mut line = Vec::new();
        let mut reader = BufReader::new(&file);
        let mut complete = true;
        while reader.read_until(b'\n', &mut line)? > 0 {
            complete = line.ends_with(b"\n");
            // A line that cannot be read was cut short; its sheet is verified again.
            if let Ok(result) = serde_json::from_slice::<CaseResult>(&line) {
                record.known.insert(key(&result), result);
            }
            line.clear();
        }
        if !complete {
            file.write_all(b"\n")?;
        }
        Ok((record, Writer { file }))
    }

    /// The result for the same question, unless limits prevented the engine from being made.
    pub fn find(&self, wanted: &CaseResult) -> Option<&CaseResult> {
        self.known.get(&key(wanted)).filter(|known| !known.limited)
    }
}

fn key(result: &CaseResult) -> Key {
    let CaseResult { sheet, engine, passes, lanes, steps, content, .. } = result.clone();
    (sheet, engine, passes, lanes, steps, content)
}

/// Appends results to a record file.
pub struct Writer {
    file: File,
}

impl Writer {
    /// Adds a line in one write, so that an interruption cannot mix two.
    pub fn add(&mut self, result: &CaseResult) -> io::Result<()> {
        let mut line = serde_json::to_vec(result)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.flush()
    }
}
