//! `base` and `input` against the heads they should cover, by functor.
//!
//! Whether each single fact is covered needs evaluation; that the sheet forgot a whole functor
//! does not.

use rustc_hash::FxHashSet;

use super::quote;
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Rule, Rules, Term, TermKind};
use crate::gdl::symbols::{Symbol, word};

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    check_covered(rules, word::BASE, &[word::INIT, word::NEXT], findings);
    check_covered(rules, word::INPUT, &[word::LEGAL], findings);
}

fn check_covered(rules: &Rules, declares: Symbol, uses: &[Symbol], findings: &mut Findings) {
    let heads = rules.rules.iter().filter(|rule| rule.head.relation == declares);
    let mut declared: FxHashSet<(Symbol, usize)> = FxHashSet::default();
    let mut any = false;
    for term in heads.filter_map(subject) {
        any = true;
        match functor(term) {
            Some(functor) => declared.insert(functor),
            None => return, // a variable covers everything
        };
    }
    if !any {
        return;
    }
    for rule in rules.rules.iter().filter(|rule| uses.contains(&rule.head.relation)) {
        let Some(term) = subject(rule) else { continue };
        let Some((name, arity)) = functor(term) else { continue };
        // Once a functor is enough.
        if declared.insert((name, arity)) {
            let (declares, user) =
                (quote::name(rules, declares), quote::name(rules, rule.head.relation));
            let what = quote::relation(rules, name, arity);
            let code = if uses.contains(&word::LEGAL) { "not-in-input" } else { "not-in-base" };
            let message = format!("{user} can conclude {what}, which no {declares} declares");
            findings.push(
                Finding::warning(code, term.span, message)
                    .help(format!("add {declares} rules for it, or remove those there are")),
            );
        }
    }
}

/// The fact or move that a head is about: its last argument.
fn subject(rule: &Rule) -> Option<&Term> {
    rule.head.args.last()
}

fn functor(term: &Term) -> Option<(Symbol, usize)> {
    match &term.kind {
        TermKind::Variable(_) => None,
        TermKind::Constant(name) => Some((*name, 0)),
        TermKind::Function(name, args) => Some((*name, args.len())),
    }
}
