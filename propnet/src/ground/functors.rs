//! Which functions the value of a variable can be made with.
//!
//! `(true ?f)` is read as one rule for each kind of fluent there is. The kinds are found by
//! following terms from the heads of rules to the variables that take them up; functions and
//! "some constant" are all that is told apart, so this is small and quick.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Follows the terms of all rules to a fixpoint. A rule is looked at again only when more can
    /// stand where it reads.
    pub(super) fn new(rules: &[PlainRule]) -> Self {
        let mut functors = Functors::default();
        let mut readers: FxHashMap<Position, Vec<usize>> = FxHashMap::default();
        for (index, rule) in rules.iter().enumerate() {
            for position in read_by_head(rule) {
                for source in sources(position) {
                    readers.entry(source).or_default().push(index);
                }
            }
        }
        let mut waiting = vec![true; rules.len()];
        let mut queue: VecDeque<usize> = (0..rules.len()).collect();
        while let Some(index) = queue.pop_front() {
            waiting[index] = false;
            for position in functors.follow(&rules[index]) {
                for &reader in readers.get(&position).into_iter().flatten() {
                    if !std::mem::replace(&mut waiting[reader], true) {
                        queue.push_back(reader);
                    }
                }
            }
        }
        functors
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

    /// Takes up what the head of a rule adds. Returns the positions where more can stand now.
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

    /// What can stand at a position.
    fn at(&self, position: Position) -> BTreeSet<Functor> {
        let domains = sources(position).filter_map(|source| self.domains.get(&source));
        domains.flatten().copied().collect()
    }
}

/// Where the terms at a position come from: what is true was initial or next, what is done was
/// legal.
fn sources(position: Position) -> impl Iterator<Item = Position> {
    let names: &[Symbol] = match position {
        Position { name: word::TRUE, arity: 1, in_function: false, .. } => {
            &[word::INIT, word::NEXT, word::TRUE]
        }
        Position { name: word::DOES, arity: 2, in_function: false, .. } => &[word::LEGAL],
        _ => &[],
    };
    let itself = names.is_empty().then_some(position);
    names.iter().map(move |&name| Position { name, ..position }).chain(itself)
}

/// The positions in the body of a rule whose terms its head may pass on.
fn read_by_head(rule: &PlainRule) -> Vec<Position> {
    let mut passed = FxHashSet::default();
    rule.head.for_each_variable(&mut |name, _| {
        passed.insert(name);
    });
    let mut positions = Vec::new();
    for condition in &rule.body {
        let Condition::Holds(atom) = condition else { continue };
        for_each_position(atom, &mut |position, term| {
            if matches!(term.kind, TermKind::Variable(name) if passed.contains(&name)) {
                positions.push(position);
            }
        });
    }
    positions
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
