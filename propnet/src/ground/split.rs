//! Splits rule bodies, so that they do not multiply out.
//!
//! A variable that the head does not have is projected out: the conditions it occurs in become a
//! relation of their own, over the variables they share with the rest. This is bucket
//! elimination, the core of every tree decomposition:
//!
//! ```text
//! h(x) <- p(x, y), q(x, z)     becomes     h(x) <- a(x), b(x)     a(x) <- p(x, y)
//! |p| * |q| instances per x                                        b(x) <- q(x, z)
//! ```
//!
//! Bucket elimination: Dechter 1999.

use rustc_hash::{FxHashMap, FxHashSet};

use super::connectives::fresh_name;
use super::limits::GroundError;
use super::pace::Pace;
use super::program::{
    Arg, Args, Builtin, FlatAtom, FlatRule, PredicateId, PredicateKey, RuleProgram,
};
use crate::gdl::{Span, Symbols};

/// Splits every rule of the program.
pub(super) fn split(
    program: &mut RuleProgram,
    symbols: &mut Symbols,
    pace: &mut Pace<'_>,
) -> Result<(), GroundError> {
    let rules = std::mem::take(&mut program.rules);
    let mut splitter = Splitter { program, symbols, made: FxHashMap::default() };
    for rule in rules {
        pace.step(rule.origin)?;
        splitter.rule(rule);
    }
    Ok(())
}

/// How many variables the widest part of a rule has once it is split.
pub(super) fn width(rule: &FlatRule) -> usize {
    let count = rule.variables;
    let mut parts = parts_of(rule);
    let in_head = set_of(rule.head.variables(), count);
    let mut widest = 0;
    while let Some((bucket, rest)) = best_bucket(&parts, &in_head, count) {
        let bucket = take(&parts, &bucket);
        parts = take(&parts, &rest);
        widest = widest.max(marked(&bucket, vec![false; count]).iter().filter(|is| **is).count());
        let args = shared(&bucket, &parts, &in_head);
        parts.push(SplitCondition::Positive(FlatAtom { predicate: rule.head.predicate, args }));
    }
    widest.max(marked(&parts, in_head).iter().filter(|is| **is).count())
}

/// A condition of a rule, with the variables in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SplitCondition {
    Positive(FlatAtom),
    Negative(FlatAtom),
    Builtin(Builtin),
}

type VariableSet = Vec<bool>;

struct Splitter<'a> {
    program: &'a mut RuleProgram,
    symbols: &'a mut Symbols,
    /// Relations made so far, by their bodies, so that equal parts of rules share one.
    made: FxHashMap<(usize, Vec<SplitCondition>), PredicateId>,
}

impl Splitter<'_> {
    fn rule(&mut self, rule: FlatRule) {
        let count = rule.variables;
        let mut parts = parts_of(&rule);
        let (head, origin) = (rule.head, rule.origin);
        let in_head = set_of(head.variables(), count);
        while let Some((bucket, rest)) = best_bucket(&parts, &in_head, count) {
            let bucket = take(&parts, &bucket);
            parts = take(&parts, &rest);
            let atom = self.project(bucket, &parts, &in_head, count, origin);
            parts.push(SplitCondition::Positive(atom));
        }
        self.add(head, parts, count, origin);
    }

    /// Gives a bucket a relation of its own, over the variables others use.
    fn project(
        &mut self,
        mut bucket: Vec<SplitCondition>,
        rest: &[SplitCondition],
        in_head: &VariableSet,
        count: usize,
        origin: Span,
    ) -> FlatAtom {
        let shared = shared(&bucket, rest, in_head);
        let open: Vec<usize> = unbound(&bucket);
        if !open.is_empty() {
            bucket.push(SplitCondition::Positive(self.guard(&open, rest, count, origin)));
        }
        let (bucket, shared_as, used) = renumbered(&bucket, &shared, count);
        let known = (shared_as.len(), bucket.clone());
        let predicate = match self.made.get(&known) {
            Some(&predicate) => predicate,
            None => {
                let predicate = self.new_predicate("part", shared_as.len());
                self.made.insert(known, predicate);
                let head = FlatAtom { predicate, args: shared_as };
                self.add(head, bucket, used, origin);
                predicate
            }
        };
        FlatAtom { predicate, args: shared }
    }

    /// Conditions may compare with a variable that only the rest binds. What that variable can
    /// be is then said by a guard, which is left out of instances: the rest says it anyway.
    fn guard(
        &mut self,
        open: &[usize],
        rest: &[SplitCondition],
        count: usize,
        origin: Span,
    ) -> FlatAtom {
        let mut missing = set_of(open.iter().copied(), count);
        let mut body = Vec::new();
        for part in rest {
            let SplitCondition::Positive(atom) = part else { continue };
            if atom.variables().any(|variable| missing[variable]) {
                atom.variables().for_each(|variable| missing[variable] = false);
                body.push(part.clone());
            }
        }
        // A value that is put together from others is bound where they are.
        let builds = rest.iter().filter(|part| match part {
            SplitCondition::Builtin(Builtin::Build { value, .. }) => missing[*value],
            _ => false,
        });
        body.extend(builds.cloned().collect::<Vec<_>>());
        let args: Args = open.iter().copied().map(Arg::Variable).collect();
        let (body, head_args, used) = renumbered(&body, &args, count);
        let predicate = self.new_predicate("guard", args.len());
        self.program.guards.insert(predicate);
        self.add(FlatAtom { predicate, args: head_args }, body, used, origin);
        FlatAtom { predicate, args }
    }

    fn new_predicate(&mut self, stem: &str, arity: usize) -> PredicateId {
        let relation = fresh_name(self.symbols, stem);
        self.program.predicate(PredicateKey { relation, functor: None, arity })
    }

    fn add(&mut self, head: FlatAtom, parts: Vec<SplitCondition>, variables: usize, origin: Span) {
        let (mut positive, mut negative, mut builtins) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match part {
                SplitCondition::Positive(atom) => positive.push(atom),
                SplitCondition::Negative(atom) => negative.push(atom),
                SplitCondition::Builtin(builtin) => builtins.push(builtin),
            }
        }
        self.program.rules.push(FlatRule { head, positive, negative, builtins, variables, origin });
    }
}

/// The bucket to project next and what stays, as indices: the one over the fewest variables among
/// those that leave a variable to the rest.
fn best_bucket(
    parts: &[SplitCondition],
    in_head: &VariableSet,
    count: usize,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let mut parts_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, part) in parts.iter().enumerate() {
        part.for_each_variable(&mut |variable| {
            if parts_of[variable].last() != Some(&at) {
                parts_of[variable].push(at);
            }
        });
    }
    let live = (0..count).filter(|&v| in_head[v] || !parts_of[v].is_empty()).count();
    // A variable is inside the bucket of `v` if `v` is written beside it.
    let mut inside_of = vec![usize::MAX; count];
    let mut best: Option<(usize, usize)> = None;
    for variable in (0..count).filter(|&variable| !in_head[variable]) {
        let bucket = &parts_of[variable];
        if !bucket.iter().any(|&at| parts[at].binds()) {
            continue;
        }
        let mut size = 0;
        for &at in bucket {
            parts[at].for_each_variable(&mut |other| {
                size += usize::from(std::mem::replace(&mut inside_of[other], variable) != variable);
            });
        }
        let leaves_some = live > size;
        if !leaves_some || best.is_some_and(|(least, _)| size >= least) {
            continue;
        }
        let in_bucket = |at: &usize| bucket.binary_search(at).is_ok();
        let bound_by_rest =
            |open: usize| parts_of[open].iter().any(|at| parts[*at].binds() && !in_bucket(at));
        if unbound(&take(parts, bucket)).into_iter().all(bound_by_rest) {
            best = Some((size, variable));
        }
    }
    let bucket = best.map(|(_, variable)| std::mem::take(&mut parts_of[variable]))?;
    let rest = (0..parts.len()).filter(|at| bucket.binary_search(at).is_err()).collect();
    Some((bucket, rest))
}

/// The variables of a bucket that its positive atoms, and what is built from them, do not bind.
fn unbound(bucket: &[SplitCondition]) -> Vec<usize> {
    let mut bound: FxHashSet<usize> = FxHashSet::default();
    for part in bucket.iter().filter(|part| part.binds()) {
        part.for_each_variable(&mut |variable| {
            bound.insert(variable);
        });
    }
    let mut changed = true;
    while std::mem::replace(&mut changed, false) {
        for part in bucket {
            let SplitCondition::Builtin(Builtin::Build { value, args, .. }) = part else {
                continue;
            };
            let mut inner = super::program::variables_of(args);
            if bound.contains(value) || inner.all(|variable| bound.contains(&variable)) {
                part.for_each_variable(&mut |variable| changed |= bound.insert(variable));
            }
        }
    }
    let mut open = Vec::new();
    for part in bucket {
        part.for_each_variable(&mut |variable| {
            if bound.insert(variable) {
                open.push(variable);
            }
        });
    }
    open.sort_unstable();
    open
}

impl SplitCondition {
    /// Whether rows of it give values to variables.
    fn binds(&self) -> bool {
        matches!(self, SplitCondition::Positive(_))
    }

    fn mark(&self, set: &mut VariableSet) {
        self.for_each_variable(&mut |variable| set[variable] = true);
    }

    fn for_each_variable(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            SplitCondition::Positive(atom) | SplitCondition::Negative(atom) => {
                atom.variables().for_each(visit)
            }
            SplitCondition::Builtin(builtin) => builtin.for_each_variable(visit),
        }
    }

    fn map(&self, number: &mut dyn FnMut(usize) -> usize) -> SplitCondition {
        let mut map = |args: &[Arg]| -> Args {
            args.iter()
                .map(|arg| match arg {
                    Arg::Variable(variable) => Arg::Variable(number(*variable)),
                    Arg::Value(value) => Arg::Value(*value),
                })
                .collect()
        };
        match self {
            SplitCondition::Positive(atom) => SplitCondition::Positive(FlatAtom {
                predicate: atom.predicate,
                args: map(&atom.args),
            }),
            SplitCondition::Negative(atom) => SplitCondition::Negative(FlatAtom {
                predicate: atom.predicate,
                args: map(&atom.args),
            }),
            SplitCondition::Builtin(Builtin::Compare { left, right, equal }) => {
                let args = map(&[*left, *right]);
                let (left, right) = (args[0], args[1]);
                SplitCondition::Builtin(Builtin::Compare { left, right, equal: *equal })
            }
            SplitCondition::Builtin(Builtin::Build { value, name, args }) => {
                let args = map(args);
                SplitCondition::Builtin(Builtin::Build { value: number(*value), name: *name, args })
            }
            SplitCondition::Builtin(Builtin::IsConstant(variable)) => {
                SplitCondition::Builtin(Builtin::IsConstant(number(*variable)))
            }
        }
    }
}

/// The parts with variables numbered in the order of their occurrence in the columns `first`,
/// then in the parts: how many there are is the third result.
fn renumbered(
    parts: &[SplitCondition],
    first: &Args,
    count: usize,
) -> (Vec<SplitCondition>, Args, usize) {
    let mut numbers: Vec<Option<usize>> = vec![None; count];
    let mut used = 0;
    let mut number = |variable: usize| {
        *numbers[variable].get_or_insert_with(|| {
            used += 1;
            used - 1
        })
    };
    let first: Args = super::program::variables_of(first)
        .map(|variable| Arg::Variable(number(variable)))
        .collect();
    let parts = parts.iter().map(|part| part.map(&mut number)).collect();
    (parts, first, used)
}

fn parts_of(rule: &FlatRule) -> Vec<SplitCondition> {
    let mut parts: Vec<SplitCondition> =
        rule.positive.iter().cloned().map(SplitCondition::Positive).collect();
    parts.extend(rule.negative.iter().cloned().map(SplitCondition::Negative));
    parts.extend(rule.builtins.iter().cloned().map(SplitCondition::Builtin));
    parts
}

/// The variables that a bucket shares with the rest of a rule.
fn shared(bucket: &[SplitCondition], rest: &[SplitCondition], in_head: &VariableSet) -> Args {
    let outside = marked(rest, in_head.clone());
    let inside = marked(bucket, vec![false; in_head.len()]);
    let is_shared = |&variable: &usize| inside[variable] && outside[variable];
    (0..in_head.len()).filter(is_shared).map(Arg::Variable).collect()
}

/// A set of variables with those of the parts besides.
fn marked(parts: &[SplitCondition], mut set: VariableSet) -> VariableSet {
    parts.iter().for_each(|part| part.mark(&mut set));
    set
}

fn take(parts: &[SplitCondition], which: &[usize]) -> Vec<SplitCondition> {
    which.iter().map(|&at| parts[at].clone()).collect()
}

fn set_of(variables: impl Iterator<Item = usize>, count: usize) -> VariableSet {
    let mut set = vec![false; count];
    variables.for_each(|variable| set[variable] = true);
    set
}
