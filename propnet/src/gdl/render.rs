//! Findings as text, in the manner of a compiler: the line with the place marked, what explains
//! it, and what to do about it.

use super::finding::{Finding, Severity};
use super::source::{Source, Span};
use super::visible::{push_visible, visible};

/// What a piece of a rendered finding is, for callers that colour it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The word and code at the beginning, and the marks under the place.
    Severity(Severity),
    /// What is wrong.
    Message,
    /// Line numbers, arrows and bars.
    Frame,
    /// The marks under a place that explains the first one, and what is said of it.
    Related,
    /// Everything else.
    Plain,
}

/// Lines longer than this are cut around the marked place.
const SHOWN_WIDTH: usize = 100;

/// The longest list of moves that is shown, in letters. Scripts get all of it.
const MOVES_WIDTH: usize = 10_000;

impl Finding {
    /// The finding as a few lines of text, the place marked in its line.
    pub fn render(&self, source: &Source) -> String {
        self.render_in(source, &|_, text| text.to_string())
    }

    /// The same, each piece as `paint` makes it.
    pub fn render_in(&self, source: &Source, paint: &dyn Fn(Ink, &str) -> String) -> String {
        // Room for the longest line number, so that all parts line up.
        let places = self.span.iter().chain(self.related.iter().map(|(span, _)| span));
        let width = places.map(|span| source.place(span.start).line.to_string().len()).max();
        let margin = " ".repeat(width.unwrap_or(1));
        let mut page = Page { source, paint, margin, text: String::new() };
        page.put(Ink::Severity(self.severity), &format!("{}[{}]", self.severity, self.code));
        page.put(Ink::Message, &format!(": {}", self.message));
        page.put(Ink::Plain, "\n");
        match self.span {
            Some(span) => page.place(span, "-->", Ink::Severity(self.severity), ""),
            None => {
                page.put(Ink::Frame, "  --> ");
                page.put(Ink::Plain, &format!("{}\n", visible(source.name())));
            }
        }
        for (span, message) in &self.related {
            page.place(*span, ":::", Ink::Related, message);
        }
        if let Some(moves) = &self.moves {
            page.note("moves", &listed(moves));
        }
        if let Some(help) = &self.help {
            page.note("help", help);
        }
        page.text
    }
}

/// Joint moves as `--moves` takes them.
fn listed(moves: &[Vec<String>]) -> String {
    if moves.is_empty() {
        return "none, it is the first state".to_string();
    }
    let joint: Vec<String> = moves.iter().map(|joint| format!("({})", joint.join(" "))).collect();
    let text = joint.join(" ");
    match text.chars().count() {
        0..=MOVES_WIDTH => text,
        letters => format!("{} joint moves of {letters} letters; --json has them", moves.len()),
    }
}

/// A finding while it is written.
struct Page<'a> {
    source: &'a Source,
    paint: &'a dyn Fn(Ink, &str) -> String,
    /// As wide as the longest line number.
    margin: String,
    text: String,
}

impl Page<'_> {
    fn put(&mut self, ink: Ink, text: &str) {
        self.text.push_str(&(self.paint)(ink, text));
    }

    /// A remark below the places.
    fn note(&mut self, what: &str, text: &str) {
        self.put(Ink::Frame, &format!("{} = ", self.margin));
        self.put(Ink::Message, &format!("{what}:"));
        self.put(Ink::Plain, &format!(" {text}\n"));
    }

    /// A line of the sheet with a place marked in it.
    fn place(&mut self, span: Span, arrow: &str, ink: Ink, note: &str) {
        let place = self.source.place(span.start);
        let line = Line::around(self.source, span);
        let (margin, number) = (self.margin.clone(), place.line);
        self.put(Ink::Frame, &format!("{margin} {arrow} "));
        let name = visible(self.source.name()).into_owned();
        self.put(Ink::Plain, &format!("{name}:{}:{}\n", place.line, place.column));
        self.put(Ink::Frame, &format!("{margin} |\n{number:>width$} | ", width = margin.len()));
        self.put(Ink::Plain, &format!("{}\n", line.shown));
        self.put(Ink::Frame, &format!("{margin} | "));
        let marks = "^".repeat(line.marked);
        let gap = if note.is_empty() { "" } else { " " };
        self.put(Ink::Plain, &" ".repeat(line.pad));
        self.put(ink, &format!("{marks}{gap}{note}"));
        self.put(Ink::Plain, "\n");
    }
}

/// A line of the sheet as it is shown.
struct Line {
    shown: String,
    /// Columns before the marks.
    pad: usize,
    /// Marks.
    marked: usize,
}

impl Line {
    /// The line of a place. Only the surroundings of the place are looked at: a line may have
    /// megabytes.
    fn around(source: &Source, span: Span) -> Self {
        let place = source.place(span.start);
        let (before, after) = source.line_around(span.start);
        let mut line: Vec<char> = before.chars().rev().take(SHOWN_WIDTH).collect();
        line.reverse();
        let first = line.len();
        let cut_left = place.column - 1 > first;
        line.extend(after.chars().take(SHOWN_WIDTH));
        let cut_right = after.chars().nth(SHOWN_WIDTH).is_some();
        let (from, to) = window(line.len(), first);
        let in_line = |&c: &char| c != '\n' && c != '\r';
        let marked = source.slice(span).chars().take(SHOWN_WIDTH).take_while(in_line).count();
        let end = first + marked.min(to - first);
        let left = if cut_left || from > 0 { "..." } else { "" };
        let right = if cut_right || to < line.len() { "..." } else { "" };
        let (before, place) = (show(&line[from..first]), show(&line[first..end]));
        Line {
            pad: left.len() + before.chars().count(),
            marked: place.chars().count().max(1),
            shown: format!("{left}{before}{place}{}{right}", show(&line[end..to])),
        }
    }
}

/// Characters as they are shown; white space takes one column.
fn show(line: &[char]) -> String {
    let mut shown = String::with_capacity(line.len());
    for &c in line {
        match c {
            '\t' | '\u{b}' | '\u{c}' => shown.push(' '),
            c => push_visible(&mut shown, c),
        }
    }
    shown
}

/// The part of a line of `length` characters to show so that `first` is in it.
fn window(length: usize, first: usize) -> (usize, usize) {
    if length <= SHOWN_WIDTH {
        return (0, length);
    }
    let from = first.saturating_sub(SHOWN_WIDTH / 3).min(length - SHOWN_WIDTH);
    (from, from + SHOWN_WIDTH)
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

    #[test]
    fn marks_stay_under_the_place_behind_hidden_characters() {
        let source = Source::from_text("s\u{1b}.kif", "; \u{202e}x\u{202c}\u{7}\n(p\u{202e} a)");
        let shown = Finding::error("e", Span::new(12, 16), "m\u{202e}n\n").render(&source);
        let expected = "error[e]: m\\u{202e}n\\n\n  --> s\\u{1b}.kif:2:2\n  |\n2 | (p\\u{202e} a)\n  |  ^^^^^^^^^\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn pieces_are_painted_and_moves_are_listed() {
        let source = Source::from_text("s.kif", "(p a)");
        let moves = vec![vec!["(mark 1 1)".to_string(), "noop".to_string()]];
        let finding = Finding::warning("w", Span::new(3, 4), "m").moves(moves);
        let paint = |ink: Ink, text: &str| match ink {
            Ink::Severity(Severity::Warning) => format!("<{text}>"),
            _ => text.to_string(),
        };
        let expected = "<warning[w]>: m\n  --> s.kif:1:4\n  |\n1 | (p a)\n  |    <^>\n  = moves: ((mark 1 1) noop)\n";
        assert_eq!(finding.render_in(&source, &paint), expected);
    }
}
