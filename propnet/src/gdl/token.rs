//! Text -> tokens: parentheses and words; comments and white space vanish.

use super::finding::Finding;
use super::findings::Findings;
use super::source::Span;
use super::visible::is_hidden;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    Word,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// The tokens of a text in order, one at a time: a list of all of them would take more memory
/// than the rules.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Tokens { text, at: 0 }
    }

    /// The next token. Words with characters that no symbol may have are reported and kept, so
    /// that the rest of the sheet is still read.
    pub(super) fn next(&mut self, findings: &mut Findings) -> Option<Token> {
        let text = self.text.as_bytes();
        loop {
            let start = self.at;
            let byte = *text.get(start)?;
            self.at += 1;
            let kind = match byte {
                b'(' => TokenKind::Open,
                b')' => TokenKind::Close,
                b';' => {
                    self.at = end_of(text, self.at, |byte| byte == b'\n' || byte == b'\r');
                    continue;
                }
                byte if is_space(byte) => continue,
                _ => {
                    self.at = end_of(text, self.at, ends_word);
                    TokenKind::Word
                }
            };
            let span = Span::new(start, self.at);
            if kind == TokenKind::Word {
                check_word(&self.text[start..self.at], span, findings);
            }
            return Some(Token { kind, span });
        }
    }
}

fn ends_word(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'(' | b')' | b';')
}

fn end_of(text: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    text[from..].iter().position(|&byte| stop(byte)).map_or(text.len(), |offset| from + offset)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

fn check_word(text: &str, span: Span, findings: &mut Findings) {
    let bad = text.chars().find(|&c| c == '\u{fffd}' || is_hidden(c));
    let Some(bad) = bad else { return };
    let what = if bad == '\u{fffd}' {
        "bytes that are not UTF-8".to_string()
    } else {
        let kind = if bad.is_control() { "control" } else { "invisible" };
        format!("the {kind} character U+{:04X}", bad as u32)
    };
    findings.push(
        Finding::error("bad-character", span, format!("a symbol contains {what}")).help(
            "write symbols in letters, digits and signs; anything else may stand in comments",
        ),
    );
}
