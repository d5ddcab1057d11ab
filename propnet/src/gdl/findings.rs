//! A list of findings that stays short whatever the sheet, and comes out in the order of places.

use std::collections::BTreeMap;

use super::finding::{Finding, Severity};
use super::source::Span;

/// How many findings of one code are kept. A sheet of ten megabytes can be wrong in a million
/// places; nobody reads past the first of them.
const SHOWN: usize = 100;

/// Collects findings; those of one code past [`SHOWN`] are only counted.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    counts: BTreeMap<&'static str, CodeCount>,
}

#[derive(Debug)]
struct CodeCount {
    seen: usize,
    /// The first finding that was not kept.
    hidden: Option<(Severity, Option<Span>)>,
}

impl Findings {
    /// Adds a finding.
    pub(crate) fn push(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.code).or_insert(CodeCount { seen: 0, hidden: None });
        count.seen += 1;
        if count.seen <= SHOWN {
            self.kept.push(finding);
        } else if count.hidden.is_none() {
            count.hidden = Some((finding.severity, finding.span));
        }
    }

    /// Whether another finding of this code would be kept; if not, its text is not worth much work.
    pub(crate) fn has_room(&self, code: &str) -> bool {
        self.counts.get(code).is_none_or(|count| count.seen < SHOWN)
    }

    /// Whether an error was found.
    pub(crate) fn has_errors(&self) -> bool {
        self.kept.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// What was found: first what concerns the sheet as a whole, then by place. Where findings
    /// were left out, one says how many.
    pub(crate) fn into_sorted(self) -> Vec<Finding> {
        let mut all = self.kept;
        for (code, count) in self.counts {
            let Some((severity, span)) = count.hidden else { continue };
            all.push(Finding {
                severity,
                code,
                span,
                message: format!("... and {} more of this kind", count.seen - SHOWN),
                related: Vec::new(),
                moves: None,
                help: Some(format!("this is the first after the {SHOWN} shown; mend those first")),
            });
        }
        sort_findings(&mut all);
        all
    }
}

/// Orders findings: first those about the sheet as a whole, then by place, errors first.
pub fn sort_findings(findings: &mut [Finding]) {
    let place = |finding: &Finding| finding.span.map(|span| span.start);
    findings.sort_by(|a, b| (place(a), a.severity, a.code).cmp(&(place(b), b.severity, b.code)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_comes_first_and_the_rest_is_counted() {
        let mut findings = Findings::default();
        for at in (0..SHOWN + 7).rev() {
            findings.push(Finding::warning("many", Span::new(at, at + 1), "m"));
        }
        findings.push(Finding::sheet_error("whole", "w"));
        assert!(findings.has_errors());
        let sorted = findings.into_sorted();
        assert_eq!(sorted.len(), SHOWN + 2);
        assert_eq!((sorted[0].code, sorted[0].span), ("whole", None));
        let summary = sorted.iter().find(|finding| finding.message.starts_with("... and 7 more"));
        assert!(summary.is_some(), "{sorted:?}");
        let places: Vec<_> = sorted.iter().filter_map(|f| f.span).map(|s| s.start).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}
