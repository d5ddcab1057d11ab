//! Demand: a wide relation is instantiated only for the arguments that some rule asks for.
//!
//! A helper that could be true of very many arguments, but is asked about few, would be grounded
//! in full. Instead, each place that asks says by a guard which bindings it asks for, and the
//! helper's rules apply only within the guard (this is the magic-sets transformation). Guards
//! narrow down instances; they are no part of the ground rules.
//!
//! ```text
//! h(x) <- p(x), wide(x, y, 3)      adds     guard(x, 3) <- p(x)
//! wide(a, b, c) <- body            becomes  wide(a, b, c) <- guard(a, c), body
//! ```
//!
//! Magic sets: Bancilhon, Maier, Sagiv and Ullman 1986.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::connectives::fresh_name;
use super::limits::GroundError;
use super::pace::Pace;
use super::program::{
    Arg, Args, Builtin, FlatAtom, FlatRule, PredicateId, PredicateKey, RuleProgram,
};
use super::relation::Relation;
use crate::gdl::Symbols;

/// Which arguments of a predicate are asked for, as a bit mask.
type Asked = (PredicateId, u64);

/// An atom is asked first if it narrows down what is asked for by this factor at least.
const GAIN: f64 = 1.2;

/// The program with these predicates on demand. `seen` are the rows of an attempt without it: by
/// them it is judged which conditions say enough about a wide relation's arguments.
pub(super) fn on_demand(
    program: &RuleProgram,
    wide: &BTreeSet<PredicateId>,
    seen: Vec<Relation>,
    symbols: &mut Symbols,
    pace: &mut Pace<'_>,
) -> Result<RuleProgram, GroundError> {
    let mut changed = RuleProgram { rules: Vec::new(), ..program.clone() };
    changed.wide = wide.iter().copied().collect();
    let mut demand = Demand {
        program: changed,
        wide,
        seen,
        symbols,
        guards: FxHashMap::default(),
        todo: Vec::new(),
        known: FxHashSet::default(),
    };
    for rule in program.rules.iter().filter(|rule| !wide.contains(&rule.head.predicate)) {
        demand.rule(rule.clone(), None, pace)?;
    }
    while let Some((predicate, mask)) = demand.todo.pop() {
        let guard = demand.guard((predicate, mask));
        for rule in program.rules.iter().filter(|rule| rule.head.predicate == predicate) {
            let args = asked_columns(&rule.head, mask);
            demand.rule(rule.clone(), Some(FlatAtom { predicate: guard, args }), pace)?;
        }
    }
    Ok(demand.program)
}

struct Demand<'a> {
    program: RuleProgram,
    wide: &'a BTreeSet<PredicateId>,
    seen: Vec<Relation>,
    symbols: &'a mut Symbols,
    guards: FxHashMap<Asked, PredicateId>,
    /// Bindings asked for whose rules are still to be made.
    todo: Vec<Asked>,
    /// Guard rules made, by their heads and bodies.
    known: FxHashSet<(FlatAtom, Vec<FlatAtom>, Vec<Builtin>)>,
}

impl Demand<'_> {
    /// Adds a rule within its guard, and for each wide relation in its body the rule that asks
    /// for it.
    fn rule(
        &mut self,
        mut rule: FlatRule,
        guard: Option<FlatAtom>,
        pace: &mut Pace<'_>,
    ) -> Result<(), GroundError> {
        pace.step(rule.origin)?;
        let is_wide = |atom: &FlatAtom| self.wide.contains(&atom.predicate);
        let (mut asked, mut usable): (Vec<FlatAtom>, Vec<FlatAtom>) =
            rule.positive.iter().cloned().partition(is_wide);
        let negative: Vec<FlatAtom> =
            rule.negative.iter().filter(|atom| is_wide(atom)).cloned().collect();
        while !asked.is_empty() {
            // The most bound first; it may bind what the others need.
            let bound = bound_by(guard.iter().chain(&usable), &rule);
            let open = |atom: &FlatAtom| atom.variables().filter(|&v| !bound[v]).count();
            let next = (0..asked.len()).min_by_key(|&at| open(&asked[at])).unwrap_or(0);
            let atom = asked.remove(next);
            let before = self.before(&rule, &atom, guard.as_ref(), &usable, pace)?;
            self.ask(&rule, &atom, &before);
            usable.push(atom);
        }
        for atom in negative {
            let before: Vec<FlatAtom> = guard.iter().chain(&usable).cloned().collect();
            self.ask(&rule, &atom, &before);
        }
        if let Some(guard) = guard {
            rule.positive.insert(0, guard);
        }
        self.program.rules.push(rule);
        Ok(())
    }

    /// The guard, and those of the usable atoms that say enough about what `atom` is asked for.
    fn before(
        &mut self,
        rule: &FlatRule,
        atom: &FlatAtom,
        guard: Option<&FlatAtom>,
        usable: &[FlatAtom],
        pace: &mut Pace<'_>,
    ) -> Result<Vec<FlatAtom>, GroundError> {
        let mut before: Vec<FlatAtom> = guard.into_iter().cloned().collect();
        let mut left: Vec<&FlatAtom> = usable.iter().collect();
        loop {
            pace.steps(left.len(), rule.origin)?;
            let bound = bound_by(&before, rule);
            let gains = left.iter().map(|candidate| self.gain(candidate, atom, rule, &bound));
            let gains: Vec<f64> = gains.collect();
            let best = (0..left.len()).max_by(|&a, &b| gains[a].total_cmp(&gains[b]));
            match best {
                Some(best) if gains[best] >= GAIN => before.push(left.remove(best).clone()),
                _ => return Ok(before),
            }
        }
    }

    /// How much asking `candidate` first narrows down what `atom` is asked for.
    fn gain(
        &mut self,
        candidate: &FlatAtom,
        atom: &FlatAtom,
        rule: &FlatRule,
        bound: &[bool],
    ) -> f64 {
        let is_bound = |arg: &Arg, bound: &[bool]| match arg {
            Arg::Value(_) => true,
            Arg::Variable(variable) => bound[*variable],
        };
        let columns: Vec<usize> = (0..candidate.args.len())
            .filter(|&column| is_bound(&candidate.args[column], bound))
            .collect();
        let rows = match self.seen.get_mut(candidate.predicate) {
            Some(relation) if relation.len() > 0 => relation.expected(&columns),
            _ => return 0.0,
        };
        let mut after = bound.to_vec();
        bind([candidate], &rule.builtins, &mut after);
        let Some(asked) = self.seen.get_mut(atom.predicate) else { return 0.0 };
        let possible: f64 = (0..atom.args.len())
            .filter(|&column| {
                is_bound(&atom.args[column], &after) && !is_bound(&atom.args[column], bound)
            })
            .map(|column| f64::from(asked.distinct_in(column)))
            .product();
        let binds_more = after != bound;
        match (possible > 1.0, binds_more && rows <= 1.0) {
            (true, _) => possible / rows,
            // It says what something else is, and may so lead on.
            (false, true) => GAIN,
            (false, false) => 0.0,
        }
    }

    /// Adds the rule that says for which bindings `rule` asks `atom`, given the atoms before it.
    fn ask(&mut self, rule: &FlatRule, atom: &FlatAtom, before: &[FlatAtom]) {
        let bound = bound_by(before, rule);
        let mask = (0..atom.args.len().min(64)).fold(0u64, |mask, column| {
            let known = match atom.args[column] {
                Arg::Value(_) => true,
                Arg::Variable(variable) => bound[variable],
            };
            mask | (known as u64) << column
        });
        let head = FlatAtom {
            predicate: self.guard((atom.predicate, mask)),
            args: asked_columns(atom, mask),
        };
        let (positive, builtins) = connected(&head, before, &rule.builtins, rule.variables);
        if positive.contains(&head) {
            return; // asks for what it was asked for
        }
        if self.known.insert((head.clone(), positive.clone(), builtins.clone())) {
            let (variables, origin) = (rule.variables, rule.origin);
            let negative = Vec::new();
            self.program.rules.push(FlatRule {
                head,
                positive,
                negative,
                builtins,
                variables,
                origin,
            });
        }
    }

    fn guard(&mut self, asked: Asked) -> PredicateId {
        if let Some(&guard) = self.guards.get(&asked) {
            return guard;
        }
        let relation = fresh_name(self.symbols, "guard");
        let key = PredicateKey { relation, functor: None, arity: asked.1.count_ones() as usize };
        let guard = self.program.predicate(key);
        self.program.guards.insert(guard);
        self.guards.insert(asked, guard);
        self.todo.push(asked);
        guard
    }
}

fn asked_columns(atom: &FlatAtom, mask: u64) -> Args {
    let columns = atom.args.iter().enumerate();
    columns.filter(|(column, _)| mask >> column & 1 == 1).map(|(_, &arg)| arg).collect()
}

fn bound_by<'a>(atoms: impl IntoIterator<Item = &'a FlatAtom>, rule: &FlatRule) -> Vec<bool> {
    let mut bound = vec![false; rule.variables];
    bind(atoms, &rule.builtins, &mut bound);
    bound
}

/// Marks what atoms bind, and what can be taken apart from that. What can be put together is not
/// asked for: `h(x) <- h((f x))` would ask for ever deeper terms.
fn bind<'a>(
    atoms: impl IntoIterator<Item = &'a FlatAtom>,
    builtins: &[Builtin],
    bound: &mut [bool],
) {
    atoms.into_iter().flat_map(FlatAtom::variables).for_each(|variable| bound[variable] = true);
    loop {
        let mut changed = false;
        for builtin in builtins {
            let Builtin::Build { value, args, .. } = builtin else { continue };
            if bound[*value] {
                for variable in super::program::variables_of(args) {
                    changed |= !std::mem::replace(&mut bound[variable], true);
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// The atoms and builtins that have to do with the variables of a guard. Atoms that share no
/// variable with them, however far, would only multiply.
fn connected(
    head: &FlatAtom,
    atoms: &[FlatAtom],
    builtins: &[Builtin],
    variables: usize,
) -> (Vec<FlatAtom>, Vec<Builtin>) {
    let mut near = vec![false; variables];
    head.variables().for_each(|variable| near[variable] = true);
    let mut taken = vec![false; atoms.len()];
    loop {
        let mut changed = false;
        for (at, atom) in atoms.iter().enumerate() {
            if !taken[at] && atom.variables().any(|variable| near[variable]) {
                taken[at] = true;
                changed = true;
                atom.variables().for_each(|variable| near[variable] = true);
            }
        }
        for builtin in builtins {
            let Builtin::Build { value, args, .. } = builtin else { continue };
            let all = || super::program::variables_of(args).chain([*value]);
            if all().any(|variable| near[variable]) {
                for variable in all() {
                    changed |= !std::mem::replace(&mut near[variable], true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    let chosen: Vec<FlatAtom> =
        atoms.iter().zip(taken).filter(|(_, taken)| *taken).map(|(atom, _)| atom.clone()).collect();
    let mut bound = vec![false; variables];
    bind(&chosen, builtins, &mut bound);
    let usable = builtins.iter().filter(|builtin| {
        let mut usable = true;
        builtin.for_each_variable(&mut |variable| usable &= bound[variable]);
        usable
    });
    (chosen, usable.cloned().collect())
}
