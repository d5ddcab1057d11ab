//! Tokens -> nested lists: the syntax that rule sheets and messages share.

use super::finding::Finding;
use super::source::{Source, Span};
use super::token::{TokenKind, tokens};

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
    if source.text().len() > Source::MAX_BYTES {
        findings.push(Finding::sheet_error(
            "too-large",
            format!("the text has over {} MB", Source::MAX_BYTES >> 20),
        ));
        return Vec::new();
    }
    let mut done = Vec::new();
    let mut open: Vec<(Span, Vec<Expr>)> = Vec::new();
    for token in tokens(source, findings) {
        let whole = match token.kind {
            TokenKind::Open if open.len() == MAX_DEPTH => {
                findings.push(
                    Finding::error(
                        "too-deep",
                        token.span,
                        format!("parentheses are nested more than {MAX_DEPTH} deep"),
                    )
                    .help("flatten the term; no real game needs such nesting"),
                );
                return done;
            }
            TokenKind::Open => {
                open.push((token.span, Vec::new()));
                continue;
            }
            TokenKind::Word => Expr { span: token.span, kind: ExprKind::Word },
            TokenKind::Close => match open.pop() {
                Some((start, items)) => {
                    Expr { span: start.to(token.span), kind: ExprKind::List(items) }
                }
                None => {
                    findings.push(
                        Finding::error(
                            "surplus-parenthesis",
                            token.span,
                            "this `)` closes nothing",
                        )
                        .help("remove it, or add the `(` that it belongs to"),
                    );
                    continue;
                }
            },
        };
        match open.last_mut() {
            Some((_, items)) => items.push(whole),
            None => done.push(whole),
        }
    }
    if let Some((start, _)) = open.first() {
        findings
            .push(Finding::error("missing-parenthesis", *start, "this `(` is never closed").help(
                "add the missing `)`; the rule that starts here runs to the end of the text",
            ));
    }
    done
}
