//! One sheet and its trace, verified with one or several engines.

use propnet::gdl::{Rules, Source};
use propnet::reference;
use serde::{Deserialize, Serialize};

use super::difference::Difference;
use super::replay::{ReplayOutcome, Verdict, replay};
use crate::pipeline::{Engine, PipelineError, PipelineOptions, Stages};
use crate::trace::{Trace, hash_contents};

/// What is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifySettings {
    /// The engine to compare with the traces.
    pub engine: Engine,
    /// How it is made.
    pub options: PipelineOptions,
    /// At most this many steps of each playout; all if `None`.
    pub steps: Option<u64>,
}

impl VerifySettings {
    /// The passes by their names, if the engine has any.
    pub(super) fn passes(&self) -> Option<String> {
        self.engine.has_passes().then(|| self.options.passes_text())
    }

    /// The width and the back end, if the engine has lanes.
    pub(super) fn lanes(&self) -> Option<String> {
        self.engine.lanes(&self.options).map(|setup| setup.to_string())
    }
}

/// The verdict on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseStatus {
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
    /// The passes over its circuit, by their names, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<String>,
    /// The width of its lanes and their back end, if it has lanes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lanes: Option<String>,
    /// The bound on the steps of each playout.
    pub steps: Option<u64>,
    /// A hash of the contents of sheet and trace.
    pub content: String,
    /// The verdict.
    pub status: CaseStatus,
    /// The number of sets and values compared.
    pub comparisons: u64,
    /// The number of joint moves replayed.
    pub replayed: u64,
    /// The engine could not be made within its limits. With other limits, or on another machine,
    /// that may be possible, so a record does not answer for such a sheet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub limited: bool,
    /// What went wrong, for a human reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What differs, for a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// The contents of a sheet and its trace.
pub struct Contents {
    /// The text of the rules.
    pub sheet: Source,
    /// The bytes of the trace.
    pub trace: Vec<u8>,
}

impl Contents {
    pub(super) fn hash(&self) -> String {
        hash_contents(&[self.sheet.text().as_bytes(), &self.trace])
    }

    fn load(self) -> Result<(Trace, Rules), String> {
        let trace = serde_json::from_slice(&self.trace)
            .map_err(|error| format!("the trace cannot be read: {error}"))?;
        let rules = reference::load(self.sheet)
            .map_err(|error| format!("the sheet cannot be played:\n{error}"))?;
        Ok((trace, rules))
    }
}

/// Verifies one sheet.
pub fn verify_contents(name: &str, contents: Contents, settings: &VerifySettings) -> CaseResult {
    let mut result = CaseResult::new(name, settings, contents.hash());
    verify_each(contents, &mut [(&mut result, settings)]);
    result
}

/// Fills in the results for each of the settings. The sheet is read and grounded once for all of
/// them.
pub(super) fn verify_each(contents: Contents, open: &mut [(&mut CaseResult, &VerifySettings)]) {
    if open.is_empty() {
        return;
    }
    let (trace, rules) = match contents.load() {
        Ok(loaded) => loaded,
        Err(message) => {
            open.iter_mut().for_each(|(result, _)| result.message = Some(message.clone()));
            return;
        }
    };
    let stages = Stages::new(rules);
    let count = open.len();
    for (at, (result, settings)) in open.iter_mut().enumerate() {
        let game = stages.start(settings.engine, &settings.options);
        if at + 1 == count {
            // Ground rules may take a gigabyte, which the replay can use better.
            stages.forget();
        }
        match game {
            Ok(mut game) => result.judge(replay(&mut *game, &trace, settings.steps)),
            Err(error) => result.limit(error),
        }
    }
}

impl CaseResult {
    /// A result before anything is compared.
    pub(super) fn new(name: &str, settings: &VerifySettings, content: String) -> CaseResult {
        CaseResult {
            sheet: name.to_string(),
            engine: settings.engine.name().to_string(),
            passes: settings.passes(),
            lanes: settings.lanes(),
            steps: settings.steps,
            content,
            status: CaseStatus::Failed,
            comparisons: 0,
            replayed: 0,
            limited: false,
            message: None,
            difference: None,
        }
    }

    pub(super) fn judge(&mut self, outcome: ReplayOutcome) {
        self.comparisons = outcome.comparisons;
        self.replayed = outcome.steps;
        match outcome.verdict {
            Verdict::Agree => self.status = CaseStatus::Agree,
            Verdict::Differ(difference) => {
                self.status = CaseStatus::Differ;
                self.message = Some(difference.to_string());
                self.difference = Some(difference);
            }
            Verdict::Failed(message) => self.message = Some(message),
        }
    }

    pub(super) fn limit(&mut self, error: PipelineError) {
        self.limited = true;
        self.message = Some(format!("the sheet cannot be grounded: {error}"));
    }
}
