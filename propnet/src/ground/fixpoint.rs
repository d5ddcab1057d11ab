//! Static relations exactly, then everything that can ever be true, round by round.
//!
//! Semi-naive evaluation: Bancilhon 1986.

use rustc_hash::FxHashMap;

use super::engine::{Engine, Stop};
use super::limits::GroundError;
use super::pace::relation_of;
use super::program::{FlatRule, PredicateId, RuleProgram};
use super::relation::Relation;
use crate::components::components as in_order;
use crate::gdl::{Symbol, word};
use crate::terms::TermId;

/// A set of predicates that depend on each other, dependencies first.
struct PredicateComponent {
    predicates: Vec<PredicateId>,
    rules: Vec<usize>,
    is_static: bool,
    negative: bool,
}

impl Engine<'_> {
    /// Computes the relations that depend on neither state nor moves, negation included. The
    /// rules that are left are returned: they depend on them.
    pub(super) fn statics(&mut self) -> Result<Vec<usize>, Stop> {
        let mut dynamic_rules = Vec::new();
        for component in components(&self.program) {
            if !component.is_static {
                dynamic_rules.extend(component.rules);
                continue;
            }
            self.exactly(&component)?;
            for &predicate in &component.predicates {
                self.known[predicate] = true;
                self.relations[predicate].catch_up();
            }
        }
        dynamic_rules.sort_unstable();
        Ok(dynamic_rules)
    }

    /// Computes the initial state where it depends on relations that depend on the state: in an
    /// empty one, in which those are known too.
    pub(super) fn initial_rows(&mut self) -> Result<Vec<(PredicateId, Vec<TermId>)>, Stop> {
        for component in components(&self.program) {
            self.exactly(&component)?;
            for &predicate in &component.predicates {
                self.known[predicate] = true;
                self.relations[predicate].catch_up();
            }
        }
        let mut rows = Vec::new();
        for predicate in self.predicates_of(word::INIT) {
            let relation = &self.relations[predicate];
            rows.extend((0..relation.len()).map(|row| (predicate, relation.row(row).to_vec())));
        }
        Ok(rows)
    }

    /// The predicates of a relation, one for each kind of fluent or move.
    pub(super) fn predicates_of(&self, relation: Symbol) -> Vec<PredicateId> {
        let keys = self.program.predicates.keys().enumerate();
        keys.filter(|(_, key)| key.relation == relation).map(|(at, _)| at).collect()
    }

    /// The facts of a component whose dependencies are known.
    fn exactly(&mut self, component: &PredicateComponent) -> Result<(), Stop> {
        if !component.negative {
            return self.least_fixpoint(&component.rules);
        }
        // Under- and overestimates alternate until they meet.
        self.assume(component, |_| None);
        self.least_fixpoint(&component.rules)?;
        let mut most = self.size_of(component);
        loop {
            let found = self.take(component);
            self.assume(component, |at| found.get(at).cloned());
            self.least_fixpoint(&component.rules)?;
            let least = self.size_of(component);
            let found = self.take(component);
            self.assume(component, |at| found.get(at).cloned());
            self.least_fixpoint(&component.rules)?;
            let size = self.size_of(component);
            if size == least {
                break;
            }
            if size == most {
                let origin = self.program.rules[component.rules[0]].origin;
                return Err(Stop::Error(GroundError::Unstratified {
                    relation: relation_of(self.rules, origin),
                    place: self.rules.source.place(origin.start),
                }));
            }
            most = size;
        }
        for &predicate in &component.predicates {
            self.assumed[predicate] = None;
        }
        self.forget_plans(&component.rules);
        Ok(())
    }

    fn assume(
        &mut self,
        component: &PredicateComponent,
        rows: impl Fn(usize) -> Option<Vec<Vec<TermId>>>,
    ) {
        for (at, &predicate) in component.predicates.iter().enumerate() {
            let mut relation = Relation::new(self.program.key(predicate).arity);
            for row in rows(at).into_iter().flatten() {
                relation.insert(&row);
            }
            self.assumed[predicate] = Some(relation);
        }
        self.forget_plans(&component.rules);
    }

    /// Takes the rows of a component out.
    fn take(&mut self, component: &PredicateComponent) -> Vec<Vec<Vec<TermId>>> {
        let predicates = component.predicates.iter();
        predicates
            .map(|&predicate| {
                let empty = Relation::new(self.program.key(predicate).arity);
                let taken = std::mem::replace(&mut self.relations[predicate], empty);
                self.new_end[predicate] = 0;
                self.old_end[predicate] = 0;
                self.facts -= u64::from(taken.len());
                (0..taken.len()).map(|row| taken.row(row).to_vec()).collect()
            })
            .collect()
    }

    fn size_of(&self, component: &PredicateComponent) -> u32 {
        component.predicates.iter().map(|&predicate| self.relations[predicate].len()).sum()
    }

    /// Adds what rules conclude until nothing new comes, each instance found once.
    pub(super) fn least_fixpoint(&mut self, rules: &[usize]) -> Result<(), Stop> {
        // For each predicate that grows, the rules with the conditions on it.
        let mut readers: FxHashMap<PredicateId, Vec<(usize, usize)>> = FxHashMap::default();
        for &rule in rules {
            let conditions = self.program.rules[rule].positive.iter().enumerate();
            let mut waits = false;
            for (at, atom) in conditions.filter(|(_, atom)| !self.known[atom.predicate]) {
                readers.entry(atom.predicate).or_default().push((rule, at));
                waits = true;
            }
            if !waits {
                self.run(rule, None)?;
            }
        }
        let mut moving: Vec<PredicateId> = readers.keys().copied().collect();
        loop {
            // What has grown since the last round began is new in this one; what was new in the
            // last round is old.
            moving
                .extend(self.grown.take().into_iter().filter(|grown| readers.contains_key(grown)));
            moving.sort_unstable();
            moving.dedup();
            moving.retain(|&predicate| {
                self.old_end[predicate] = self.new_end[predicate];
                self.new_end[predicate] = self.relations[predicate].len();
                self.relations[predicate].catch_up();
                self.old_end[predicate] < self.new_end[predicate]
            });
            if moving.is_empty() {
                return Ok(());
            }
            let mut due: Vec<(usize, usize)> = moving
                .iter()
                .filter_map(|predicate| readers.get(predicate))
                .flatten()
                .copied()
                .collect();
            due.sort_unstable();
            for (rule, condition) in due {
                self.run(rule, Some(condition))?;
            }
        }
    }
}

/// The predicates that got new rows, each once.
#[derive(Debug, Default)]
pub(super) struct Grown {
    predicates: Vec<PredicateId>,
    has: Vec<bool>,
}

impl Grown {
    pub(super) fn new(count: usize) -> Self {
        Grown { predicates: Vec::new(), has: vec![false; count] }
    }

    pub(super) fn add(&mut self, predicate: PredicateId) {
        if !std::mem::replace(&mut self.has[predicate], true) {
            self.predicates.push(predicate);
        }
    }

    /// Takes them out.
    fn take(&mut self) -> Vec<PredicateId> {
        for &predicate in &self.predicates {
            self.has[predicate] = false;
        }
        std::mem::take(&mut self.predicates)
    }
}

/// Whether every initial fluent follows from static relations alone.
pub(super) fn init_is_static(program: &RuleProgram) -> bool {
    components(program).iter().all(|component| {
        let init = |&predicate: &PredicateId| program.key(predicate).relation == word::INIT;
        component.is_static || !component.predicates.iter().any(init)
    })
}

/// The predicates in the order in which they can be computed.
fn components(program: &RuleProgram) -> Vec<PredicateComponent> {
    let count = program.predicates.len();
    let mut component_of = vec![0; count];
    let mut components: Vec<PredicateComponent> = Vec::new();
    for predicates in in_order(count, dependencies(&program.rules)) {
        for &predicate in &predicates {
            component_of[predicate] = components.len();
        }
        let is_static = !predicates.iter().any(|&predicate| is_open(program, predicate));
        components.push(PredicateComponent {
            predicates,
            rules: Vec::new(),
            is_static,
            negative: false,
        });
    }
    // A rule's body is in components before its head's, or in the same.
    let mut rules: Vec<usize> = (0..program.rules.len()).collect();
    rules.sort_by_key(|&rule| component_of[program.rules[rule].head.predicate]);
    for rule in rules {
        let flat = &program.rules[rule];
        let at = component_of[flat.head.predicate];
        components[at].rules.push(rule);
        components[at].negative |=
            flat.negative.iter().any(|atom| component_of[atom.predicate] == at);
        let mut atoms = flat.positive.iter().chain(&flat.negative);
        if atoms.any(|atom| !components[component_of[atom.predicate]].is_static) {
            components[at].is_static = false;
        }
    }
    components
}

/// Predicates that are never computed once and for all: inputs and what engines ask for.
fn is_open(program: &RuleProgram, predicate: PredicateId) -> bool {
    let key = program.key(predicate);
    if program.wide.contains(&predicate) {
        return true; // not all of it is computed
    }
    let asked = [word::TRUE, word::DOES, word::LEGAL, word::NEXT];
    asked.contains(&key.relation) && (key.functor.is_some() || key.arity == 1 || key.arity == 2)
        || (key.relation == word::GOAL && key.arity == 2)
        || (key.relation == word::TERMINAL && key.arity == 0)
}

fn dependencies(rules: &[FlatRule]) -> Vec<(PredicateId, PredicateId)> {
    let read = |rule: &FlatRule| -> Vec<(PredicateId, PredicateId)> {
        let atoms = rule.positive.iter().chain(&rule.negative);
        atoms.map(|atom| (rule.head.predicate, atom.predicate)).collect()
    };
    rules.iter().flat_map(read).collect()
}
