//! Rules too complex for any player: limits far above what real sheets need, so that whatever
//! works on a rule may be a little careless about its size.

use rustc_hash::FxHashSet;

use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Atom, Literal, LiteralKind, Rule, Rules, Term, TermKind};
use crate::gdl::source::Span;
use crate::gdl::symbols::Symbol;

/// Arguments of a sentence or term; real sheets have up to 20.
const MAX_ARGUMENTS: usize = 1_000;

/// Variables of a rule; real sheets have up to 26.
const MAX_VARIABLES: usize = 250;

/// Literals of a rule, those in connectives included; real sheets have up to 102.
const MAX_LITERALS: usize = 10_000;

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    for rule in &rules.rules {
        if let Some(finding) = rule_finding(rule) {
            findings.push(finding);
        }
    }
}

fn rule_finding(rule: &Rule) -> Option<Finding> {
    let mut size = RuleSize::default();
    size.atom(&rule.head);
    for literal in &rule.body {
        size.literal(literal);
    }
    let (span, count, what, limit) = if let Some((span, arguments)) = size.longest {
        (span, arguments, "arguments", MAX_ARGUMENTS)
    } else if size.variables.len() > MAX_VARIABLES {
        (rule.head.span, size.variables.len(), "variables in one rule", MAX_VARIABLES)
    } else if size.literals > MAX_LITERALS {
        (rule.head.span, size.literals, "literals in one rule", MAX_LITERALS)
    } else {
        return None;
    };
    let message = format!("{count} {what}; more than {limit} are not supported");
    Some(Finding::error("too-complex", span, message).help(
        "divide it into several, or write as rules what follows a pattern; no real game needs \
         so many",
    ))
}

#[derive(Default)]
struct RuleSize {
    variables: FxHashSet<Symbol>,
    literals: usize,
    /// The first list of arguments that is too long.
    longest: Option<(Span, usize)>,
}

impl RuleSize {
    fn literal(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Atom(atom) => {
                self.literals += 1;
                self.atom(atom);
            }
            LiteralKind::Distinct(left, right) => {
                self.literals += 1;
                self.term(left);
                self.term(right);
            }
            LiteralKind::Not(inner) => self.literal(inner),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter().for_each(|part| self.literal(part));
            }
        }
    }

    fn atom(&mut self, atom: &Atom) {
        self.arguments(&atom.args, atom.span);
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(name) => {
                self.variables.insert(*name);
            }
            TermKind::Constant(_) => {}
            TermKind::Function(_, args) => self.arguments(args, term.span),
        }
    }

    fn arguments(&mut self, args: &[Term], span: Span) {
        if args.len() > MAX_ARGUMENTS {
            self.longest.get_or_insert((span, args.len()));
        }
        args.iter().for_each(|arg| self.term(arg));
    }
}
