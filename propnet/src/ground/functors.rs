//! Which functions the value of a variable can be made with.
//!
//! `(true ?f)` is read as one rule for each kind of fluent there is. The kinds are found by
//! following terms from the heads of rules to the variables that take them up; functions and
//! "some constant" are all that is told apart, so this is small and quick.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::connectives::{BodyCondition, PlainRule};
use crate::gdl::{Atom, Symbol, Term, TermKind, word};

/// A function name with its number of arguments, or `None` for plain constants.
pub(super) type Functor = Option<(Symbol, usize)>;

/// Where a term can stand: an argument of a relation, or of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Position {
    name: Symbol,
    arity: usize,
    argument: usize,
    in_function: bool,
}

/// What can stand where.
#[derive(Debug, Default)]
pub(super) struct Functors {
    domains: FxHashMap<Position, BTreeSet<Functor>>,
}

impl Functors {
    /// Follows the terms of all rules to a fixpoint; `None` if `proceed` says no.
    pub(super) fn new(rules: &[PlainRule], proceed: &mut dyn FnMut() -> bool) -> Option<Self> {
        let mut functors = Functors::default();
        let readers = readers(rules);
        let mut waiting = vec![true; rules.len()];
        let mut todo: VecDeque<usize> = (0..rules.len()).collect();
        while let Some(rule) = todo.pop_front() {
            if !proceed() {
                return None;
            }
            waiting[rule] = false;
            for position in functors.follow(&rules[rule]) {
                for &reader in readers.get(&position).into_iter().flatten() {
                    if !std::mem::replace(&mut waiting[reader], true) {
                        todo.push_back(reader);
                    }
                }
            }
        }
        Some(functors)
    }

    /// The functions a variable's value can be made with, by the positive conditions of its rule.
    pub(super) fn of_variable(&self, variable: Symbol, rule: &PlainRule) -> BTreeSet<Functor> {
        let mut best: Option<BTreeSet<Functor>> = None;
        for condition in &rule.body {
            let BodyCondition::Holds(atom) = condition else { continue };
            let mut found = Vec::new();
            for_each_position(atom, &mut |position, term| {
                if matches!(term.kind, TermKind::Variable(name) if name == variable) {
                    found.push(position);
                }
            });
            for position in found {
                let domain = self.at(position);
                if best.as_ref().is_none_or(|best| domain.len() < best.len()) {
                    best = Some(domain);
                }
            }
        }
        best.unwrap_or_default()
    }

    /// Adds what a rule says about its head, and returns the positions where that is new.
    fn follow(&mut self, rule: &PlainRule) -> Vec<Position> {
        let mut found: Vec<(Position, BTreeSet<Functor>)> = Vec::new();
        for_each_position(&rule.head, &mut |position, term| {
            let domain = match &term.kind {
                TermKind::Constant(_) => BTreeSet::from([None]),
                TermKind::Function(name, args) => BTreeSet::from([Some((*name, args.len()))]),
                TermKind::Variable(name) => self.of_variable(*name, rule),
            };
            found.push((position, domain));
        });
        let mut grown = Vec::new();
        for (position, domain) in found {
            let known = self.domains.entry(position).or_default();
            let before = known.len();
            known.extend(domain);
            if known.len() > before {
                grown.push(position);
            }
        }
        grown
    }

    /// What can stand at a position; what is true was initial or next, what is done was legal.
    fn at(&self, position: Position) -> BTreeSet<Functor> {
        let domains = sources(position).filter_map(|source| self.domains.get(&source));
        domains.flatten().copied().collect()
    }
}

/// The positions whose terms can stand at a position.
fn sources(position: Position) -> impl Iterator<Item = Position> {
    let names: &'static [Symbol] = match position {
        Position { name: word::TRUE, arity: 1, in_function: false, .. } => {
            &[word::INIT, word::NEXT, word::TRUE]
        }
        Position { name: word::DOES, arity: 2, in_function: false, .. } => &[word::LEGAL],
        _ => &[],
    };
    let own = names.is_empty().then_some(position);
    own.into_iter().chain(names.iter().map(move |&name| Position { name, ..position }))
}

/// For each position the rules that have a variable where its terms can stand.
fn readers(rules: &[PlainRule]) -> FxHashMap<Position, Vec<usize>> {
    let mut readers: FxHashMap<Position, Vec<usize>> = FxHashMap::default();
    for (at, rule) in rules.iter().enumerate() {
        for condition in &rule.body {
            let BodyCondition::Holds(atom) = condition else { continue };
            for_each_position(atom, &mut |position, term| {
                if !matches!(term.kind, TermKind::Variable(_)) {
                    return;
                }
                for source in sources(position) {
                    let known = readers.entry(source).or_default();
                    if known.last() != Some(&at) {
                        known.push(at);
                    }
                }
            });
        }
    }
    readers
}

fn for_each_position<'a>(atom: &'a Atom, visit: &mut dyn FnMut(Position, &'a Term)) {
    walk(atom.relation, &atom.args, false, visit);
}

fn walk<'a>(
    name: Symbol,
    args: &'a [Term],
    in_function: bool,
    visit: &mut dyn FnMut(Position, &'a Term),
) {
    for (argument, term) in args.iter().enumerate() {
        visit(Position { name, arity: args.len(), argument, in_function }, term);
        if let TermKind::Function(name, args) = &term.kind {
            walk(*name, args, true, visit);
        }
    }
}
