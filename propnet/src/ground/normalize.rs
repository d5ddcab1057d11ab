//! Rules -> Program: one flat rule for each way a plain rule can be read.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::connectives::{Condition, PlainRule, fresh_name, plain_rules};
use super::functors::{Functor, Functors};
use super::program::{Arg, Args, Builtin, FlatAtom, FlatRule, PredicateId, PredicateKey, Program};
use crate::gdl::{Atom, Rules, Symbol, Symbols, Term, TermKind, word};
use crate::terms::Terms;

/// The flat rules that legal, next, goal, terminal and init need.
pub(super) fn normalize(rules: &Rules, symbols: &mut Symbols, terms: &mut Terms) -> Program {
    let plain = plain_rules(rules, symbols);
    let plain = specialize(plain, symbols);
    let mut program = Program::default();
    let mut known = FxHashSet::default();
    for rule in &plain {
        let flat = Flattener::new(&mut program, terms).rule(rule);
        let Some(flat) = flat else { continue };
        let FlatRule { head, positive, negative, builtins, .. } = &flat;
        let same = (head.clone(), positive.clone(), negative.clone(), builtins.clone());
        if known.insert(same) {
            program.rules.push(flat);
        }
    }
    read_constant_fluents_as_static(&mut program);
    keep_relevant(&mut program);
    program
}

/// Relations whose last argument is a whole fluent or move.
fn takes_fluent_or_move(atom: &Atom) -> bool {
    matches!(
        (atom.relation, atom.args.len()),
        (word::TRUE | word::NEXT | word::INIT, 1) | (word::DOES | word::LEGAL, 2)
    )
}

/// Replaces variables that stand for whole fluents or moves, one rule for each function they can
/// be made with.
fn specialize(rules: Vec<PlainRule>, symbols: &mut Symbols) -> Vec<PlainRule> {
    if rules.iter().all(|rule| whole_variable(rule, &FxHashSet::default()).is_none()) {
        return rules;
    }
    let functors = Functors::new(&rules);
    let mut done = Vec::with_capacity(rules.len());
    let mut work: Vec<(PlainRule, FxHashSet<Symbol>)> =
        rules.into_iter().rev().map(|rule| (rule, FxHashSet::default())).collect();
    while let Some((rule, constants)) = work.pop() {
        let Some(variable) = whole_variable(&rule, &constants) else {
            done.push(rule);
            continue;
        };
        let domain: BTreeSet<Functor> = functors.of_variable(variable, &rule);
        let mixed = domain.len() > 1;
        for functor in domain.into_iter().rev() {
            match functor {
                None => {
                    let (mut rule, mut constants) = (rule.clone(), constants.clone());
                    constants.insert(variable);
                    if mixed {
                        rule.body.push(Condition::IsConstant(variable));
                    }
                    work.push((rule, constants));
                }
                Some((name, arity)) => {
                    let fresh: Vec<Symbol> =
                        (0..arity).map(|_| fresh_name(symbols, "?part")).collect();
                    let rule = substitute(&rule, variable, name, &fresh);
                    work.push((rule, constants.clone()));
                }
            }
        }
    }
    done
}

/// A variable in the place of a whole fluent or move that is not known to be a constant.
fn whole_variable(rule: &PlainRule, constants: &FxHashSet<Symbol>) -> Option<Symbol> {
    let in_body = rule.body.iter().filter_map(|condition| match condition {
        Condition::Holds(atom) | Condition::Fails(atom) => Some(atom),
        Condition::Compare { .. } | Condition::IsConstant(_) => None,
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
        Condition::Holds(atom) => Condition::Holds(in_atom(atom)),
        Condition::Fails(atom) => Condition::Fails(in_atom(atom)),
        Condition::Compare { left, right, equal } => {
            Condition::Compare { left: in_term(left), right: in_term(right), equal: *equal }
        }
        Condition::IsConstant(name) => Condition::IsConstant(*name),
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

/// Makes a plain rule flat.
struct Flattener<'a> {
    program: &'a mut Program,
    terms: &'a mut Terms,
    variables: FxHashMap<Symbol, usize>,
    count: usize,
    builtins: Vec<Builtin>,
}

impl<'a> Flattener<'a> {
    fn new(program: &'a mut Program, terms: &'a mut Terms) -> Self {
        let variables = FxHashMap::default();
        Flattener { program, terms, variables, count: 0, builtins: Vec::new() }
    }

    /// `None` if a comparison can never hold.
    fn rule(mut self, rule: &PlainRule) -> Option<FlatRule> {
        let mut positive = Vec::new();
        let mut negative = Vec::new();
        for condition in &rule.body {
            match condition {
                Condition::Holds(atom) => positive.push(self.atom(atom)),
                Condition::Fails(atom) => negative.push(self.atom(atom)),
                Condition::Compare { left, right, equal } => {
                    match may_be_equal(left, right) {
                        // Different in every instance: `distinct` says nothing.
                        false if !equal => continue,
                        false => return None,
                        true => {}
                    }
                    let (left, right) = (self.arg(left), self.arg(right));
                    self.builtins.push(Builtin::Compare { left, right, equal: *equal });
                }
                Condition::IsConstant(name) => {
                    let variable = self.variable(*name);
                    self.builtins.push(Builtin::IsConstant(variable));
                }
            }
        }
        let head = self.atom(&rule.head);
        Some(FlatRule {
            head,
            positive,
            negative,
            builtins: self.builtins,
            variables: self.count,
            origin: rule.origin,
        })
    }

    fn atom(&mut self, atom: &Atom) -> FlatAtom {
        let mut args: Args = Args::new();
        let mut functor = None;
        let (whole, plain) = match atom.args.split_last() {
            Some((last, before)) if takes_fluent_or_move(atom) => (Some(last), before),
            _ => (None, atom.args.as_slice()),
        };
        for term in plain {
            args.push(self.arg(term));
        }
        match whole.map(|term| &term.kind) {
            Some(TermKind::Function(name, parts)) => {
                functor = Some((*name, parts.len()));
                for part in parts {
                    args.push(self.arg(part));
                }
            }
            Some(_) => args.extend(whole.map(|term| self.arg(term))),
            None => {}
        }
        let key = PredicateKey { relation: atom.relation, functor, arity: args.len() };
        FlatAtom { predicate: self.program.predicate(key), args }
    }

    fn arg(&mut self, term: &Term) -> Arg {
        if let Some(value) = self.terms.intern_term(term) {
            return Arg::Value(value);
        }
        match &term.kind {
            TermKind::Function(name, args) => {
                let args: Args = args.iter().map(|arg| self.arg(arg)).collect();
                let value = self.new_variable();
                self.builtins.push(Builtin::Build { value, name: *name, args });
                Arg::Variable(value)
            }
            TermKind::Variable(name) | TermKind::Constant(name) => {
                Arg::Variable(self.variable(*name))
            }
        }
    }

    fn variable(&mut self, name: Symbol) -> usize {
        if let Some(&variable) = self.variables.get(&name) {
            return variable;
        }
        let variable = self.new_variable();
        self.variables.insert(name, variable);
        variable
    }

    fn new_variable(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }
}

/// Whether two terms have a common instance, variables taken apart.
fn may_be_equal(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => true,
        (TermKind::Constant(left), TermKind::Constant(right)) => left == right,
        (TermKind::Function(f, left), TermKind::Function(g, right)) => {
            f == g
                && left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| may_be_equal(left, right))
        }
        _ => false,
    }
}

/// Where the only rule about a kind of fluent says that it stays as it is, and it never becomes
/// true otherwise, what is true, and will be next, is what was true at the start.
fn read_constant_fluents_as_static(program: &mut Program) {
    // `init` is about an empty state, so what it depends on must not be read in this way.
    if init_reads_the_state(program) {
        return;
    }
    let mut by_head: FxHashMap<PredicateId, Vec<usize>> = FxHashMap::default();
    for (index, rule) in program.rules.iter().enumerate() {
        by_head.entry(rule.head.predicate).or_default().push(index);
    }
    let mut instead: FxHashMap<PredicateId, PredicateId> = FxHashMap::default();
    let mut superfluous = FxHashSet::default();
    for next in 0..program.predicates.len() {
        let key = program.key(next);
        if key.relation != word::NEXT || key.functor.is_none() {
            continue;
        }
        let Some([rule]) = by_head.get(&next).map(Vec::as_slice) else { continue };
        let Some(truth) = program.same_columns(next, word::TRUE) else { continue };
        let always_true = by_head.contains_key(&truth);
        if is_identity(&program.rules[*rule], truth) && !always_true {
            let init = program.predicate(PredicateKey { relation: word::INIT, ..key });
            instead.extend([(next, init), (truth, init)]);
            superfluous.insert(next);
            program.constant_fluents.push(init);
        }
    }
    program.rules.retain(|rule| !superfluous.contains(&rule.head.predicate));
    for rule in &mut program.rules {
        for atom in rule.positive.iter_mut().chain(&mut rule.negative) {
            if let Some(&init) = instead.get(&atom.predicate) {
                atom.predicate = init;
            }
        }
    }
}

/// Whether a rule for `init` depends on the state, a move, or what is next.
fn init_reads_the_state(program: &Program) -> bool {
    let of = |relation: Symbol| move |key: &PredicateKey| key.relation == relation;
    let mut needed: Vec<bool> = program.predicates.keys().map(of(word::INIT)).collect();
    need(program, &mut needed);
    let open = [word::TRUE, word::DOES, word::NEXT];
    program.predicates.keys().zip(&needed).any(|(key, need)| *need && open.contains(&key.relation))
}

fn is_identity(rule: &FlatRule, truth: PredicateId) -> bool {
    let [only] = rule.positive.as_slice() else { return false };
    let distinct: FxHashSet<usize> = rule.head.variables().collect();
    only.predicate == truth
        && only.args == rule.head.args
        && distinct.len() == rule.head.args.len()
        && rule.negative.is_empty()
        && rule.builtins.is_empty()
}

/// Drops rules that nothing an engine asks about depends on.
fn keep_relevant(program: &mut Program) {
    let asked = |key: &PredicateKey| {
        matches!(
            (key.relation, key.functor.is_some(), key.arity),
            (word::LEGAL | word::NEXT | word::INIT, true, _)
                | (word::LEGAL | word::GOAL, _, 2)
                | (word::NEXT | word::INIT | word::ROLE, _, 1)
                | (word::TERMINAL, _, 0)
        )
    };
    let mut needed: Vec<bool> = program.predicates.keys().map(asked).collect();
    need(program, &mut needed);
    program.rules.retain(|rule| needed[rule.head.predicate]);
}

/// Marks all that the marked predicates depend on.
fn need(program: &Program, needed: &mut [bool]) {
    let mut by_head: FxHashMap<PredicateId, Vec<usize>> = FxHashMap::default();
    for (index, rule) in program.rules.iter().enumerate() {
        by_head.entry(rule.head.predicate).or_default().push(index);
    }
    let mut todo: Vec<PredicateId> = (0..needed.len()).filter(|&at| needed[at]).collect();
    while let Some(predicate) = todo.pop() {
        for &rule in by_head.get(&predicate).into_iter().flatten() {
            let rule = &program.rules[rule];
            for atom in rule.positive.iter().chain(&rule.negative) {
                if !std::mem::replace(&mut needed[atom.predicate], true) {
                    todo.push(atom.predicate);
                }
            }
        }
    }
}
