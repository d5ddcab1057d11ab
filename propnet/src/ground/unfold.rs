//! Puts the conditions of a helper in its place, where a body then splits into smaller parts.
//!
//! A helper over many variables may be a mere name for conditions that each need few of them:
//!
//! ```text
//! row <- cell(1, p), cell(2, q), cell(3, r), same(p, q, r)
//! same(p, q, r) <- bit(n, p, b), bit(n, q, b), bit(n, r, b)
//! ```
//!
//! As a relation, `same` has a row for each triple; `row` splits only without it, into `n, b` that
//! cell 1 has, those that cell 2 has, and so on.

use rustc_hash::FxHashMap;

use super::limits::GroundError;
use super::pace::Pace;
use super::program::{Arg, Builtin, FlatAtom, FlatRule, PredicateId, RuleProgram};
use super::split::width;
use crate::gdl::word;

/// The helpers put in place of a rule, at most: one may need another, for ever.
const MOST: usize = 16;

/// The conditions that a rule may come to have.
const MOST_CONDITIONS: usize = 64;

/// Unfolds helpers in every rule that becomes narrower by it; whether there was one.
pub(super) fn unfold(program: &mut RuleProgram, pace: &mut Pace<'_>) -> Result<bool, GroundError> {
    let definitions = definitions(program);
    let mut changed = false;
    for rule in &mut program.rules {
        pace.step(rule.origin)?;
        for _ in 0..MOST {
            let Some(narrower) = narrower(rule, &definitions) else { break };
            *rule = narrower;
            changed = true;
        }
    }
    Ok(changed)
}

/// The rules of helpers that can be unfolded: those with one rule, over different variables.
fn definitions(program: &RuleProgram) -> FxHashMap<PredicateId, FlatRule> {
    let mut rules_of: FxHashMap<PredicateId, Vec<&FlatRule>> = FxHashMap::default();
    for rule in &program.rules {
        rules_of.entry(rule.head.predicate).or_default().push(rule);
    }
    let mut definitions = FxHashMap::default();
    for (predicate, rules) in rules_of {
        let [rule] = rules.as_slice() else { continue };
        let is_helper = !word::is_word(program.key(predicate).relation);
        if is_helper && can_stand_elsewhere(rule) {
            definitions.insert(predicate, (*rule).clone());
        }
    }
    definitions
}

/// Whether a rule's conditions can be said about other columns than its own, and hide a variable:
/// otherwise there is nothing to gain.
fn can_stand_elsewhere(rule: &FlatRule) -> bool {
    let mut seen = vec![false; rule.variables];
    let is_new = |arg: &Arg| match arg {
        Arg::Variable(variable) => !std::mem::replace(&mut seen[*variable], true),
        Arg::Value(_) => false,
    };
    let compares = |builtin: &Builtin| matches!(builtin, Builtin::Compare { .. });
    rule.head.args.iter().all(is_new)
        && rule.head.args.len() < rule.variables
        && !rule.positive.is_empty()
        && rule.builtins.iter().all(compares)
}

/// The rule with one of its helpers unfolded, if it then needs fewer variables at a time.
fn narrower(rule: &FlatRule, definitions: &FxHashMap<PredicateId, FlatRule>) -> Option<FlatRule> {
    let wide_enough = |atom: &FlatAtom| atom.variables().count() > 2;
    let helpers = rule.positive.iter().enumerate().filter(|(_, atom)| wide_enough(atom));
    let mut before = None;
    for (at, atom) in helpers {
        let Some(definition) = definitions.get(&atom.predicate) else { continue };
        let own = *before.get_or_insert_with(|| width(rule));
        let unfolded = unfolded(rule, at, definition);
        let conditions = unfolded.positive.len() + unfolded.negative.len();
        if conditions <= MOST_CONDITIONS && width(&unfolded) < own {
            return Some(unfolded);
        }
    }
    None
}

/// The rule with the conditions of a helper in place of its condition at `at`.
fn unfolded(rule: &FlatRule, at: usize, helper: &FlatRule) -> FlatRule {
    let mut variables = rule.variables;
    let mut place = vec![None; helper.variables];
    for (column, arg) in helper.head.args.iter().zip(&rule.positive[at].args) {
        if let Arg::Variable(variable) = column {
            place[*variable] = Some(*arg);
        }
    }
    let mut arg = |arg: &Arg| match arg {
        Arg::Variable(variable) => *place[*variable].get_or_insert_with(|| {
            variables += 1;
            Arg::Variable(variables - 1)
        }),
        Arg::Value(_) => *arg,
    };
    let mut atoms = |atoms: &[FlatAtom]| -> Vec<FlatAtom> {
        let atom = |atom: &FlatAtom| FlatAtom {
            predicate: atom.predicate,
            args: atom.args.iter().map(&mut arg).collect(),
        };
        atoms.iter().map(atom).collect()
    };
    let (positive, negative) = (atoms(&helper.positive), atoms(&helper.negative));
    let builtins = helper.builtins.iter().map(|builtin| match builtin {
        Builtin::Compare { left, right, equal } => {
            Builtin::Compare { left: arg(left), right: arg(right), equal: *equal }
        }
        other => other.clone(),
    });
    let builtins: Vec<Builtin> = builtins.collect();
    let mut whole = rule.clone();
    whole.positive.remove(at);
    for atom in positive {
        if !whole.positive.contains(&atom) {
            whole.positive.push(atom);
        }
    }
    whole.negative.extend(negative);
    whole.builtins.extend(builtins);
    whole.variables = variables;
    whole
}
