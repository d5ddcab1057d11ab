//! Complaints about a sheet, shown in the manner of a compiler.
//!
//! A finding is plain data (what a script wants); [`Finding::render`] turns it into the text a
//! person wants: the line with the place marked, and what to do about it.

use std::fmt;

use super::source::{Source, Span};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Another place that explains the first.
    pub related: Option<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
}

/// Lines longer than this are cut around the marked place.
const SHOWN_WIDTH: usize = 100;

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
        let message = shorten(message, MESSAGE_WIDTH);
        Finding { severity, code, span, message, related: None, help: None }
    }

    /// Adds what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shorten(help.into(), MESSAGE_WIDTH));
        self
    }

    /// Adds a second place that explains the first.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related = Some((span, shorten(message.into(), MESSAGE_WIDTH)));
        self
    }

    /// The finding as a few lines of text, the place marked in its line.
    pub fn render(&self, source: &Source) -> String {
        let mut text = format!("{}[{}]: {}\n", self.severity, self.code, self.message);
        // Room for the longer line number, so that all parts line up.
        let places = self.span.into_iter().chain(self.related.as_ref().map(|(span, _)| *span));
        let width = places.map(|span| source.place(span.start).line.to_string().len()).max();
        let margin = " ".repeat(width.unwrap_or(1));
        match self.span {
            Some(span) => render_place(&mut text, source, span, &margin, "-->", ""),
            None => text.push_str(&format!("  --> {}\n", source.name())),
        }
        if let Some((span, message)) = &self.related {
            render_place(&mut text, source, *span, &margin, ":::", message);
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("{margin} = help: {help}\n"));
        }
        text
    }
}

fn render_place(
    text: &mut String,
    source: &Source,
    span: Span,
    margin: &str,
    arrow: &str,
    note: &str,
) {
    let place = source.place(span.start);
    // Only the surroundings of the place are looked at: a line may have megabytes.
    let (before, after) = source.line_around(span.start);
    let mut left_part: Vec<char> = before.chars().rev().take(SHOWN_WIDTH).collect();
    left_part.reverse();
    let first = left_part.len();
    let cut_left = place.column - 1 > first;
    let mut line = left_part;
    line.extend(after.chars().take(SHOWN_WIDTH));
    let cut_right = after.chars().nth(SHOWN_WIDTH).is_some();
    let (from, to) = window(line.len(), first);
    let shown: String =
        line[from..to].iter().map(|&c| if c.is_control() { ' ' } else { c }).collect();
    let left = if cut_left || from > 0 { "..." } else { "" };
    let right = if cut_right || to < line.len() { "..." } else { "" };
    let pad = " ".repeat(first - from + left.len());
    let in_line = |&c: &char| c != '\n' && c != '\r';
    let marked = source.slice(span).chars().take(SHOWN_WIDTH).take_while(in_line).count();
    let marks = "^".repeat(marked.clamp(1, (to - first).max(1)));
    let note = if note.is_empty() { String::new() } else { format!(" {note}") };
    let number = format!("{:>width$}", place.line, width = margin.len());
    text.push_str(&format!(
        "{margin} {arrow} {}:{}:{}\n{margin} |\n{number} | {left}{shown}{right}\n{margin} | {pad}{marks}{note}\n",
        source.name(),
        place.line,
        place.column,
    ));
}

/// The part of a line of `length` characters to show so that `first` is in it.
fn window(length: usize, first: usize) -> (usize, usize) {
    if length <= SHOWN_WIDTH {
        return (0, length);
    }
    let from = first.saturating_sub(SHOWN_WIDTH / 3).min(length - SHOWN_WIDTH);
    (from, from + SHOWN_WIDTH)
}

fn shorten(text: String, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// A sheet that cannot be played: every error that was found, ready to be shown.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", self.text())]
pub struct SheetError {
    sheet: Source,
    findings: Vec<Finding>,
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

    /// The text they are about.
    pub fn source_text(&self) -> &Source {
        &self.sheet
    }

    fn text(&self) -> String {
        let errors = self.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let rendered: Vec<String> = errors.map(|finding| finding.render(&self.sheet)).collect();
        rendered.join("\n").trim_end().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked() {
        let source = Source::from_text("s.kif", "(role a)\n(<= (p ?x)\n\t(q ?y))");
        let finding = Finding::error("unsafe", Span::new(24, 26), "?y is odd").help("drop it");
        let expected = "error[unsafe]: ?y is odd\n  --> s.kif:3:5\n  |\n3 |  (q ?y))\n  |     ^^\n  = help: drop it\n";
        assert_eq!(finding.render(&source), expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}?x{}", "a ".repeat(5_000), " b".repeat(5_000));
        let source = Source::from_text("s.kif", &text);
        let shown = Finding::error("e", Span::new(10_000, 10_002), "m").render(&source);
        assert!(shown.contains("...") && shown.contains("?x") && shown.len() < 500, "{shown}");
    }
}
