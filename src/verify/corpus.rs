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
use super::replay::{Verdict, replay};
use crate::engine::Engine;
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

/// Verifies one sheet, or looks it up in the record. The flag says that it was looked up.
pub fn verify_case(case: &Case, settings: Settings, record: &Record) -> (CaseResult, bool) {
    let mut result = CaseResult {
        sheet: case.name.clone(),
        engine: settings.engine.name().to_string(),
        steps: settings.steps,
        content: String::new(),
        status: Status::Failed,
        comparisons: 0,
        replayed: 0,
        message: None,
        difference: None,
    };
    let (sheet, trace) = match read(&case.sheet).and_then(|sheet| Ok((sheet, read(&case.trace)?))) {
        Ok(contents) => contents,
        Err(message) => return (CaseResult { message: Some(message), ..result }, false),
    };
    result.content = hash_contents(&[&sheet, &trace]);
    if let Some(known) = record.find(&result) {
        return (known.clone(), true);
    }
    if let Err(message) = compare(case, settings, &sheet, &trace, &mut result) {
        result.message = Some(message);
    }
    (result, false)
}

fn compare(
    case: &Case,
    settings: Settings,
    sheet: &[u8],
    trace: &[u8],
    result: &mut CaseResult,
) -> Result<(), String> {
    let trace: Trace = serde_json::from_slice(trace)
        .map_err(|error| format!("{}: not a trace: {error}", case.trace.display()))?;
    let source = Source::from_bytes(case.sheet.display().to_string(), sheet);
    let rules = reference::load(source)
        .map_err(|error| format!("{} cannot be played:\n{error}", case.sheet.display()))?;
    let outcome = replay(&mut *settings.engine.start(&rules), &trace, settings.steps);
    result.comparisons = outcome.comparisons;
    result.replayed = outcome.steps;
    match outcome.verdict {
        Verdict::Agree => result.status = Status::Agree,
        Verdict::Differ(difference) => {
            result.status = Status::Differ;
            result.message = Some(difference.to_string());
            result.difference = Some(difference);
        }
        Verdict::Failed(message) => return Err(message),
    }
    Ok(())
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

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}
