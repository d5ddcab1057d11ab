//! Complaints about a sheet, shown in the manner of a compiler.
//!
//! A finding is plain data (what a script wants); [`Finding::render`] turns it into the text a
//! person wants.

use std::fmt;

use super::source::{Source, Span};
use super::visible::visible;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Severity {
    /// The sheet cannot be played.
    Error,
    /// The sheet can be played, but departs from the specification or looks like a mistake.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// One complaint.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Error or warning.
    pub severity: Severity,
    /// A short name for this kind of complaint, for scripts.
    pub code: &'static str,
    /// The place, if the complaint is about one.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
    /// Further places that explain the first, in the order in which they are to be read.
    pub related: Vec<(Span, String)>,
    /// The joint moves that lead from the first state to where it shows.
    pub moves: Option<Vec<Vec<String>>>,
    /// What to do.
    pub help: Option<String>,
}

/// No message grows past this, whatever a sheet calls its symbols.
const MESSAGE_WIDTH: usize = 2_000;

impl Finding {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(span), message.into())
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, Some(span), message.into())
    }

    /// An error about the sheet as a whole.
    pub fn sheet_error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, None, message.into())
    }

    /// A warning about the sheet as a whole.
    pub fn sheet_warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, None, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Option<Span>, message: String) -> Self {
        let message = shorten(&message, MESSAGE_WIDTH);
        Finding { severity, code, span, message, related: Vec::new(), moves: None, help: None }
    }

    /// Adds what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shorten(&help.into(), MESSAGE_WIDTH));
        self
    }

    /// Adds a place that explains the first.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push((span, shorten(&message.into(), MESSAGE_WIDTH)));
        self
    }

    /// Adds the joint moves that lead there.
    pub fn moves(mut self, moves: Vec<Vec<String>>) -> Self {
        self.moves = Some(moves);
        self
    }
}

fn shorten(text: &str, width: usize) -> String {
    let text = visible(text);
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

/// A sheet that cannot be played: every error that was found, ready to be shown.
#[derive(Clone, thiserror::Error)]
#[error("{}", self.text())]
pub struct SheetError {
    sheet: Source,
    findings: Vec<Finding>,
}

/// The same as for people: a program whose `main` returns the error shows this, and the whole text
/// of the sheet would hide what is wrong with it.
impl fmt::Debug for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl SheetError {
    /// The errors among `findings`.
    pub(crate) fn new(sheet: Source, findings: Vec<Finding>) -> Self {
        SheetError { sheet, findings }
    }

    /// The findings, in the order of their places.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The first error on one line, its place, and how many more there are.
    pub fn brief(&self) -> String {
        let Some(first) = self.errors().next() else { return String::new() };
        let place = first.span.map(|span| self.sheet.place(span.start).to_string());
        let more = match self.errors().count() - 1 {
            0 => None,
            1 => Some("1 more error".to_string()),
            more => Some(format!("{more} more errors")),
        };
        let rest: Vec<String> = place.into_iter().chain(more).collect();
        let rest = if rest.is_empty() { String::new() } else { format!(" ({})", rest.join("; ")) };
        format!("error[{}]: {}{rest}", first.code, first.message)
    }

    fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }

    fn text(&self) -> String {
        let rendered: Vec<String> =
            self.errors().map(|finding| finding.render(&self.sheet)).collect();
        rendered.join("\n").trim_end().to_string()
    }
}
