//! The recursion restriction, which keeps the set of true sentences finite.
//!
//! Where a body names a relation in a cycle with the head, each of its arguments must be ground,
//! be an argument of the head too, or get its values from atoms outside the cycle. A sheet that
//! breaks this may still be finite; grounding decides.
//!
//! The restriction is that of the GDL specification: Love, Hinrichs, Haley, Schkufza and Genesereth
//! 2008.

use rustc_hash::FxHashSet;

use super::quote;
use super::relations::RelationGraph;
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Atom, Rule, Rules, Term, TermKind};
use crate::gdl::symbols::Symbol;

pub(super) fn check(rules: &Rules, relations: &RelationGraph, findings: &mut Findings) {
    for rule in rules.rules.iter().filter(|rule| !rule.body.is_empty()) {
        let Some(head) = relations.id(&rule.head) else { continue };
        let (inside, outside) = split(rule, head, relations);
        if inside.is_empty() {
            continue;
        }
        // Atoms in one arm of an `or` count for the others too: a little too lenient, but a
        // warning is not worth the expansion.
        let mut known: FxHashSet<Symbol> = FxHashSet::default();
        for atom in outside {
            atom.for_each_variable(&mut |variable, _| {
                known.insert(variable);
            });
        }
        let kept: FxHashSet<&Term> = rule.head.args.iter().collect();
        let loose = |term: &&Term| !kept.contains(*term) && !is_bounded(term, &known);
        let offence = inside
            .into_iter()
            .find_map(|atom| atom.args.iter().find(loose).map(|term| (atom, term)));
        if let Some((atom, term)) = offence {
            findings.push(finding(rules, rule, atom, term));
        }
    }
}

/// The body's atoms in a cycle with the head, and its positive atoms outside.
fn split<'a>(
    rule: &'a Rule,
    head: usize,
    relations: &RelationGraph,
) -> (Vec<&'a Atom>, Vec<&'a Atom>) {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for literal in &rule.body {
        literal.for_each_atom(false, &mut |atom, negated| {
            if relations.id(atom).is_some_and(|id| relations.in_cycle(head, id)) {
                inside.push(atom);
            } else if !negated {
                outside.push(atom);
            }
        });
    }
    (inside, outside)
}

fn is_bounded(term: &Term, known: &FxHashSet<Symbol>) -> bool {
    let mut bounded = true;
    term.for_each_variable(&mut |variable, _| bounded &= known.contains(&variable));
    bounded
}

fn finding(rules: &Rules, rule: &Rule, atom: &Atom, term: &Term) -> Finding {
    let (head, body) = (quote::name(rules, rule.head.relation), quote::name(rules, atom.relation));
    let term_text = quote::term(rules, term);
    let cycle = if head == body {
        format!("{head} depends on itself")
    } else {
        format!("{head} and {body} depend on each other")
    };
    let message = format!("{cycle}, and {term_text} is limited by nothing else");
    let what = if matches!(term.kind, TermKind::Variable(_)) {
        term_text
    } else {
        format!("the variables of {term_text}")
    };
    Finding::warning("recursion", term.span, message).help(format!(
        "add a positive literal that contains {what} and does not depend on {head}, or the set of \
         true sentences may have no end"
    ))
}
