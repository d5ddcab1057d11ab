//! Which functions the value of a variable can be made with.
//!
//! `(true ?f)` is read as one rule for each kind of fluent there is. The kinds are found by
//! following terms from the heads of rules to the variables that take them up; functions and
//! "some constant" are all that is told apart, so this is small and quick.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::connectives::{Condition, PlainRule};
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
    /// Follows the terms of all rules to a fixpoint.
    pub(super) fn new(rules: &[PlainRule]) -> Self {
        let mut functors = Functors::default();
        loop {
            let before = functors.size();
            for rule in rules {
                functors.follow(&rule.head, rule);
            }
            if functors.size() == before {
                return functors;
            }
        }
    }

    /// The functions a variable's value can be made with, by the positive conditions of its rule.
    pub(super) fn of_variable(&self, variable: Symbol, rule: &PlainRule) -> BTreeSet<Functor> {
        let mut best: Option<BTreeSet<Functor>> = None;
        for condition in &rule.body {
            let Condition::Holds(atom) = condition else { continue };
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

    fn follow(&mut self, head: &Atom, rule: &PlainRule) {
        let mut found: Vec<(Position, BTreeSet<Functor>)> = Vec::new();
        for_each_position(head, &mut |position, term| {
            let domain = match &term.kind {
                TermKind::Constant(_) => BTreeSet::from([None]),
                TermKind::Function(name, args) => BTreeSet::from([Some((*name, args.len()))]),
                TermKind::Variable(name) => self.of_variable(*name, rule),
            };
            found.push((position, domain));
        });
        for (position, domain) in found {
            self.domains.entry(position).or_default().extend(domain);
        }
    }

    /// What can stand at a position; what is true was initial or next, what is done was legal.
    fn at(&self, position: Position) -> BTreeSet<Functor> {
        let sources: &[Symbol] = match position {
            Position { name: word::TRUE, arity: 1, in_function: false, .. } => {
                &[word::INIT, word::NEXT, word::TRUE]
            }
            Position { name: word::DOES, arity: 2, in_function: false, .. } => &[word::LEGAL],
            _ => &[position.name],
        };
        let domains =
            sources.iter().filter_map(|&name| self.domains.get(&Position { name, ..position }));
        domains.flatten().copied().collect()
    }

    fn size(&self) -> usize {
        self.domains.values().map(BTreeSet::len).sum()
    }
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
