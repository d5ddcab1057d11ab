//! Computes the facts of one component.
//!
//! Within a component of mutually recursive relations the facts are the least fixpoint, found
//! semi-naively. A component with negation inside (`goal <- not goal` with other arguments) is
//! computed as its well-founded model: under- and overestimates alternate until they meet, as
//! they do whenever the negation is stratified by argument; a sentence they do not agree on
//! depends on its own negation.

use std::ops::Range;
use std::rc::Rc;

use super::clause::RelationId;
use super::facts::Key;
use super::join::{Join, Overrun};
use super::model::{Failure, Model};
use super::plan::{PlanKind, Planner};
use crate::terms::{TermId, Terms};

/// A plan is made anew when a relation it reads has grown this many times over.
const GROWTH: usize = 3;

/// On-demand relations ask each other no deeper than this; beyond, they are computed whole.
const MAX_NESTING: usize = 50;

impl Model {
    /// All facts of a component whose dependencies are computed.
    pub(super) fn compute(&mut self, at: usize, terms: &mut Terms) -> Result<(), Failure> {
        if !self.strata.components[at].negative {
            return self.least_fixpoint(at, terms);
        }
        let count = self.relations.len();
        for &relation in &self.strata.components[at].relations {
            self.facts[relation + count].clear();
        }
        self.least_fixpoint(at, terms)?;
        // The most that can hold while nothing is known to hold, the least that holds then, and
        // so on, each estimate from the one before.
        loop {
            let most = self.assume_what_was_found(at);
            self.least_fixpoint(at, terms)?;
            let least = self.assume_what_was_found(at);
            self.least_fixpoint(at, terms)?;
            if self.size_of(at) == least {
                return Ok(());
            }
            if self.size_of(at) == most {
                return Err(self.undefined(at));
            }
        }
    }

    /// The facts of an on-demand relation whose arguments in `mask` have the values of `key`.
    pub(super) fn demand(
        &mut self,
        relation: RelationId,
        mask: u64,
        key: &Key,
        terms: &mut Terms,
    ) -> Result<(), Failure> {
        let at = self.strata.component_of[relation];
        let nothing = (0, Key::new());
        if self.strata.components[at].asked.contains(&nothing) {
            return Ok(());
        }
        let (mask, key) = match self.nesting < MAX_NESTING {
            true => (mask, key.clone()),
            false => nothing,
        };
        if !self.strata.components[at].asked.insert((mask, key.clone())) {
            return Ok(());
        }
        self.nesting += 1;
        let mut answer = Ok(());
        for clause in 0..self.strata.components[at].clauses.len() {
            answer = self.run(at, clause, PlanKind::Asked(mask), 0..0, &key, terms);
            if answer.is_err() {
                break;
            }
        }
        self.nesting -= 1;
        if answer.is_err() {
            self.strata.components[at].asked.remove(&(mask, key)); // not all of it was found
        }
        answer
    }

    fn least_fixpoint(&mut self, at: usize, terms: &mut Terms) -> Result<(), Failure> {
        let clauses = self.strata.components[at].clauses.len();
        for clause in 0..clauses {
            self.run(at, clause, PlanKind::Whole, 0..0, &Key::new(), terms)?;
        }
        if !self.strata.components[at].recursive {
            return Ok(());
        }
        let mut from = vec![0; self.strata.components[at].relations.len()];
        loop {
            let members = self.strata.components[at].relations.iter();
            let to: Vec<usize> = members.map(|&relation| self.facts[relation].len()).collect();
            if from == to {
                return Ok(());
            }
            for clause in 0..clauses {
                for nth in 0..self.strata.components[at].clauses[clause].recursive.len() {
                    let planned = &self.strata.components[at].clauses[clause];
                    let (occurrence, member) = planned.recursive[nth];
                    let delta = from[member]..to[member];
                    if !delta.is_empty() {
                        let kind = PlanKind::Delta(occurrence);
                        self.run(at, clause, kind, delta, &Key::new(), terms)?;
                    }
                }
            }
            from = to;
        }
    }

    /// Adds what one clause concludes under a plan of the given kind.
    fn run(
        &mut self,
        at: usize,
        clause: usize,
        kind: PlanKind,
        delta: Range<usize>,
        key: &Key,
        terms: &mut Terms,
    ) -> Result<(), Failure> {
        let planned = &self.strata.components[at].clauses[clause];
        let number = clause;
        let clause = planned.clause.clone();
        let failed = |overrun| Failure::Overrun {
            overrun,
            relation: clause.head.relation,
            span: clause.span,
        };
        let facts = &self.facts;
        let fresh = planned.plans.get(&kind).filter(|plan| {
            let mut sizes = plan.sizes.iter();
            sizes.all(|&(relation, then)| facts[relation].len() <= GROWTH * (then + GROWTH))
        });
        let plan = match fresh {
            Some(plan) => plan.clone(),
            None => {
                let made =
                    Planner::new(terms, &mut self.facts, &self.strata, at).plan(&clause, kind);
                let plan = Rc::new(made.ok_or_else(|| failed(Overrun::Plan))?);
                let planned = &mut self.strata.components[at].clauses[number];
                planned.plans.insert(kind, plan.clone());
                plan
            }
        };
        let mut join = Join {
            model: self,
            terms,
            head: &clause.head,
            slots: vec![TermId(0); clause.slots],
            delta,
            inner: None,
        };
        if !join.enter(&plan, key) {
            return Ok(());
        }
        match join.run(&plan.steps) {
            Ok(()) => Ok(()),
            Err(overrun) => Err(join.inner.take().unwrap_or_else(|| failed(overrun))),
        }
    }

    /// What was just found becomes what is assumed. Returns how much it was.
    fn assume_what_was_found(&mut self, at: usize) -> usize {
        let count = self.relations.len();
        let size = self.size_of(at);
        for &relation in &self.strata.components[at].relations {
            let (found, assumed) = self.facts.split_at_mut(count);
            let (found, assumed) = (&mut found[relation], &mut assumed[relation]);
            assumed.clear();
            for row in found.rows() {
                assumed.insert(row);
            }
            found.clear();
        }
        self.held -= size as u64;
        size
    }

    fn size_of(&self, at: usize) -> usize {
        let members = self.strata.components[at].relations.iter();
        members.map(|&relation| self.facts[relation].len()).sum()
    }

    /// A sentence that may hold but need not.
    fn undefined(&self, at: usize) -> Failure {
        let count = self.relations.len();
        for planned in &self.strata.components[at].clauses {
            let relation = planned.clause.head.relation;
            let (most, least) = (&self.facts[relation], &self.facts[relation + count]);
            if let Some(row) = most.rows().find(|row| !least.contains(row)) {
                let (row, span) = (row.to_vec(), planned.clause.span);
                return Failure::Undefined { relation, row, span };
            }
        }
        unreachable!("estimates of different size differ in some row")
    }
}
