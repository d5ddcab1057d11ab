//! `(and ...)`, which is understood though GDL does not have it.

use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Literal, LiteralKind, Rules};
use crate::gdl::source::Span;

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    for rule in &rules.rules {
        // Once a rule is enough.
        if let Some(span) = rule.body.iter().find_map(first_and) {
            findings.push(Finding::warning("and-literal", span, "GDL has no `and`").help(
                "accepted here, but not by every player: list the parts in the body, or, inside \
                     `or` and `not`, give them a relation of their own",
            ));
        }
    }
}

fn first_and(literal: &Literal) -> Option<Span> {
    match &literal.kind {
        LiteralKind::And(_) => Some(literal.span),
        LiteralKind::Or(parts) => parts.iter().find_map(first_and),
        LiteralKind::Not(inner) => first_and(inner),
        LiteralKind::Atom(_) | LiteralKind::Distinct(..) => None,
    }
}
