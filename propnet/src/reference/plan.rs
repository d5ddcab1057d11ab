//! Clause -> join plan: in which order the conditions of a body are tried, and by which indexes.
//!
//! The order of literals in a sheet means nothing, so the planner takes whatever can be tested at
//! once, then the look-up that is expected to find the fewest rows, judged by the actual facts.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use smallvec::smallvec;

use super::clause::{Clause, Condition, Pattern, RelationId, Sentence, for_each_sentence};
use super::facts::{Access, Facts, Path};
use super::strata::Strata;
use crate::terms::{TermId, Terms};

/// Which solutions of a clause a plan finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PlanKind {
    /// All of them.
    Whole,
    /// Those that use a new row of the so-many-th positive sentence of the body.
    Delta(usize),
    /// Those whose conclusion has given values in the arguments of the mask.
    Asked(u64),
}

/// How to find solutions of a clause.
#[derive(Debug)]
pub(super) struct Plan {
    /// What the given values must look like, and where they go.
    pub(super) given: (Access, Vec<Value>, RowBinding),
    pub(super) steps: Vec<Step>,
    /// The sizes of the relations when the plan was made.
    pub(super) sizes: Vec<(RelationId, usize)>,
}

/// One step of a join; a solution passes all of them.
#[derive(Debug)]
pub(super) enum Step {
    /// Go through the rows of an index that have the key.
    LookUp {
        relation: RelationId,
        index: usize,
        key: Vec<Value>,
        /// Whole arguments that are known: their column and their position in the key.
        known: Vec<(usize, usize)>,
        row: RowBinding,
    },
    /// Go through the rows of the current delta of a recursive relation.
    Delta { relation: RelationId, access: Access, key: Vec<Value>, row: RowBinding },
    /// Go on only if the sentence is (or, negated, is not) a fact.
    Test { sentence: Sentence, negated: bool },
    /// Go on only if the terms are equal (or not).
    Compare { left: Pattern, right: Pattern, equal: bool },
    /// Go on once for each solution of each arm.
    Either(Vec<Vec<Step>>),
    /// The conclusion is known from here on: one solution of the steps behind is enough.
    Once,
}

/// What a row gives to the slots, and which slots it must agree with.
#[derive(Debug, Default)]
pub(super) struct RowBinding {
    pub(super) bind: Vec<(Path, usize)>,
    pub(super) agree: Vec<(Path, usize)>,
}

/// A part of a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Slot(usize),
    Ground(TermId),
}

/// What a look-up into a relation is expected to find while nothing is known of its size.
const UNKNOWN_ROWS: f64 = 20.0;

/// A plan may have this many steps; only rules whose `or`s share variables in a contrived way
/// come near it.
pub(super) const MAX_STEPS: usize = 200_000;

/// Makes plans. Holds what the current facts say about the cost of each look-up.
pub(super) struct Planner<'a> {
    terms: &'a Terms,
    facts: &'a mut [Facts],
    strata: &'a Strata,
    /// The component that is being computed.
    component: usize,
    expected: FxHashMap<(RelationId, Access), f64>,
    steps_made: usize,
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        facts: &'a mut [Facts],
        strata: &'a Strata,
        component: usize,
    ) -> Self {
        let expected = FxHashMap::default();
        Planner { terms, facts, strata, component, expected, steps_made: 0 }
    }

    /// The plan of a kind, `None` if the rule is too entangled to plan.
    pub(super) fn plan(&mut self, clause: &Clause, kind: PlanKind) -> Option<Plan> {
        let mut bound = vec![false; clause.slots];
        let mut steps = Vec::new();
        let mut given = Sentence { relation: clause.head.relation, args: Vec::new() };
        let mut body = clause.body.clone();
        match kind {
            PlanKind::Whole => {}
            PlanKind::Delta(occurrence) => {
                let (sentence, rest) = focus(&clause.body, occurrence);
                let (access, key, row) = matching(&sentence, &mut bound);
                steps.push(Step::Delta { relation: sentence.relation, access, key, row });
                body = rest;
            }
            PlanKind::Asked(mask) => {
                let args = clause.head.args.iter().enumerate();
                let asked = args.filter(|(column, _)| mask >> column & 1 == 1);
                given.args = asked.map(|(_, arg)| arg.clone()).collect();
            }
        }
        let given = matching(&given, &mut bound);
        let mut needed = vec![false; clause.slots];
        for arg in &clause.head.args {
            arg.for_each_slot(&mut |slot| needed[slot] = true);
        }
        let body: Vec<&Condition> = body.iter().collect();
        steps.extend(self.order(&body, &mut bound, &needed, true)?.0);
        let mut sizes = Vec::new();
        for_each_sentence(&clause.body, &mut |sentence, _| {
            if self.state_of(sentence.relation) == Knowledge::Computed {
                sizes.push((sentence.relation, self.facts[sentence.relation].len()));
            }
        });
        Some(Plan { given, steps, sizes })
    }

    fn state_of(&self, relation: RelationId) -> Knowledge {
        match self.strata.component_of.get(relation) {
            Some(&at) if at == self.component => Knowledge::Unfinished,
            Some(&at) if self.strata.components[at].on_demand => Knowledge::OnDemand,
            _ => Knowledge::Computed,
        }
    }

    /// Steps for a conjunction and the number of solutions to expect. Behind them all of `needed`
    /// is bound; `None` where that cannot be, or where a test would lack a variable. With `whole`
    /// nothing but the conclusion comes behind them.
    fn order(
        &mut self,
        body: &[&Condition],
        bound: &mut [bool],
        needed: &[bool],
        whole: bool,
    ) -> Option<(Vec<Step>, f64)> {
        let mut rest = body.to_vec();
        let mut steps = Vec::with_capacity(rest.len());
        let mut solutions = 1.0;
        let mut concluded = !whole;
        loop {
            rest.retain(|condition| match test_of(condition, bound) {
                Some(step) => {
                    steps.push(step);
                    false
                }
                None => true,
            });
            self.steps_made += rest.len() + 1;
            if self.steps_made > MAX_STEPS {
                return None;
            }
            let complete = needed.iter().zip(&*bound).all(|(needed, bound)| *bound || !needed);
            if complete && !concluded {
                steps.push(Step::Once);
                concluded = true;
            }
            if rest.is_empty() {
                return complete.then_some((steps, solutions));
            }
            let Some((at, expected)) = self.cheapest(&rest, bound, needed) else {
                let (step, expected) = self.distribute(&rest, bound, needed, !concluded)?;
                steps.push(step);
                return Some((steps, solutions * expected));
            };
            solutions *= expected;
            let condition = rest.remove(at);
            steps.push(self.step(condition, &rest, bound, needed)?);
        }
    }

    fn cheapest(
        &mut self,
        rest: &[&Condition],
        bound: &[bool],
        needed: &[bool],
    ) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (at, condition) in rest.iter().enumerate() {
            let expected = match condition {
                Condition::Fact { sentence, negated: false } => self.rows_of(sentence, bound),
                Condition::Fact { .. } | Condition::Compare { .. } => continue,
                Condition::Either(arms) => {
                    let others = rest[..at].iter().chain(&rest[at + 1..]);
                    let needed = needed_behind(condition, others, needed);
                    match self.arms(arms, &[], bound, &needed, false) {
                        Some((_, expected)) => expected,
                        None => continue,
                    }
                }
            };
            if best.is_none_or(|(_, least)| expected < least) {
                best = Some((at, expected));
            }
        }
        best
    }

    /// The rows that a look-up is expected to find.
    fn rows_of(&mut self, sentence: &Sentence, bound: &[bool]) -> f64 {
        let (access, _, _) = matching(sentence, &mut bound.to_vec());
        let knowledge = self.state_of(sentence.relation);
        if knowledge == Knowledge::OnDemand {
            // Wide: better asked the more of its arguments are known.
            let open = sentence.args.len() - known_arguments(&access).len();
            return UNKNOWN_ROWS.powi(open as i32);
        }
        if knowledge == Knowledge::Unfinished || self.facts[sentence.relation].len() == 0 {
            return UNKNOWN_ROWS / (1 + access.keys.len()) as f64;
        }
        let (facts, terms) = (&self.facts[sentence.relation], self.terms);
        let known = self.expected.entry((sentence.relation, access));
        if let Entry::Occupied(known) = &known {
            return *known.get();
        }
        let rows = facts.expected_rows(&known.key().1, terms);
        *known.or_insert(rows)
    }

    fn step(
        &mut self,
        condition: &Condition,
        rest: &[&Condition],
        bound: &mut [bool],
        needed: &[bool],
    ) -> Option<Step> {
        match condition {
            Condition::Fact { sentence, .. } => {
                let (access, key, row) = matching(sentence, bound);
                let relation = sentence.relation;
                let known = known_arguments(&access);
                let index = self.facts[relation].index(access);
                Some(Step::LookUp { relation, index, key, known, row })
            }
            Condition::Either(arms) => {
                let needed = needed_behind(condition, rest.iter(), needed);
                let (arms, _) = self.arms(arms, &[], bound, &needed, false)?;
                bind_all(bound, &needed);
                Some(Step::Either(arms))
            }
            Condition::Compare { .. } => None,
        }
    }

    /// Where a choice leaves a variable open in some arm that others rely on, all that follows
    /// has to be planned separately behind each arm.
    fn distribute(
        &mut self,
        rest: &[&Condition],
        bound: &mut [bool],
        needed: &[bool],
        whole: bool,
    ) -> Option<(Step, f64)> {
        let at = rest.iter().position(|condition| matches!(condition, Condition::Either(_)))?;
        let Condition::Either(arms) = rest[at] else { return None };
        let others: Vec<&Condition> = rest[..at].iter().chain(&rest[at + 1..]).copied().collect();
        let (arms, expected) = self.arms(arms, &others, bound, needed, whole)?;
        bind_all(bound, needed);
        Some((Step::Either(arms), expected))
    }

    /// Each arm of a choice, followed by `behind`, in order.
    fn arms(
        &mut self,
        arms: &[Vec<Condition>],
        behind: &[&Condition],
        bound: &[bool],
        needed: &[bool],
        whole: bool,
    ) -> Option<(Vec<Vec<Step>>, f64)> {
        let mut planned = Vec::with_capacity(arms.len());
        let mut expected = 0.0;
        for arm in arms {
            let body: Vec<&Condition> = arm.iter().chain(behind.iter().copied()).collect();
            let (steps, solutions) = self.order(&body, &mut bound.to_vec(), needed, whole)?;
            expected += solutions;
            planned.push(steps);
        }
        Some((planned, expected))
    }
}

/// What the planner can know of a relation.
#[derive(PartialEq)]
enum Knowledge {
    Computed,
    Unfinished,
    OnDemand,
}

/// The columns whose whole value is part of the key, and where in it.
fn known_arguments(access: &Access) -> Vec<(usize, usize)> {
    let keys = access.keys.iter().enumerate();
    keys.filter(|(_, path)| path.len() == 1).map(|(at, path)| (path[0] as usize, at)).collect()
}

/// The slots of a choice that must be bound behind it: those others use as well.
fn needed_behind<'a>(
    choice: &Condition,
    others: impl Iterator<Item = &'a &'a Condition>,
    needed: &[bool],
) -> Vec<bool> {
    let mut elsewhere = needed.to_vec();
    for other in others {
        for_each_slot(other, &mut |slot| elsewhere[slot] = true);
    }
    let mut both = vec![false; needed.len()];
    for_each_slot(choice, &mut |slot| both[slot] = elsewhere[slot]);
    both
}

fn bind_all(bound: &mut [bool], more: &[bool]) {
    for (bound, more) in bound.iter_mut().zip(more) {
        *bound |= more;
    }
}

fn for_each_slot(condition: &Condition, visit: &mut dyn FnMut(usize)) {
    match condition {
        Condition::Fact { sentence, .. } => {
            for arg in &sentence.args {
                arg.for_each_slot(visit);
            }
        }
        Condition::Compare { left, right, .. } => {
            left.for_each_slot(visit);
            right.for_each_slot(visit);
        }
        Condition::Either(arms) => {
            for condition in arms.iter().flatten() {
                for_each_slot(condition, visit);
            }
        }
    }
}

/// The occurrence-th positive sentence of a body (counted through all arms), and what must hold
/// beside it: the body, with the arms taken that lead to the sentence.
fn focus(body: &[Condition], occurrence: usize) -> (Sentence, Vec<Condition>) {
    fn search(body: &[Condition], left: &mut usize) -> Option<(Sentence, Vec<Condition>)> {
        for (at, condition) in body.iter().enumerate() {
            let rest = || body[..at].iter().chain(&body[at + 1..]).cloned().collect::<Vec<_>>();
            match condition {
                Condition::Fact { sentence, negated: false } => {
                    if *left == 0 {
                        return Some((sentence.clone(), rest()));
                    }
                    *left -= 1;
                }
                Condition::Either(arms) => {
                    for arm in arms {
                        if let Some((sentence, mut beside)) = search(arm, left) {
                            beside.extend(rest());
                            return Some((sentence, beside));
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }
    let mut left = occurrence;
    search(body, &mut left).expect("occurrences are numbered by the same walk")
}

/// The condition as a test, if all its variables are bound.
fn test_of(condition: &Condition, bound: &[bool]) -> Option<Step> {
    let ready = |pattern: &Pattern| {
        let mut ready = true;
        pattern.for_each_slot(&mut |slot| ready &= bound[slot]);
        ready
    };
    match condition {
        Condition::Fact { sentence, negated } if sentence.args.iter().all(ready) => {
            Some(Step::Test { sentence: sentence.clone(), negated: *negated })
        }
        Condition::Compare { left, right, equal } if ready(left) && ready(right) => {
            Some(Step::Compare { left: left.clone(), right: right.clone(), equal: *equal })
        }
        _ => None,
    }
}

/// How to find rows for a sentence, given the bound slots; then its slots are bound too.
fn matching(sentence: &Sentence, bound: &mut [bool]) -> (Access, Vec<Value>, RowBinding) {
    let mut access = Access::default();
    let mut key = Vec::new();
    let mut row = RowBinding::default();
    let before = bound.to_vec();
    let mut todo: Vec<(Path, &Pattern)> = Vec::new();
    for (column, arg) in sentence.args.iter().enumerate().rev() {
        todo.push((smallvec![column as u16], arg));
    }
    while let Some((path, pattern)) = todo.pop() {
        match pattern {
            Pattern::Ground(term) => {
                access.keys.push(path);
                key.push(Value::Ground(*term));
            }
            Pattern::Slot(slot) if before[*slot] => {
                access.keys.push(path);
                key.push(Value::Slot(*slot));
            }
            Pattern::Slot(slot) if bound[*slot] => row.agree.push((path, *slot)),
            Pattern::Slot(slot) => {
                bound[*slot] = true;
                row.bind.push((path, *slot));
            }
            Pattern::Function(name, args) => {
                for (at, arg) in args.iter().enumerate().rev() {
                    let mut inner = path.clone();
                    inner.push(at as u16);
                    todo.push((inner, arg));
                }
                access.shape.push((path, *name, args.len()));
            }
        }
    }
    (access, key, row)
}
