//! What is wrong with a sheet as data, for scripts and for the page.

use propnet::gdl::{Finding, Rules, Severity, Source, Span};
use serde::Serialize;

/// The findings about one sheet, for scripts.
#[derive(Clone, Debug, Serialize)]
pub struct SheetFindings {
    /// The name of its file.
    pub file: String,
    /// The number of its rules.
    pub rules: u64,
    /// The number of errors.
    pub errors: u64,
    /// The number of warnings.
    pub warnings: u64,
    /// Each of them.
    pub findings: Vec<FindingItem>,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
pub struct FindingItem {
    /// `error` or `warning`.
    pub severity: String,
    /// A short name for its kind.
    pub code: &'static str,
    /// Its line, if it is about a place.
    pub line: Option<usize>,
    /// Its column.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Further places that explain it.
    pub related: Vec<RelatedPlace>,
    /// The joint moves that lead to where it shows.
    pub moves: Option<Vec<Vec<String>>>,
}

/// A place that explains a finding.
#[derive(Clone, Debug, Serialize)]
pub struct RelatedPlace {
    /// Its line.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// What it says.
    pub message: String,
}

impl SheetFindings {
    /// The findings about a sheet.
    pub fn new(rules: &Rules, findings: &[Finding]) -> SheetFindings {
        let count = |severity| {
            findings.iter().filter(|finding| finding.severity == severity).count() as u64
        };
        SheetFindings {
            file: rules.source.name().to_string(),
            rules: rules.rules.len() as u64,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            findings: findings
                .iter()
                .map(|finding| FindingItem::new(&rules.source, finding))
                .collect(),
        }
    }
}

impl FindingItem {
    fn new(source: &Source, finding: &Finding) -> FindingItem {
        let place = |span: Span| source.place(span.start);
        let related = |(span, message): &(Span, String)| RelatedPlace {
            line: place(*span).line,
            column: place(*span).column,
            message: message.clone(),
        };
        FindingItem {
            severity: finding.severity.to_string(),
            code: finding.code,
            line: finding.span.map(|span| place(span).line),
            column: finding.span.map(|span| place(span).column),
            message: finding.message.clone(),
            help: finding.help.clone(),
            related: finding.related.iter().map(related).collect(),
            moves: finding.moves.clone(),
        }
    }
}
