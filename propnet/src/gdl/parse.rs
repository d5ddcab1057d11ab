//! Nested lists -> rules.
//!
//! Everything that is wrong with the form of the text is found here, all of it at once: a rule
//! that cannot be read is reported and left out, and reading goes on after it.

use super::expr::{Expr, ExprKind, ExprReader};
use super::finding::Finding;
use super::findings::Findings;
use super::rules::{Atom, Literal, LiteralKind, Rule, Rules, Term, TermKind};
use super::source::{Source, Span};
use super::symbols::{Symbols, word};

/// Reads a sheet. The findings are the errors of form; the rules are those that could be read.
pub fn parse(source: Source) -> (Rules, Vec<Finding>) {
    let mut findings = Findings::default();
    let rules = parse_into(source, &mut findings);
    (rules, findings.into_sorted())
}

/// Reads a sheet, adding to `findings`.
pub(super) fn parse_into(source: Source, findings: &mut Findings) -> Rules {
    let mut expressions = ExprReader::new(&source, findings);
    let mut reader = RuleReader { source: &source, symbols: Symbols::default(), findings };
    let mut rules = Vec::new();
    while let Some(expr) = expressions.next(reader.findings) {
        rules.extend(reader.rule(&expr));
    }
    let symbols = reader.symbols;
    Rules { source, symbols, rules }
}

/// Reads one ground term, such as a move or a state sentence, with symbols of its own.
/// `None` where the text is not exactly one ground term.
pub fn parse_ground_term(text: &str) -> Option<(Term, Symbols)> {
    let mut findings = Findings::default();
    let source = Source::from_text("term", text);
    let mut expressions = ExprReader::new(&source, &mut findings);
    let expr = expressions.next(&mut findings)?;
    if expressions.next(&mut findings).is_some() {
        return None;
    }
    let mut reader =
        RuleReader { source: &source, symbols: Symbols::default(), findings: &mut findings };
    let term = reader.term(&expr);
    let symbols = reader.symbols;
    let mut ground = !findings.has_errors();
    let term = term?;
    term.for_each_variable(&mut |_, _| ground = false);
    ground.then_some((term, symbols))
}

struct RuleReader<'a> {
    source: &'a Source,
    symbols: Symbols,
    findings: &'a mut Findings,
}

impl<'a> RuleReader<'a> {
    fn rule(&mut self, expr: &Expr) -> Option<Rule> {
        let items = match &expr.kind {
            ExprKind::List(items) if self.starts_with_if(items) => items,
            _ => {
                let head = self.atom(expr)?;
                return Some(Rule { head, body: Vec::new(), span: expr.span });
            }
        };
        let [_, head, body @ ..] = items.as_slice() else {
            self.findings.push(
                Finding::error("empty-rule", expr.span, "a rule without a head")
                    .help("write (<= head literal...)"),
            );
            return None;
        };
        let head = self.atom(head);
        // Every literal is read even where one fails, so that all complaints are made.
        let body: Vec<Option<Literal>> = body.iter().map(|part| self.literal(part)).collect();
        let body: Option<Vec<Literal>> = body.into_iter().collect();
        Some(Rule { head: head?, body: body?, span: expr.span })
    }

    fn starts_with_if(&self, items: &[Expr]) -> bool {
        matches!(items.first(), Some(first) if matches!(first.kind, ExprKind::Word)
            && self.source.slice(first.span) == "<=")
    }

    fn literal(&mut self, expr: &Expr) -> Option<Literal> {
        let span = expr.span;
        let ExprKind::List(items) = &expr.kind else {
            if let Some(form) = connective_form(self.source.slice(span)) {
                return self.bare_connective(span, form);
            }
            return Some(Literal { kind: LiteralKind::Atom(self.atom(expr)?), span });
        };
        let name = match items.first() {
            Some(first) if matches!(first.kind, ExprKind::Word) => {
                self.symbols.intern(self.source.slice(first.span))
            }
            _ => word::TRUE, // not a connective; `atom` reports what is wrong
        };
        let kind = match name {
            word::NOT => {
                let [_, inner] = items.as_slice() else {
                    return self.wrong_count(span, "not", "one literal", items.len() - 1);
                };
                LiteralKind::Not(Box::new(self.literal(inner)?))
            }
            word::OR | word::AND => {
                let parts: Vec<_> = items[1..].iter().map(|part| self.literal(part)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                if parts.is_empty() {
                    let text = if name == word::OR { "or" } else { "and" };
                    return self.wrong_count(span, text, "one literal or more", 0);
                }
                if name == word::OR { LiteralKind::Or(parts) } else { LiteralKind::And(parts) }
            }
            word::DISTINCT => {
                let [_, left, right] = items.as_slice() else {
                    return self.wrong_count(span, "distinct", "two terms", items.len() - 1);
                };
                let (left, right) = (self.term(left), self.term(right));
                LiteralKind::Distinct(left?, right?)
            }
            _ => LiteralKind::Atom(self.atom(expr)?),
        };
        Some(Literal { kind, span })
    }

    fn atom(&mut self, expr: &Expr) -> Option<Atom> {
        let (relation, args) = self.application(expr, "a sentence")?;
        let relation = self.symbols.intern(relation);
        Some(Atom { relation, args: self.terms(args)?, span: expr.span })
    }

    fn term(&mut self, expr: &Expr) -> Option<Term> {
        let span = expr.span;
        if matches!(expr.kind, ExprKind::Word) && self.source.slice(span).starts_with('?') {
            let name = self.symbols.intern(self.source.slice(span));
            return Some(Term { kind: TermKind::Variable(name), span });
        }
        let (name, args) = self.application(expr, "a term")?;
        let name = self.symbols.intern_in_term(name);
        let args = self.terms(args)?;
        let kind =
            if args.is_empty() { TermKind::Constant(name) } else { TermKind::Function(name, args) };
        Some(Term { kind, span })
    }

    /// Every term is read even where one fails, so that all complaints are made.
    fn terms(&mut self, exprs: &[Expr]) -> Option<Vec<Term>> {
        let terms: Vec<_> = exprs.iter().map(|expr| self.term(expr)).collect();
        terms.into_iter().collect()
    }

    /// The parts of `name`, `(name)` or `(name term...)`.
    fn application<'e>(&mut self, expr: &'e Expr, what: &str) -> Option<(&'a str, &'e [Expr])> {
        let (name, args) = match &expr.kind {
            ExprKind::Word => (expr, [].as_slice()),
            ExprKind::List(items) => match items.as_slice() {
                [] => return self.reject(expr.span, format!("`()` where {what} should stand")),
                [name, args @ ..] => (name, args),
            },
        };
        if !matches!(name.kind, ExprKind::Word) {
            return self.reject(name.span, format!("a list where the name of {what} should stand"));
        }
        let text = self.source.slice(name.span);
        if text.starts_with('?') {
            return self
                .reject(name.span, format!("a variable where the name of {what} should stand"));
        }
        if text == "<=" && matches!(expr.kind, ExprKind::List(_)) {
            return self.nested_rule(expr.span);
        }
        Some((text, args))
    }

    fn wrong_count<T>(&mut self, span: Span, name: &str, wants: &str, got: usize) -> Option<T> {
        let message = format!("`{name}` takes {wants}, but here it has {got}");
        let finding = Finding::error("bad-literal", span, message);
        let form = connective_form(name).unwrap_or(name);
        self.findings.push(finding.help(format!("write {form}; check the parentheses")));
        None
    }

    fn bare_connective<T>(&mut self, span: Span, form: &str) -> Option<T> {
        let message = format!("`{}` stands here without parentheses", self.source.slice(span));
        self.findings
            .push(Finding::error("bad-literal", span, message).help(format!("write {form}")));
        None
    }

    fn nested_rule<T>(&mut self, span: Span) -> Option<T> {
        self.findings.push(
            Finding::error("nested-rule", span, "a rule inside another sentence")
                .help("a `)` is probably missing before this place, and one too many behind it"),
        );
        None
    }

    fn reject<T>(&mut self, span: Span, message: String) -> Option<T> {
        self.findings.push(
            Finding::error("bad-sentence", span, message)
                .help("a sentence or term is a name, or a list that starts with one"),
        );
        None
    }
}

/// How a connective is written; `None` for other words.
fn connective_form(text: &str) -> Option<&'static str> {
    [
        ("not", "(not LITERAL)"),
        ("or", "(or LITERAL ...)"),
        ("and", "(and LITERAL ...)"),
        ("distinct", "(distinct TERM TERM)"),
    ]
    .into_iter()
    .find_map(|(name, form)| text.eq_ignore_ascii_case(name).then_some(form))
}
