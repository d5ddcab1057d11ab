//! Functions whose number of arguments changes.
//!
//! Hardly any good sheet has one, and the two forms never match each other.

use rustc_hash::{FxHashMap, FxHashSet};

use super::quote;
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Literal, LiteralKind, Rules, Term, TermKind};
use crate::gdl::source::Span;
use crate::gdl::symbols::Symbol;

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    let mut seen = SeenFunctions { rules, first: FxHashMap::default(), told: FxHashSet::default() };
    for rule in &rules.rules {
        seen.terms(&rule.head.args, findings);
        for literal in &rule.body {
            seen.literal(literal, findings);
        }
    }
}

struct SeenFunctions<'a> {
    rules: &'a Rules,
    /// The first use of each function.
    first: FxHashMap<Symbol, (usize, Span)>,
    /// The functions that were reported; once is enough.
    told: FxHashSet<Symbol>,
}

impl SeenFunctions<'_> {
    fn literal(&mut self, literal: &Literal, findings: &mut Findings) {
        match &literal.kind {
            LiteralKind::Atom(atom) => self.terms(&atom.args, findings),
            LiteralKind::Not(inner) => self.literal(inner, findings),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                for part in parts {
                    self.literal(part, findings);
                }
            }
            LiteralKind::Distinct(left, right) => {
                self.term(left, findings);
                self.term(right, findings);
            }
        }
    }

    fn terms(&mut self, terms: &[Term], findings: &mut Findings) {
        for term in terms {
            self.term(term, findings);
        }
    }

    fn term(&mut self, term: &Term, findings: &mut Findings) {
        let TermKind::Function(name, args) = &term.kind else { return };
        let (known, place) = *self.first.entry(*name).or_insert((args.len(), term.span));
        if known != args.len() && self.told.insert(*name) {
            let message = format!(
                "function {} has {} here and {known} elsewhere",
                quote::name(self.rules, *name),
                quote::arguments(args.len()),
            );
            findings.push(
                Finding::warning("function-arities", term.span, message)
                    .related(place, "first here")
                    .help("the two never match each other; give them two names, or mend one"),
            );
        }
        self.terms(args, findings);
    }
}
