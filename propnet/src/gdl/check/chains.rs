//! From a rule to the relation that it depends on, rule by rule.
//!
//! A relation may depend on another by name only: `(p a)` is asked, and a rule for `(p b)` asks
//! `does`. So a chain follows a condition only to the rules whose heads it unifies with.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::heads;
use super::relations::{RelationGraph, RelationKey, key};
use super::unify::may_unify;
use crate::gdl::rules::{Atom, Rules};

/// The work that comparing conditions with heads may take, in steps of unification. What is not
/// compared counts as different: no chain is claimed that was not found.
const MAX_STEPS: usize = 10_000_000;

/// The shortest chains of rules to one relation.
pub(super) struct Chains<'a> {
    /// For each rule that leads to the relation, its first link.
    links: Vec<Option<Link<'a>>>,
}

/// A condition of a rule, and the rule that it leads to; none where the chain ends.
#[derive(Clone, Copy)]
struct Link<'a> {
    atom: &'a Atom,
    next: Option<usize>,
}

/// Conditions, each with the rule that it stands in.
type ConditionUses<'a> = FxHashMap<RelationKey, Vec<(usize, &'a Atom)>>;

impl<'a> Chains<'a> {
    /// The chains to `target`. `leads` says which relations depend on it by name.
    pub(super) fn new(
        rules: &'a Rules,
        relations: &RelationGraph,
        target: RelationKey,
        leads: &dyn Fn(usize) -> bool,
    ) -> Self {
        let mut uses = uses(rules, relations, leads);
        let mut links: Vec<Option<Link<'a>>> = vec![None; rules.rules.len()];
        let mut queue = VecDeque::new();
        for (rule, atom) in uses.remove(&target).unwrap_or_default() {
            if links[rule].is_none() {
                links[rule] = Some(Link { atom, next: None });
                queue.push_back(rule);
            }
        }
        let mut budget = MAX_STEPS;
        while let Some(reached) = queue.pop_front() {
            let head = &rules.rules[reached].head;
            let Some(waiting) = uses.get_mut(&key(head)) else { continue };
            waiting.retain(|&(rule, atom)| {
                if links[rule].is_some() {
                    return false;
                }
                let alike = budget > 0 && may_unify(&atom.args, &head.args, &mut budget);
                if alike {
                    links[rule] = Some(Link { atom, next: Some(reached) });
                    queue.push_back(rule);
                }
                !alike
            });
        }
        Chains { links }
    }

    /// Whether a chain of rules leads from a rule to the relation.
    pub(super) fn leads_from(&self, rule: usize) -> bool {
        self.links[rule].is_some()
    }

    /// The conditions from a rule to the relation, the last of which asks it; empty where no chain
    /// leads there.
    pub(super) fn from(&self, rule: usize) -> Vec<&'a Atom> {
        let mut at = self.links[rule];
        let mut conditions = Vec::new();
        while let Some(link) = at {
            conditions.push(link.atom);
            at = link.next.and_then(|next| self.links[next]);
        }
        conditions
    }
}

fn uses<'a>(
    rules: &'a Rules,
    relations: &RelationGraph,
    leads: &dyn Fn(usize) -> bool,
) -> ConditionUses<'a> {
    let mut uses = ConditionUses::default();
    for (index, rule) in rules.rules.iter().enumerate().filter(|(_, r)| !heads::is_refused(r)) {
        for literal in &rule.body {
            literal.for_each_atom(false, &mut |atom, _| {
                if relations.id(atom).is_some_and(leads) {
                    uses.entry(key(atom)).or_default().push((index, atom));
                }
            });
        }
    }
    uses
}
