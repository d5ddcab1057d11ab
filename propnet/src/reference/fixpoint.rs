//! Computes the facts of one component.
//!
//! Within a component of mutually recursive relations the facts are the least fixpoint, found
//! semi-naively. A component with negation inside (`goal <- not goal` with other arguments) is
//! computed as its well-founded model: under- and overestimates alternate until they meet, as
//! they do whenever the negation is stratified by argument; a sentence they do not agree on
//! depends on its own negation.
//!
//! Semi-naive evaluation: Bancilhon 1986. The well-founded model: Van Gelder, Ross and Schlipf 1991;
//! the alternating fixpoint: Van Gelder 1993.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::clause::RelationId;
use super::facts::IndexKey;
use super::join::{Join, Overrun};
use super::model::{Failure, Model};
use super::order::ClausePlanner;
use super::plan::PlanKind;
use crate::terms::{TermId, Terms};

/// What it takes to start a clause, in steps.
const RUN: u64 = 10;

/// A plan is made anew when a relation it reads has grown this many times over.
const GROWTH: usize = 3;

impl Model {
    /// All facts of a component whose dependencies are computed.
    pub(super) fn compute(&mut self, at: usize, terms: &mut Terms) -> Result<(), Failure> {
        if !self.strata.components[at].negative {
            return self.least_fixpoint(at, terms);
        }
        let count = self.relations.len();
        for member in 0..self.strata.components[at].relations.len() {
            self.clear(self.strata.components[at].relations[member] + count);
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
        key: &IndexKey,
        terms: &mut Terms,
    ) -> Result<(), Failure> {
        let at = self.strata.component_of[relation];
        let component = &mut self.strata.components[at];
        if component.asked.contains(&(0, IndexKey::new())) {
            return Ok(());
        }
        let first = component.asked.is_empty();
        if !component.asked.insert((mask, key.clone())) {
            return Ok(());
        }
        let answer = self.answer(at, mask, key, first, terms);
        if answer.is_err() {
            // Not all of it was found.
            self.strata.components[at].asked.remove(&(mask, key.clone()));
            self.release_asked(mask.count_ones() as usize);
        }
        answer
    }

    fn answer(
        &mut self,
        at: usize,
        mask: u64,
        key: &IndexKey,
        first: bool,
        terms: &mut Terms,
    ) -> Result<(), Failure> {
        if let Err(overrun) = self.hold_asked(mask.count_ones() as usize, terms) {
            let clause = &self.strata.components[at].clauses[0].clause;
            let (relation, span) = (clause.head.relation, clause.span);
            return Err(Failure::Overrun { overrun, relation, span });
        }
        if first {
            self.state(at, terms)?;
        }
        for clause in 0..self.strata.components[at].clauses.len() {
            self.run(at, clause, PlanKind::Asked(mask), 0..0, key, terms)?;
        }
        Ok(())
    }

    /// Adds what the sheet states.
    fn state(&mut self, at: usize, terms: &Terms) -> Result<(), Failure> {
        let stated = std::mem::take(&mut self.strata.components[at].stated);
        let mut added = Ok(());
        for fact in &stated {
            if let Err(overrun) = self.add(fact.relation, &fact.row, terms) {
                let (relation, span) = (fact.relation, fact.span);
                added = Err(Failure::Overrun { overrun, relation, span });
                break;
            }
        }
        self.strata.components[at].stated = stated;
        added
    }

    fn least_fixpoint(&mut self, at: usize, terms: &mut Terms) -> Result<(), Failure> {
        self.state(at, terms)?;
        let clauses = self.strata.components[at].clauses.len();
        for clause in 0..clauses {
            self.run(at, clause, PlanKind::Whole, 0..0, &IndexKey::new(), terms)?;
        }
        if !self.strata.components[at].recursive {
            return Ok(());
        }
        // Each row is once the new one, and then finds all rows that came before it. Only the
        // relations that have new rows are looked at: a component may have very many.
        let members = self.strata.components[at].relations.len();
        let mut seen = vec![0; members];
        let mut queue: VecDeque<usize> = (0..members).collect();
        let mut queued = vec![true; members];
        while let Some(member) = queue.pop_front() {
            queued[member] = false;
            let rows = self.facts[self.strata.components[at].relations[member]].len();
            let delta = std::mem::replace(&mut seen[member], rows)..rows;
            if delta.is_empty() {
                continue;
            }
            for reader in 0..self.strata.components[at].readers[member].len() {
                let component = &self.strata.components[at];
                let (clause, occurrence) = component.readers[member][reader];
                let head = component.clauses[clause].clause.head.relation;
                let kind = PlanKind::Delta(occurrence);
                self.run(at, clause, kind, delta.clone(), &IndexKey::new(), terms)?;
                let grown = self.strata.member_of[head];
                if self.facts[head].len() > seen[grown] && !queued[grown] {
                    queued[grown] = true;
                    queue.push_back(grown);
                }
            }
        }
        Ok(())
    }

    /// Adds what one clause concludes under a plan of the given kind.
    fn run(
        &mut self,
        at: usize,
        clause: usize,
        kind: PlanKind,
        delta: Range<usize>,
        key: &IndexKey,
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
        self.spend(RUN).map_err(failed)?;
        let planned = &self.strata.components[at].clauses[number];
        let facts = &self.facts;
        let fresh = planned.plans.get(&kind).filter(|plan| {
            let mut sizes = plan.sizes.iter();
            sizes.all(|&(relation, then)| facts[relation].len() <= GROWTH * (then + GROWTH))
        });
        let plan = match fresh {
            Some(plan) => plan.clone(),
            None => {
                let made = ClausePlanner::new(terms, &mut self.facts, &self.strata, at)
                    .plan(&clause, kind);
                let plan = Arc::new(made.ok_or_else(|| failed(Overrun::Plan))?);
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
        for member in 0..self.strata.components[at].relations.len() {
            let relation = self.strata.components[at].relations[member];
            self.release(relation);
            self.clear(relation + count);
            for row in 0..self.facts[relation].len() {
                let row: SmallVec<[TermId; 6]> = self.facts[relation].row(row).into();
                self.insert(relation + count, &row);
            }
            self.clear(relation);
        }
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
