//! The text of a rule sheet and places in it.
//!
//! Sheets arrive as bytes from files and messages. They are decoded once, leniently, because
//! comments in the field hold every encoding; bytes that are no UTF-8 only matter inside symbols.

use std::fmt;

/// A stretch of the text, in bytes.
///
/// Spans say where something was written, not what it is: all spans compare equal, so two rules
/// are equal when they mean the same text, wherever it stands.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset of the byte after the last.
    pub end: u32,
}

impl Span {
    /// The stretch from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        // Sheets are limited to MAX_BYTES, far below u32::MAX.
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest stretch that covers both.
    pub fn to(self, other: Span) -> Self {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

impl std::hash::Hash for Span {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// Line and column, both counted from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Place {
    /// Line number.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A named text with its line starts.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// The largest sheet that is read, in bytes. The largest real one has under 1 MB; the rules
    /// of a sheet may take fifty times the memory of its text.
    pub const MAX_BYTES: usize = 16 << 20;

    /// A source from raw bytes: a byte-order mark is dropped, bytes that are no UTF-8 become
    /// U+FFFD, which the tokeniser accepts in comments only.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut line_starts = vec![0];
        let raw = text.as_bytes();
        // What is longer is refused, so nobody asks for places after that.
        for (at, &byte) in raw.iter().enumerate().take(Self::MAX_BYTES) {
            // A lone CR ends a line too; of CR LF only the LF counts.
            if byte == b'\n' || (byte == b'\r' && raw.get(at + 1) != Some(&b'\n')) {
                line_starts.push(at as u32 + 1);
            }
        }
        Source { name: name.into(), text, line_starts }
    }

    /// A source from text.
    pub fn from_text(name: impl Into<String>, text: &str) -> Self {
        Self::from_bytes(name, text.as_bytes())
    }

    /// What the sheet is called, usually its file name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte offset.
    pub fn place(&self, offset: u32) -> Place {
        let offset = (offset as usize).min(self.text.len());
        let (line, start) = self.line_of(offset);
        let column = self.text.get(start..offset).map_or(0, |text| text.chars().count()) + 1;
        Place { line, column }
    }

    /// The line around a byte offset, without its line end: what stands before it and the rest.
    pub fn line_around(&self, offset: u32) -> (&str, &str) {
        let offset = (offset as usize).min(self.text.len());
        let (line, start) = self.line_of(offset);
        let text = self.line(line);
        text.split_at_checked(offset - start).unwrap_or((text, ""))
    }

    /// The line (counted from one) of a byte offset, and the offset of its first byte.
    fn line_of(&self, offset: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start as usize <= offset);
        (line, self.line_starts[line - 1] as usize)
    }

    /// The text of a line (counted from one), without its line end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line - 1] as usize;
        let end = self.line_starts.get(line).map_or(self.text.len(), |&end| end as usize);
        self.text[start..end].trim_end_matches(['\r', '\n'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_every_kind_of_line_end() {
        let source = Source::from_text("s", "a\r\nb\rc\nd");
        let places: Vec<_> = [0, 3, 5, 7].map(|at| source.place(at).line).to_vec();
        assert_eq!(places, [1, 2, 3, 4]);
        assert_eq!((source.line(2), source.line(3)), ("b", "c"));
    }

    #[test]
    fn columns_count_characters_and_the_mark_is_dropped() {
        let source = Source::from_bytes("s", "\u{feff};é x".as_bytes());
        assert_eq!(source.place(4), Place { line: 1, column: 4 });
        assert_eq!(source.text(), ";é x");
    }
}
