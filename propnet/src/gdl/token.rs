//! Text -> tokens: parentheses and words; comments and white space vanish.

use super::finding::Finding;
use super::source::{Source, Span};

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

/// The tokens of a source in order. Words with characters that no symbol may have are reported
/// and kept, so that the rest of the sheet is still read.
pub(super) fn tokens(source: &Source, findings: &mut Vec<Finding>) -> Vec<Token> {
    let text = source.text().as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        let kind = match text[start] {
            b'(' => TokenKind::Open,
            b')' => TokenKind::Close,
            b';' => {
                at = end_of(text, at, |byte| byte == b'\n' || byte == b'\r');
                continue;
            }
            byte if is_space(byte) => continue,
            _ => {
                at = end_of(text, at, |byte| is_space(byte) || matches!(byte, b'(' | b')' | b';'));
                TokenKind::Word
            }
        };
        let span = Span::new(start, at);
        if kind == TokenKind::Word {
            check_word(source.slice(span), span, findings);
        }
        tokens.push(Token { kind, span });
    }
    tokens
}

fn end_of(text: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    text[from..].iter().position(|&byte| stop(byte)).map_or(text.len(), |offset| from + offset)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

fn check_word(text: &str, span: Span, findings: &mut Vec<Finding>) {
    let bad = text.chars().find(|&c| c == '\u{fffd}' || c.is_control());
    let Some(bad) = bad else { return };
    let what = if bad == '\u{fffd}' {
        "bytes that are not UTF-8".to_string()
    } else {
        format!("the control character U+{:04X}", bad as u32)
    };
    findings.push(
        Finding::error("bad-character", span, format!("a symbol contains {what}")).help(
            "write symbols in letters, digits and signs; anything else may stand in comments",
        ),
    );
}
