//! Clause -> join plan: in which order the conditions of a body are tried, and by which indexes.
//!
//! The order of literals in a sheet means nothing, so the planner takes whatever can be tested at
//! once, then the look-up that is expected to find the fewest rows, judged by the actual facts.
//! A choice (`or`) is treated like a look-up as soon as each of its arms, by itself, can bind
//! what others need of it.

use super::choice::{Closing, for_each_slot, ready};
use super::clause::{Clause, ClauseCondition, RelationId, Sentence, for_each_sentence};
use super::facts::{Facts, IndexAccess};
use super::plan::{ClausePlan, ClauseStep, PlanKind, focus, matching};
use super::strata::Strata;
use crate::terms::Terms;

/// What a look-up into a relation is expected to find while nothing is known of its size.
const UNKNOWN_ROWS: f64 = 20.0;

/// Conditions that may be looked at for one plan; only rules whose `or`s share variables in a
/// contrived way come near it.
pub(super) const MAX_STEPS: usize = 3_000_000;

/// Makes plans.
pub(super) struct ClausePlanner<'a> {
    terms: &'a Terms,
    facts: &'a mut [Facts],
    strata: &'a Strata,
    /// The component that is being computed.
    component: usize,
    steps_made: usize,
}

impl<'a> ClausePlanner<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        facts: &'a mut [Facts],
        strata: &'a Strata,
        component: usize,
    ) -> Self {
        ClausePlanner { terms, facts, strata, component, steps_made: 0 }
    }

    /// The plan of a kind, `None` if the rule is too entangled to plan.
    pub(super) fn plan(&mut self, clause: &Clause, kind: PlanKind) -> Option<ClausePlan> {
        let mut bound = vec![false; clause.slots];
        let mut steps = Vec::new();
        let mut given = Sentence { relation: clause.head.relation, args: Vec::new() };
        let mut focused = None;
        match kind {
            PlanKind::Whole => {}
            PlanKind::Delta(occurrence) => {
                let (sentence, rest) = focus(&clause.body, occurrence);
                let (access, key, row) = matching(&sentence, &mut bound);
                steps.push(ClauseStep::Delta { relation: sentence.relation, access, key, row });
                focused = Some(rest);
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
        let body: Vec<&ClauseCondition> = focused.as_ref().unwrap_or(&clause.body).iter().collect();
        steps.extend(self.order(&body, &mut bound, &needed, true)?);
        let mut sizes = Vec::new();
        for_each_sentence(&clause.body, &mut |sentence, _| {
            if self.knowledge(sentence.relation) == Knowledge::Computed {
                sizes.push((sentence.relation, self.facts[sentence.relation].len()));
            }
        });
        sizes.sort_unstable();
        sizes.dedup();
        Some(ClausePlan { given, steps, sizes })
    }

    fn knowledge(&self, relation: RelationId) -> Knowledge {
        match self.strata.component_of.get(relation) {
            Some(&at) if at == self.component => Knowledge::Unfinished,
            Some(&at) if self.strata.components[at].on_demand => Knowledge::OnDemand,
            _ => Knowledge::Computed,
        }
    }

    /// Steps for a conjunction. After them all of `needed` is bound; `None` where that cannot
    /// be, or where a test would lack a variable. With `whole` nothing but the conclusion comes
    /// after them.
    fn order(
        &mut self,
        body: &[&ClauseCondition],
        bound: &mut [bool],
        needed: &[bool],
        whole: bool,
    ) -> Option<Vec<ClauseStep>> {
        let mut rest = body.to_vec();
        let mut steps = Vec::with_capacity(rest.len());
        let mut concluded = !whole;
        loop {
            self.take_tests(&mut rest, bound, &mut steps)?;
            let complete = needed.iter().zip(&*bound).all(|(needed, bound)| *bound || !needed);
            if complete && !concluded {
                steps.push(ClauseStep::Once);
                concluded = true;
            }
            if rest.is_empty() {
                return complete.then_some(steps);
            }
            let wanted = wanted_by_others(&rest, needed);
            let Some(at) = self.cheapest(&rest, bound, &wanted)? else {
                steps.push(self.distribute(&rest, bound, needed, !concluded)?);
                return Some(steps);
            };
            let condition = rest.remove(at);
            steps.push(self.step(condition, bound, &wanted)?);
        }
    }

    /// Moves what has all its variables into the steps.
    fn take_tests(
        &mut self,
        rest: &mut Vec<&ClauseCondition>,
        bound: &[bool],
        steps: &mut Vec<ClauseStep>,
    ) -> Option<()> {
        self.spend(rest.len() + 1)?;
        let mut waiting = Vec::with_capacity(rest.len());
        for &condition in rest.iter() {
            match condition {
                _ if !ready(condition, bound) => waiting.push(condition),
                ClauseCondition::Fact { sentence, negated } => {
                    steps.push(ClauseStep::Test { sentence: sentence.clone(), negated: *negated });
                }
                ClauseCondition::Compare { left, right, equal } => {
                    let (left, right) = (left.clone(), right.clone());
                    steps.push(ClauseStep::Compare { left, right, equal: *equal });
                }
                ClauseCondition::Either(arms) => steps.push(self.any(arms, bound)?),
            }
        }
        *rest = waiting;
        Some(())
    }

    /// The condition to do next: the one that is expected to find the fewest rows. The outer
    /// `None` is a plan given up, the inner one means that no condition can be done by itself.
    fn cheapest(
        &mut self,
        rest: &[&ClauseCondition],
        bound: &[bool],
        wanted: &[bool],
    ) -> Option<Option<usize>> {
        let mut best: Option<(usize, f64)> = None;
        for (at, condition) in rest.iter().enumerate() {
            let expected = match condition {
                ClauseCondition::Fact { sentence, negated: false } => self.rows_of(sentence, bound),
                ClauseCondition::Fact { .. } | ClauseCondition::Compare { .. } => continue,
                ClauseCondition::Either(arms) => {
                    let mut closing = Closing { budget: MAX_STEPS - self.steps_made };
                    let common = closing.common(arms, bound);
                    self.spend(MAX_STEPS - self.steps_made - closing.budget)?;
                    let Some(common) = common else { continue };
                    let mut open = false;
                    for_each_slot(condition, &mut |slot| open |= wanted[slot] && !common[slot]);
                    if open {
                        continue;
                    }
                    let arms = arms.iter().map(|arm| self.estimate(arm, bound));
                    arms.sum::<Option<f64>>()?
                }
            };
            if best.is_none_or(|(_, least)| expected < least) {
                best = Some((at, expected));
            }
        }
        Some(best.map(|(at, _)| at))
    }

    /// About how many solutions a conjunction has, all its look-ups taken greedily.
    fn estimate(&mut self, body: &[ClauseCondition], bound: &[bool]) -> Option<f64> {
        let mut bound = bound.to_vec();
        let mut facts: Vec<&Sentence> = Vec::new();
        for condition in body {
            if let ClauseCondition::Fact { sentence, negated: false } = condition {
                facts.push(sentence);
            }
        }
        let mut solutions = 1.0;
        loop {
            self.spend(facts.len() + 1)?;
            let rows = facts.iter().map(|fact| self.rows_of(fact, &bound)).enumerate();
            let Some((at, rows)) = rows.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            solutions *= rows;
            for arg in &facts.swap_remove(at).args {
                arg.for_each_slot(&mut |slot| bound[slot] = true);
            }
        }
        for condition in body {
            if let ClauseCondition::Either(arms) = condition {
                let arms = arms.iter().map(|arm| self.estimate(arm, &bound));
                solutions *= arms.sum::<Option<f64>>()?;
            }
        }
        Some(solutions)
    }

    /// The rows that a look-up is expected to find.
    fn rows_of(&mut self, sentence: &Sentence, bound: &[bool]) -> f64 {
        let (access, _, _) = matching(sentence, &mut bound.to_vec());
        let knowledge = self.knowledge(sentence.relation);
        if knowledge == Knowledge::OnDemand {
            // Wide: better asked the more of its arguments are known.
            let open = sentence.args.len() - known_arguments(&access).len();
            return UNKNOWN_ROWS.powi(open as i32);
        }
        if knowledge == Knowledge::Unfinished || self.facts[sentence.relation].len() == 0 {
            return UNKNOWN_ROWS / (1 + access.keys.len()) as f64;
        }
        self.facts[sentence.relation].expected_rows(access, self.terms)
    }

    fn step(
        &mut self,
        condition: &ClauseCondition,
        bound: &mut [bool],
        wanted: &[bool],
    ) -> Option<ClauseStep> {
        match condition {
            ClauseCondition::Fact { sentence, .. } => {
                let (access, key, row) = matching(sentence, bound);
                let relation = sentence.relation;
                let known = known_arguments(&access);
                let index = self.facts[relation].index(access);
                Some(ClauseStep::LookUp { relation, index, key, known, row })
            }
            ClauseCondition::Either(arms) => {
                let mut needed = vec![false; bound.len()];
                for_each_slot(condition, &mut |slot| needed[slot] = wanted[slot] && !bound[slot]);
                if !needed.contains(&true) {
                    return self.any(arms, bound);
                }
                let arms = self.arms(arms, &[], bound, &needed, false)?;
                bind_all(bound, &needed);
                Some(ClauseStep::Either(arms))
            }
            ClauseCondition::Compare { .. } => None,
        }
    }

    /// A choice of which only matters whether it holds.
    fn any(&mut self, arms: &[Vec<ClauseCondition>], bound: &[bool]) -> Option<ClauseStep> {
        let mut arms = self.arms(arms, &[], bound, &vec![false; bound.len()], false)?;
        for arm in &mut arms {
            arm.push(ClauseStep::Found);
        }
        Some(ClauseStep::Any(arms))
    }

    /// Where a choice leaves a variable open in some arm that others rely on, all that follows
    /// has to be planned separately after each arm.
    fn distribute(
        &mut self,
        rest: &[&ClauseCondition],
        bound: &mut [bool],
        needed: &[bool],
        whole: bool,
    ) -> Option<ClauseStep> {
        let at =
            rest.iter().position(|condition| matches!(condition, ClauseCondition::Either(_)))?;
        let ClauseCondition::Either(arms) = rest[at] else { return None };
        let others: Vec<&ClauseCondition> =
            rest[..at].iter().chain(&rest[at + 1..]).copied().collect();
        let arms = self.arms(arms, &others, bound, needed, whole)?;
        bind_all(bound, needed);
        Some(ClauseStep::Either(arms))
    }

    /// Each arm of a choice, followed by `behind`, in order.
    fn arms(
        &mut self,
        arms: &[Vec<ClauseCondition>],
        behind: &[&ClauseCondition],
        bound: &[bool],
        needed: &[bool],
        whole: bool,
    ) -> Option<Vec<Vec<ClauseStep>>> {
        let mut planned = Vec::with_capacity(arms.len());
        for arm in arms {
            let body: Vec<&ClauseCondition> = arm.iter().chain(behind.iter().copied()).collect();
            planned.push(self.order(&body, &mut bound.to_vec(), needed, whole)?);
        }
        Some(planned)
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        self.steps_made += steps;
        (self.steps_made < MAX_STEPS).then_some(())
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
fn known_arguments(access: &IndexAccess) -> Vec<(usize, usize)> {
    let keys = access.keys.iter().enumerate();
    keys.filter(|(_, path)| path.len() == 1).map(|(at, path)| (path[0] as usize, at)).collect()
}

/// The slots that must be bound after a condition that has them: those of the conclusion, and
/// those that more than one condition has.
fn wanted_by_others(rest: &[&ClauseCondition], needed: &[bool]) -> Vec<bool> {
    let mut wanted = needed.to_vec();
    let mut user = vec![None; needed.len()];
    for (at, condition) in rest.iter().enumerate() {
        for_each_slot(condition, &mut |slot| match user[slot] {
            Some(other) if other != at => wanted[slot] = true,
            _ => user[slot] = Some(at),
        });
    }
    wanted
}

fn bind_all(bound: &mut [bool], more: &[bool]) {
    for (bound, more) in bound.iter_mut().zip(more) {
        *bound |= more;
    }
}
