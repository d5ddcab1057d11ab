//! Text -> rules that can be played, or everything that is wrong with them.

use super::never::never;
use super::stratified::judge;
use super::trial::trial;
use super::watch::WorkWatch;
use crate::gdl::{Finding, Rules, Severity, SheetError, Source, check, sort_findings};

/// Reads and checks a sheet; the rules are returned only where it can be played.
pub fn load(source: Source) -> Result<Rules, SheetError> {
    load_with(source, &WorkWatch::default())
}

/// Why rules were not read.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The sheet cannot be played.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The caller stopped the work.
    #[error("reading the sheet was stopped")]
    Stopped,
}

/// The same as [`load`], but the watch may stop the work.
pub fn load_watched(source: Source, watch: &WorkWatch) -> Result<Rules, ReadError> {
    let rules = load_with(source, watch);
    if watch.may_go_on() { Ok(rules?) } else { Err(ReadError::Stopped) }
}

fn load_with(source: Source, watch: &WorkWatch) -> Result<Rules, SheetError> {
    let (rules, mut findings) = check::examine(source);
    if !has_errors(&findings) {
        findings.extend(judge(&rules, watch));
    }
    if has_errors(&findings) {
        sort_findings(&mut findings);
        return Err(SheetError::new(rules.source, findings));
    }
    Ok(rules)
}

/// All findings about a sheet, errors and warnings; a sheet without errors is also played at
/// random for a while.
pub fn examine(source: Source) -> (Rules, Vec<Finding>) {
    examine_with(source, &WorkWatch::default())
}

/// The same as [`examine`], but the watch may stop the work; then there is no answer.
pub fn examine_watched(source: Source, watch: &WorkWatch) -> Option<(Rules, Vec<Finding>)> {
    let found = examine_with(source, watch);
    watch.may_go_on().then_some(found)
}

fn examine_with(source: Source, watch: &WorkWatch) -> (Rules, Vec<Finding>) {
    let (rules, mut findings) = check::examine(source);
    if !has_errors(&findings) {
        findings.extend(judge(&rules, watch));
    }
    if !has_errors(&findings) {
        findings.extend(never(&rules, watch));
        findings.extend(trial(&rules, watch));
    }
    sort_findings(&mut findings);
    (rules, findings)
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}
