//! Tokens -> nested lists: the syntax that rule sheets and messages share.

use super::finding::Finding;
use super::findings::Findings;
use super::source::{Source, Span};
use super::token::{TokenKind, Tokens};

/// How deeply lists may be nested. Real sheets stay below twenty; the limit keeps every walk
/// over a term well within the stack.
pub const MAX_DEPTH: usize = 500;

/// A word or a list, with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// From the first to the last character.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// Word or list. The word's text is what the source has at the span.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A symbol or variable.
    Word,
    /// A parenthesised list.
    List(Vec<Expr>),
}

/// The top-level expressions of a source. What is wrong with the parentheses goes to `findings`;
/// the expressions that are whole are returned all the same.
pub fn read_expressions(source: &Source, findings: &mut Vec<Finding>) -> Vec<Expr> {
    let mut found = Findings::default();
    let mut reader = ExprReader::new(source, &mut found);
    let expressions = std::iter::from_fn(|| reader.next(&mut found)).collect();
    findings.extend(found.into_sorted());
    expressions
}

/// Reads expressions one at a time, so that a sheet is never in memory twice.
pub(super) struct ExprReader<'a> {
    tokens: Option<Tokens<'a>>,
    open: Vec<(Span, Vec<Expr>)>,
}

impl<'a> ExprReader<'a> {
    pub(super) fn new(source: &'a Source, findings: &mut Findings) -> Self {
        let fits = source.text().len() <= Source::MAX_BYTES;
        if !fits {
            let limit = Source::MAX_BYTES >> 20;
            findings.push(
                Finding::sheet_error("too-large", format!("the text has over {limit} MB"))
                    .help("write facts that follow a pattern as rules; no real game needs so many"),
            );
        }
        ExprReader { tokens: fits.then(|| Tokens::new(source.text())), open: Vec::new() }
    }

    /// The next whole expression.
    pub(super) fn next(&mut self, findings: &mut Findings) -> Option<Expr> {
        while let Some(token) = self.tokens.as_mut()?.next(findings) {
            let whole = match token.kind {
                TokenKind::Open if self.open.len() == MAX_DEPTH => {
                    self.tokens = None;
                    findings.push(too_deep(token.span));
                    return None;
                }
                TokenKind::Open => {
                    self.open.push((token.span, Vec::new()));
                    continue;
                }
                TokenKind::Word => Expr { span: token.span, kind: ExprKind::Word },
                TokenKind::Close => match self.open.pop() {
                    Some((start, items)) => {
                        Expr { span: start.to(token.span), kind: ExprKind::List(items) }
                    }
                    None => {
                        findings.push(surplus(token.span));
                        continue;
                    }
                },
            };
            match self.open.last_mut() {
                Some((_, items)) => items.push(whole),
                None => return Some(whole),
            }
        }
        self.tokens = None;
        if let Some((start, _)) = self.open.first() {
            findings.push(missing(*start));
        }
        None
    }
}

pub(super) fn too_deep(span: Span) -> Finding {
    let message = format!("parentheses are nested more than {MAX_DEPTH} deep");
    Finding::error("too-deep", span, message)
        .help("flatten the term; no real game needs such nesting")
}

pub(super) fn surplus(span: Span) -> Finding {
    Finding::error("surplus-parenthesis", span, "this `)` closes nothing")
        .help("remove it, or add the `(` that it belongs to")
}

pub(super) fn missing(span: Span) -> Finding {
    Finding::error("missing-parenthesis", span, "this `(` is never closed")
        .help("add the missing `)`; the rule that starts here runs to the end of the text")
}
