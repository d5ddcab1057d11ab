//! Variables in the place of whole fluents or moves: one rule for each function they can be made
//! with.
//!
//! ```text
//! h <- (true ?f)     becomes     h <- (true (cell ?a ?b))     h <- (true ?f), ?f a constant
//! ```

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::connectives::{BodyCondition, PlainRule, fresh_name};
use super::functors::{Functor, Functors};
use super::limits::GroundError;
use super::pace::Pace;
use crate::gdl::{Atom, Symbol, Symbols, Term, TermKind, word};

/// A rule that may still have such variables.
struct Open {
    rule: PlainRule,
    /// Variables that are known to be constants.
    constants: FxHashSet<Symbol>,
    /// How many of the new names it has.
    parts: usize,
}

/// Replaces variables that stand for whole fluents or moves.
pub(super) fn specialize(
    rules: Vec<PlainRule>,
    symbols: &mut Symbols,
    pace: &mut Pace<'_>,
) -> Result<Vec<PlainRule>, GroundError> {
    let none = FxHashSet::default();
    let Some(first) = rules.iter().find(|rule| whole_variable(rule, &none).is_some()) else {
        return Ok(rules);
    };
    let origin = first.origin;
    let functors = Functors::new(&rules, &mut || pace.step(origin).is_ok());
    let functors = functors.ok_or_else(|| pace.stopped(origin))?;
    // New names, used in every rule from the first on.
    let mut names: Vec<Symbol> = Vec::new();
    let mut done = Vec::with_capacity(rules.len());
    let open = |rule| Open { rule, constants: FxHashSet::default(), parts: 0 };
    let mut work: Vec<Open> = rules.into_iter().rev().map(open).collect();
    while let Some(Open { rule, constants, parts }) = work.pop() {
        let Some(variable) = whole_variable(&rule, &constants) else {
            done.push(rule);
            continue;
        };
        let domain: BTreeSet<Functor> = functors.of_variable(variable, &rule);
        let mixed = domain.len() > 1;
        for functor in domain.into_iter().rev() {
            pace.rule(&rule)?;
            match functor {
                None => {
                    let (mut rule, mut constants) = (rule.clone(), constants.clone());
                    constants.insert(variable);
                    if mixed {
                        rule.body.push(BodyCondition::IsConstant(variable));
                    }
                    work.push(Open { rule, constants, parts });
                }
                Some((name, arity)) => {
                    while names.len() < parts + arity {
                        names.push(fresh_name(symbols, "?part"));
                    }
                    let rule = substitute(&rule, variable, name, &names[parts..parts + arity]);
                    let (constants, parts) = (constants.clone(), parts + arity);
                    work.push(Open { rule, constants, parts });
                }
            }
        }
    }
    Ok(done)
}

/// Relations whose last argument is a whole fluent or move.
pub(super) fn takes_fluent_or_move(atom: &Atom) -> bool {
    matches!(
        (atom.relation, atom.args.len()),
        (word::TRUE | word::NEXT | word::INIT, 1) | (word::DOES | word::LEGAL, 2)
    )
}

/// A variable in the place of a whole fluent or move that is not known to be a constant.
fn whole_variable(rule: &PlainRule, constants: &FxHashSet<Symbol>) -> Option<Symbol> {
    let in_body = rule.body.iter().filter_map(|condition| match condition {
        BodyCondition::Holds(atom) | BodyCondition::Fails(atom) => Some(atom),
        BodyCondition::Compare { .. } | BodyCondition::IsConstant(_) => None,
    });
    let mut atoms = std::iter::once(&rule.head).chain(in_body);
    atoms.find_map(|atom| match atom.args.last()?.kind {
        TermKind::Variable(name) if takes_fluent_or_move(atom) && !constants.contains(&name) => {
            Some(name)
        }
        _ => None,
    })
}

fn substitute(rule: &PlainRule, variable: Symbol, name: Symbol, parts: &[Symbol]) -> PlainRule {
    let in_term = |term: &Term| replace(term, variable, name, parts);
    let in_atom =
        |atom: &Atom| Atom { args: atom.args.iter().map(in_term).collect(), ..atom.clone() };
    let body = rule.body.iter().map(|condition| match condition {
        BodyCondition::Holds(atom) => BodyCondition::Holds(in_atom(atom)),
        BodyCondition::Fails(atom) => BodyCondition::Fails(in_atom(atom)),
        BodyCondition::Compare { left, right, equal } => {
            BodyCondition::Compare { left: in_term(left), right: in_term(right), equal: *equal }
        }
        BodyCondition::IsConstant(name) => BodyCondition::IsConstant(*name),
    });
    PlainRule { head: in_atom(&rule.head), body: body.collect(), origin: rule.origin }
}

fn replace(term: &Term, variable: Symbol, name: Symbol, parts: &[Symbol]) -> Term {
    let kind = match &term.kind {
        TermKind::Variable(other) if *other == variable => {
            let part = |&part: &Symbol| Term { kind: TermKind::Variable(part), span: term.span };
            TermKind::Function(name, parts.iter().map(part).collect())
        }
        TermKind::Function(function, args) => {
            let args = args.iter().map(|arg| replace(arg, variable, name, parts)).collect();
            TermKind::Function(*function, args)
        }
        kind => kind.clone(),
    };
    Term { kind, span: term.span }
}
