//! Rules -> Program: one flat rule for each way a plain rule can be read.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::connectives::{BodyCondition, PlainRule, plain_rules};
use super::limits::GroundError;
use super::pace::Pace;
use super::program::{
    Arg, Args, Builtin, FlatAtom, FlatRule, PredicateId, PredicateKey, RuleProgram,
};
use super::specialize::{specialize, takes_fluent_or_move};
use crate::gdl::{Atom, Rules, Symbol, Symbols, Term, TermKind, word};
use crate::terms::Terms;

/// The flat rules that legal, next, goal, terminal and init need.
pub(super) fn normalize(
    rules: &Rules,
    symbols: &mut Symbols,
    terms: &mut Terms,
    pace: &mut Pace<'_>,
) -> Result<RuleProgram, GroundError> {
    let plain = plain_rules(rules, symbols, pace)?;
    let plain = specialize(plain, symbols, pace)?;
    let mut program = RuleProgram::default();
    let mut known = FxHashSet::default();
    for rule in plain {
        pace.step(rule.origin)?;
        let flat = Flattener::new(&mut program, terms).rule(&rule);
        let Some(flat) = flat else { continue };
        let FlatRule { head, positive, negative, builtins, .. } = &flat;
        // Equal rules are rare among those without conditions, and their rows are compared anyway.
        let is_fact = positive.is_empty() && negative.is_empty() && builtins.is_empty();
        let same = || (head.clone(), positive.clone(), negative.clone(), builtins.clone());
        if is_fact || known.insert(same()) {
            program.rules.push(flat);
        }
    }
    read_constant_fluents_as_static(&mut program);
    keep_relevant(&mut program);
    program.rules.shrink_to_fit();
    Ok(program)
}

/// Makes a plain rule flat.
struct Flattener<'a> {
    program: &'a mut RuleProgram,
    terms: &'a mut Terms,
    variables: FxHashMap<Symbol, usize>,
    count: usize,
    builtins: Vec<Builtin>,
}

impl<'a> Flattener<'a> {
    fn new(program: &'a mut RuleProgram, terms: &'a mut Terms) -> Self {
        let variables = FxHashMap::default();
        Flattener { program, terms, variables, count: 0, builtins: Vec::new() }
    }

    /// `None` if a comparison can never hold.
    fn rule(mut self, rule: &PlainRule) -> Option<FlatRule> {
        // Sets, because saying a thing twice is no reason to ask it twice.
        let mut positive: IndexSet<FlatAtom, FxBuildHasher> = IndexSet::default();
        let mut negative: IndexSet<FlatAtom, FxBuildHasher> = IndexSet::default();
        for condition in &rule.body {
            match condition {
                BodyCondition::Holds(atom) => drop(positive.insert(self.atom(atom))),
                BodyCondition::Fails(atom) => drop(negative.insert(self.atom(atom))),
                BodyCondition::Compare { left, right, equal } => {
                    match may_be_equal(left, right) {
                        // Different in every instance: `distinct` says nothing.
                        false if !equal => continue,
                        false => return None,
                        true => {}
                    }
                    let (left, right) = (self.arg(left), self.arg(right));
                    self.builtins.push(Builtin::Compare { left, right, equal: *equal });
                }
                BodyCondition::IsConstant(name) => {
                    let variable = self.variable(*name);
                    self.builtins.push(Builtin::IsConstant(variable));
                }
            }
        }
        let head = self.atom(&rule.head);
        Some(FlatRule {
            head,
            positive: positive.into_iter().collect(),
            negative: negative.into_iter().collect(),
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
fn read_constant_fluents_as_static(program: &mut RuleProgram) {
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
            program.constant_fluents.insert(init);
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
fn init_reads_the_state(program: &RuleProgram) -> bool {
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
pub(super) fn keep_relevant(program: &mut RuleProgram) {
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
fn need(program: &RuleProgram, needed: &mut [bool]) {
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
