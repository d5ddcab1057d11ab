//! Text -> rules that can be played, or everything that is wrong with them.

use super::stratified::judge;
use super::trial::trial;
use crate::gdl::{Finding, Rules, Severity, SheetError, Source, check, sort_findings};

/// Reads and checks a sheet; the rules are returned only where it can be played.
pub fn load(source: Source) -> Result<Rules, SheetError> {
    let (rules, mut findings) = check::examine(source);
    if !has_errors(&findings) {
        findings.extend(judge(&rules));
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
    let (rules, mut findings) = check::examine(source);
    if !has_errors(&findings) {
        findings.extend(judge(&rules));
    }
    if !has_errors(&findings) {
        findings.extend(trial(&rules));
    }
    sort_findings(&mut findings);
    (rules, findings)
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}
