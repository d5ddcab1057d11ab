//! Sheets and traces in files, verified one by one or all in parallel.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use propnet::gdl::Source;
use propnet::reference;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::difference::Difference;
use super::record::Record;
use super::replay::{Outcome, Verdict, replay};
use crate::engine::Engine;
use crate::ground::{Bounds, Ungrounded};
use crate::trace::{Trace, hash_contents};

/// A sheet and its trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name of the sheet, without directory and extension.
    pub name: String,
    /// The file of the rules.
    pub sheet: PathBuf,
    /// The file of the trace.
    pub trace: PathBuf,
}

/// What is verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The engine to compare with the traces.
    pub engine: Engine,
    /// What it may take to make it.
    pub bounds: Bounds,
    /// At most so many steps of each playout; all if `None`.
    pub steps: Option<u64>,
}

/// How a sheet came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything compared is equal.
    Agree,
    /// Something differs.
    Differ,
    /// The comparison could not be done.
    Failed,
}

/// The result for one sheet, which is also its line in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The name of the sheet.
    pub sheet: String,
    /// The engine, by name.
    pub engine: String,
    /// The bound on the steps of each playout.
    pub steps: Option<u64>,
    /// A hash of the contents of sheet and trace.
    pub content: String,
    /// How it came out.
    pub status: Status,
    /// How many sets and values were compared.
    pub comparisons: u64,
    /// How many joint moves were replayed.
    pub replayed: u64,
    /// The engine could not be made within its bounds. With other bounds, or on another machine,
    /// it may be, so a record does not answer for such a sheet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub limited: bool,
    /// What went wrong, for a reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What differs, for a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// The sheets `NAME.kif` in one directory that have a trace `NAME.json` in the other, by name,
/// and the number of those that have none.
pub fn find_cases(corpus: &Path, traces: &Path) -> io::Result<(Vec<Case>, usize)> {
    let mut cases = Vec::new();
    let mut without = 0;
    for entry in fs::read_dir(corpus)? {
        let sheet = entry?.path();
        if sheet.extension().is_none_or(|extension| extension != "kif") {
            continue;
        }
        let name = sheet.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let trace = traces.join(format!("{name}.json"));
        if trace.is_file() {
            cases.push(Case { name, sheet, trace });
        } else {
            without += 1;
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((cases, without))
}

/// The contents of a sheet and its trace.
pub struct Contents {
    /// The text of the rules.
    pub sheet: Source,
    /// The bytes of the trace.
    pub trace: Vec<u8>,
}

/// Verifies one sheet in a file, or looks it up in the record. The flag says that it was looked
/// up.
fn verify_case(case: &Case, settings: Settings, record: &Record) -> (CaseResult, bool) {
    let contents = match case.read() {
        Ok(contents) => contents,
        Err(message) => {
            let nothing = CaseResult::new(&case.name, settings, String::new());
            return (CaseResult { message: Some(message), ..nothing }, false);
        }
    };
    match record.find(&CaseResult::new(&case.name, settings, contents.hash())) {
        Some(known) => (known.clone(), true),
        None => (verify_contents(&case.name, contents, settings), false),
    }
}

/// Verifies one sheet.
pub fn verify_contents(name: &str, contents: Contents, settings: Settings) -> CaseResult {
    let mut result = CaseResult::new(name, settings, contents.hash());
    match compare(contents, settings) {
        Ok(outcome) => {
            result.comparisons = outcome.comparisons;
            result.replayed = outcome.steps;
            result.judge(outcome.verdict);
        }
        Err(Failure::Input(message)) => result.message = Some(message),
        Err(Failure::Engine(error)) => {
            result.limited = true;
            result.message = Some(format!("the sheet cannot be grounded: {error}"));
        }
    }
    result
}

/// Why nothing was compared.
enum Failure {
    Input(String),
    Engine(Ungrounded),
}

fn compare(contents: Contents, settings: Settings) -> Result<Outcome, Failure> {
    let trace: Trace = serde_json::from_slice(&contents.trace)
        .map_err(|error| Failure::Input(format!("the trace is not a trace: {error}")))?;
    let rules = reference::load(contents.sheet)
        .map_err(|error| Failure::Input(format!("the sheet cannot be played:\n{error}")))?;
    let mut game = settings.engine.start(&rules, &settings.bounds).map_err(Failure::Engine)?;
    Ok(replay(&mut *game, &trace, settings.steps))
}

impl Case {
    fn read(&self) -> Result<Contents, String> {
        let read = |path: &Path| {
            fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        let sheet = Source::from_bytes(self.sheet.display().to_string(), &read(&self.sheet)?);
        Ok(Contents { sheet, trace: read(&self.trace)? })
    }
}

impl Contents {
    fn hash(&self) -> String {
        hash_contents(&[self.sheet.text().as_bytes(), &self.trace])
    }
}

impl CaseResult {
    /// A result before anything was compared.
    fn new(name: &str, settings: Settings, content: String) -> CaseResult {
        CaseResult {
            sheet: name.to_string(),
            engine: settings.engine.name().to_string(),
            steps: settings.steps,
            content,
            status: Status::Failed,
            comparisons: 0,
            replayed: 0,
            limited: false,
            message: None,
            difference: None,
        }
    }

    fn judge(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Agree => self.status = Status::Agree,
            Verdict::Differ(difference) => {
                self.status = Status::Differ;
                self.message = Some(difference.to_string());
                self.difference = Some(difference);
            }
            Verdict::Failed(message) => self.message = Some(message),
        }
    }
}

/// Verifies all cases on all cores. `done` gets each result as it is finished, in no particular
/// order, with whether it came from the record; an error from it ends the work.
pub fn verify_all<E>(
    cases: &[Case],
    settings: impl Fn(&Case) -> Settings + Sync,
    record: &Record,
    mut done: impl FnMut(CaseResult, bool) -> Result<(), E>,
) -> Result<(), E> {
    let (sender, receiver) = mpsc::channel();
    let settings = &settings;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // One sheet may take a thousand times longer than another, so each is its own task.
            // A closed channel means that nobody wants to know any more.
            let _ = cases.par_iter().with_max_len(1).try_for_each_with(sender, |sender, case| {
                sender.send(verify_case(case, settings(case), record)).map_err(drop)
            });
        });
        // The receiver is dropped on an error, which stops the workers at their next send.
        receiver.into_iter().try_for_each(|(result, known)| done(result, known))
    })
}
