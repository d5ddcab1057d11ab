//! The results of a corpus, as counts.

use serde::Serialize;

use super::case::{CaseResult, CaseStatus, VerifySettings};
use super::excused::excuse;

/// The summary of a run over a corpus.
#[derive(Clone, Debug, Serialize)]
pub struct VerifySummary {
    /// The engine, by name.
    pub engine: &'static str,
    /// The passes over its circuit, by their names, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<String>,
    /// The width of its lanes and their back end, if it has lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes: Option<String>,
    /// The bound on the steps of each playout.
    pub steps: Option<u64>,
    /// The sheets that have a trace.
    pub sheets: usize,
    /// The sheets that have none.
    pub without_trace: usize,
    /// The sheets whose result was taken from the record.
    pub from_record: usize,
    /// The sheets that agree with their trace.
    pub agree: usize,
    /// The sheets that differ, the excused ones included.
    pub differ: usize,
    /// The sheets that failed, the excused ones included.
    pub failed: usize,
    /// The number of sets and values compared.
    pub comparisons: u64,
    /// The number of joint moves replayed.
    pub replayed: u64,
    /// Sheets that are excused although they agree: the excuse can be removed.
    pub needless_excuses: Vec<String>,
    /// The sheets that do not agree, by name.
    pub problems: Vec<Problem>,
}

/// A sheet that does not agree.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// Why that is not the engine's fault, if it is known not to be.
    pub excuse: Option<&'static str>,
    /// What happened.
    #[serde(flatten)]
    pub result: CaseResult,
}

impl VerifySummary {
    /// An empty summary.
    pub fn new(settings: &VerifySettings, without_trace: usize) -> VerifySummary {
        VerifySummary {
            engine: settings.engine.name(),
            passes: settings.passes(),
            lanes: settings.lanes(),
            steps: settings.steps,
            sheets: 0,
            without_trace,
            from_record: 0,
            agree: 0,
            differ: 0,
            failed: 0,
            comparisons: 0,
            replayed: 0,
            needless_excuses: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Counts a result.
    pub fn add(&mut self, result: CaseResult, from_record: bool) {
        self.sheets += 1;
        self.from_record += usize::from(from_record);
        self.comparisons += result.comparisons;
        self.replayed += result.replayed;
        let excuse = excuse(&result.sheet);
        match result.status {
            CaseStatus::Agree => {
                self.agree += 1;
                if excuse.is_some() {
                    self.needless_excuses.push(result.sheet);
                    self.needless_excuses.sort();
                }
                return;
            }
            CaseStatus::Differ => self.differ += 1,
            CaseStatus::Failed => self.failed += 1,
        }
        // Results arrive in any order; the summary does not depend on it.
        let at = self.problems.partition_point(|known| known.result.sheet < result.sheet);
        self.problems.insert(at, Problem { excuse, result });
    }

    /// Whether nothing was compared, or a sheet without an excuse does not agree.
    pub fn is_failure(&self) -> bool {
        self.comparisons == 0 || self.problems.iter().any(|problem| problem.excuse.is_none())
    }
}
