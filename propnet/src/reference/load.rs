//! Text -> rules that can be played, or everything that is wrong with them.

use crate::gdl::{Finding, Rules, Severity, SheetError, Source, check, parse};

/// Reads and checks a sheet; the rules are returned only where it can be played.
pub fn load(source: Source) -> Result<Rules, SheetError> {
    let (rules, findings) = examine(source);
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(SheetError::new(rules.source, findings));
    }
    Ok(rules)
}

/// All findings about a sheet, errors and warnings.
pub fn examine(source: Source) -> (Rules, Vec<Finding>) {
    let (rules, mut findings) = parse(source);
    if findings.is_empty() {
        findings.extend(check::check(&rules));
    }
    (rules, findings)
}
