//! Rules that are written twice, perhaps with other names for the variables.

use rustc_hash::FxHashMap;

use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Atom, Literal, LiteralKind, Rule, Rules, Term, TermKind};
use crate::gdl::source::Span;
use crate::gdl::symbols::{Symbol, word};

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    let mut first: FxHashMap<Vec<u32>, Span> = FxHashMap::default();
    for rule in &rules.rules {
        let known = *first.entry(shape(rule)).or_insert(rule.span);
        if known.start != rule.span.start {
            let what = if rule.body.is_empty() { "fact" } else { "rule" };
            findings.push(
                Finding::warning("duplicate", rule.span, format!("this {what} was given before"))
                    .related(known, "first here")
                    .help("remove one of them, or mend it if it should say something else"),
            );
        }
    }
}

/// A rule as a flat row of numbers in which variables are counted in the order they occur: two
/// rules have equal rows exactly if they differ in the names of variables only.
fn shape(rule: &Rule) -> Vec<u32> {
    let mut row = Row::default();
    row.atom(&rule.head);
    for literal in &rule.body {
        row.literal(literal);
    }
    row.cells
}

#[derive(Default)]
struct Row {
    cells: Vec<u32>,
    variables: FxHashMap<Symbol, u32>,
}

/// Marks a variable; what follows is its number. No sheet has that many symbols.
const VARIABLE: u32 = u32::MAX;

impl Row {
    /// A name and how many parts follow it, so that the row can be read in one way only.
    fn open(&mut self, name: Symbol, parts: usize) {
        self.cells.extend([name.0, parts as u32]);
    }

    fn atom(&mut self, atom: &Atom) {
        self.open(atom.relation, atom.args.len());
        for arg in &atom.args {
            self.term(arg);
        }
    }

    fn literal(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Atom(atom) => self.atom(atom),
            LiteralKind::Not(inner) => {
                self.open(word::NOT, 1);
                self.literal(inner);
            }
            LiteralKind::Or(parts) => self.parts(word::OR, parts),
            LiteralKind::And(parts) => self.parts(word::AND, parts),
            LiteralKind::Distinct(left, right) => {
                self.open(word::DISTINCT, 2);
                self.term(left);
                self.term(right);
            }
        }
    }

    fn parts(&mut self, name: Symbol, parts: &[Literal]) {
        self.open(name, parts.len());
        for part in parts {
            self.literal(part);
        }
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(name) => {
                let next = self.variables.len() as u32;
                let number = *self.variables.entry(*name).or_insert(next);
                self.cells.extend([VARIABLE, number]);
            }
            TermKind::Constant(name) => self.open(*name, 0),
            TermKind::Function(name, args) => {
                self.open(*name, args.len());
                for arg in args {
                    self.term(arg);
                }
            }
        }
    }
}
