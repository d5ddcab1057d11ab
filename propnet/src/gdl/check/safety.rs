//! Safety: every variable of a head, a negated atom or a `distinct` is bound by a positive atom.
//!
//! A body is read with its `not`s pushed inwards, so that it consists of conjunctions and
//! disjunctions over atoms, negated atoms and comparisons. A variable that needs a binding has
//! one if on the way from its place up to the whole body some conjunction has a part that binds
//! it; a disjunction binds what all its arms bind.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{heads, quote};
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::{Literal, LiteralKind, Rule, Rules};
use crate::gdl::source::Span;
use crate::gdl::symbols::Symbol;

pub(super) fn check(rules: &Rules, findings: &mut Findings) {
    for rule in &rules.rules {
        if !heads::is_refused(rule) {
            check_rule(rules, rule, findings);
        }
    }
}

fn check_rule(rules: &Rules, rule: &Rule, findings: &mut Findings) {
    let uses = conjunction(&rule.body, false);
    let mut unsafe_variables = uses.needs;
    rule.head.for_each_variable(&mut |variable, span| {
        if !uses.binds.contains(&variable) {
            let need = OutsideNeed { span, place: NeedPlace::Head };
            // The head's complaint replaces the body's; within the head the first stands.
            let known = unsafe_variables.entry(variable).or_insert(need);
            if known.place != NeedPlace::Head {
                *known = need;
            }
        }
    });
    if unsafe_variables.is_empty() {
        return;
    }
    let positive = positive_variables(rule);
    let mut unsafe_variables: Vec<_> = unsafe_variables.into_iter().collect();
    unsafe_variables.sort_by_key(|(_, need)| need.span.start);
    for (variable, need) in unsafe_variables {
        let name = quote::name(rules, variable);
        let place = match need.place {
            NeedPlace::Head if rule.body.is_empty() => "a fact",
            NeedPlace::Head => "the head",
            NeedPlace::Not => "a `not`",
            NeedPlace::Distinct => "a `distinct`",
        };
        let (message, help) = if rule.body.is_empty() {
            (
                format!("variable {name} in {place}"),
                format!("replace it by a constant, or add a body that contains {name}"),
            )
        } else if positive.contains(&variable) {
            (
                format!("variable {name} in {place} is bound only in some arms of an `or`"),
                format!("add a positive literal that contains {name} to every arm, or outside"),
            )
        } else {
            (
                format!("variable {name} in {place} is bound by no positive literal of the body"),
                format!("add a positive literal that contains {name}"),
            )
        };
        findings.push(Finding::error("unsafe-variable", need.span, message).help(help));
    }
}

/// What a part of a body does with its variables.
#[derive(Default)]
struct VariableUses {
    /// Those it gives values to.
    binds: FxHashSet<Symbol>,
    /// Those that must get theirs from outside, with the first place that says so.
    needs: FxHashMap<Symbol, OutsideNeed>,
}

#[derive(Clone, Copy)]
struct OutsideNeed {
    span: Span,
    place: NeedPlace,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NeedPlace {
    Head,
    Not,
    Distinct,
}

fn uses(literal: &Literal, negated: bool) -> VariableUses {
    let mut found = VariableUses::default();
    match &literal.kind {
        LiteralKind::Atom(atom) if negated => {
            atom.for_each_variable(&mut |variable, span| {
                found.need(variable, span, NeedPlace::Not)
            });
        }
        LiteralKind::Atom(atom) => {
            atom.for_each_variable(&mut |variable, _| {
                found.binds.insert(variable);
            });
        }
        LiteralKind::Distinct(left, right) => {
            for term in [left, right] {
                term.for_each_variable(&mut |variable, span| {
                    found.need(variable, span, NeedPlace::Distinct);
                });
            }
        }
        LiteralKind::Not(inner) => found = uses(inner, !negated),
        LiteralKind::And(parts) if !negated => found = conjunction(parts, negated),
        LiteralKind::Or(parts) if negated => found = conjunction(parts, negated),
        LiteralKind::And(parts) | LiteralKind::Or(parts) => found = disjunction(parts, negated),
    }
    found
}

fn conjunction(parts: &[Literal], negated: bool) -> VariableUses {
    let mut whole = VariableUses::default();
    for part in parts {
        let mut part = uses(part, negated);
        // Each side is already free of what it binds itself, so only what crosses is looked at;
        // with the smaller side walked each time this stays n log n, however deep the nesting.
        part.supply(&whole.binds);
        whole.supply(&part.binds);
        whole.add_needs(part.needs);
        let (mut large, small) = larger_first(whole.binds, part.binds);
        large.extend(small);
        whole.binds = large;
    }
    whole
}

fn disjunction(parts: &[Literal], negated: bool) -> VariableUses {
    let mut arms = parts.iter().map(|part| uses(part, negated));
    let Some(mut whole) = arms.next() else { return VariableUses::default() };
    for arm in arms {
        whole.add_needs(arm.needs);
        let (large, mut small) = larger_first(whole.binds, arm.binds);
        small.retain(|variable| large.contains(variable));
        whole.binds = small;
    }
    whole
}

impl VariableUses {
    fn need(&mut self, variable: Symbol, span: Span, place: NeedPlace) {
        self.needs.entry(variable).or_insert(OutsideNeed { span, place });
    }

    /// Drops the needs that `binds` meets.
    fn supply(&mut self, binds: &FxHashSet<Symbol>) {
        if self.needs.len() <= binds.len() {
            self.needs.retain(|variable, _| !binds.contains(variable));
        } else {
            for variable in binds {
                self.needs.remove(variable);
            }
        }
    }

    fn add_needs(&mut self, mut other: FxHashMap<Symbol, OutsideNeed>) {
        if other.len() > self.needs.len() {
            std::mem::swap(&mut self.needs, &mut other);
        }
        for (variable, need) in other {
            let known = self.needs.entry(variable).or_insert(need);
            if need.span.start < known.span.start {
                *known = need;
            }
        }
    }
}

fn larger_first(
    a: FxHashSet<Symbol>,
    b: FxHashSet<Symbol>,
) -> (FxHashSet<Symbol>, FxHashSet<Symbol>) {
    if a.len() >= b.len() { (a, b) } else { (b, a) }
}

/// The variables that some positive atom has, be it in one arm only.
fn positive_variables(rule: &Rule) -> FxHashSet<Symbol> {
    let mut found = FxHashSet::default();
    for literal in &rule.body {
        literal.for_each_atom(false, &mut |atom, negated| {
            if !negated {
                atom.for_each_variable(&mut |variable, _| {
                    found.insert(variable);
                });
            }
        });
    }
    found
}
