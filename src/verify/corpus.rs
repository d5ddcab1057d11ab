//! Sheets and traces in files, verified in parallel.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use propnet::gdl::Source;
use rayon::prelude::*;

use super::case::{CaseResult, Contents, VerifySettings, verify_each};
use super::record::Record;

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

/// The sheets `NAME.kif` in one directory that have a trace `NAME.json` in the other, by name, and
/// the number of sheets without one.
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

/// Verifies all cases on all cores, each with all of its settings. `done` gets each result when it
/// is finished, in no particular order, with a flag that says whether it came from the record; an
/// error from `done` ends the work.
pub fn verify_all<E>(
    cases: &[Case],
    settings: impl Fn(&Case) -> Vec<VerifySettings> + Sync,
    record: &Record,
    mut done: impl FnMut(CaseResult, bool) -> Result<(), E>,
) -> Result<(), E> {
    let (sender, receiver) = mpsc::channel();
    let settings = &settings;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // One sheet may take a thousand times longer than another, so each is its own task. A
            // closed channel means that the results are no longer wanted.
            let _ = cases.par_iter().with_max_len(1).try_for_each_with(sender, |sender, case| {
                sender.send(verify_case(case, &settings(case), record)).map_err(drop)
            });
        });
        // The receiver is dropped on an error, which stops the workers at their next send.
        receiver.into_iter().flatten().try_for_each(|(result, known)| done(result, known))
    })
}

/// Verifies one sheet in a file, or looks it up in the record. The flags say which results were
/// looked up.
fn verify_case(
    case: &Case,
    settings: &[VerifySettings],
    record: &Record,
) -> Vec<(CaseResult, bool)> {
    let contents = match case.read() {
        Ok(contents) => contents,
        Err(message) => {
            let result = |settings| CaseResult {
                message: Some(message.clone()),
                ..CaseResult::new(&case.name, settings, String::new())
            };
            return settings.iter().map(|settings| (result(settings), false)).collect();
        }
    };
    let content = contents.hash();
    let asked = settings.iter().map(|settings| {
        let asked = CaseResult::new(&case.name, settings, content.clone());
        record.find(&asked).map_or((asked, false), |known| (known.clone(), true))
    });
    let mut results: Vec<(CaseResult, bool)> = asked.collect();
    let open = results.iter_mut().zip(settings).filter(|((_, known), _)| !known);
    let mut open: Vec<_> = open.map(|((result, _), settings)| (result, settings)).collect();
    verify_each(contents, &mut open);
    results
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
