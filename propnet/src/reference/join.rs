//! Runs a join plan: finds every solution of a clause and adds the facts it concludes.

use smallvec::SmallVec;

use super::clause::{Pattern, RelationId, Sentence};
use super::facts::{IndexKey, NO_ROW, key_of, value_at};
use super::model::{Failure, Model};
use super::plan::{ClausePlan, ClauseStep, KeyPart, RowBinding};
use crate::terms::{TermId, Terms};

/// How far an evaluation may go before it is given up.
#[derive(Clone, Copy, Debug)]
pub struct ReasonerLimits {
    /// Facts held at once, those asked for on demand included; one with many arguments counts
    /// as several.
    pub facts: u64,
    /// Bytes of facts, indexes and terms, as the reasoner counts them. Terms are kept as long as
    /// the reasoner, so they count for all questions together.
    pub bytes: u64,
    /// Steps for one question: rows looked at, conditions tested.
    pub work: u64,
}

impl Default for ReasonerLimits {
    /// Far above what any real sheet needs, and reached within a minute or so.
    fn default() -> Self {
        ReasonerLimits { facts: 20_000_000, bytes: 2 << 30, work: 5_000_000_000 }
    }
}

/// Which limit was reached.
#[derive(Debug)]
pub(super) enum Overrun {
    Term,
    Facts,
    Bytes,
    Work,
    /// The caller's watch said no.
    Stopped,
    /// A relation takes more rows than one wants to spend on all of it.
    Wide,
    Plan,
}

/// How much a fact counts towards the limit.
pub(super) fn weight(arity: usize) -> u64 {
    1 + arity as u64 / 16
}

/// One run of a plan over a model.
pub(super) struct Join<'a> {
    pub(super) model: &'a mut Model,
    pub(super) terms: &'a mut Terms,
    pub(super) head: &'a Sentence,
    pub(super) slots: Vec<TermId>,
    /// The rows that [`ClauseStep::Delta`] goes through.
    pub(super) delta: std::ops::Range<usize>,
    /// What went wrong in a relation that was asked on demand, if that is what stopped the run.
    pub(super) inner: Option<Failure>,
}

/// Whether the conclusion that [`ClauseStep::Once`] waits for was made.
#[derive(Clone, Copy, PartialEq)]
enum ClauseFlow {
    GoOn,
    Concluded,
}

/// Steps still to do, and those to do after them (after an arm of a choice).
struct Rest<'a> {
    steps: &'a [ClauseStep],
    then: Option<&'a Rest<'a>>,
}

impl Join<'_> {
    /// Takes the given values of a plan; false if the clause cannot conclude them.
    pub(super) fn enter(&mut self, plan: &ClausePlan, values: &IndexKey) -> bool {
        let (access, grounds, row) = &plan.given;
        let Some(found) = key_of(values, access, self.terms) else { return false };
        let agrees =
            grounds.iter().zip(&found).all(|(ground, found)| self.value(*ground) == *found);
        agrees && self.take(values, row)
    }

    /// Adds all conclusions.
    pub(super) fn run(&mut self, steps: &[ClauseStep]) -> Result<(), Overrun> {
        self.go_on(&Rest { steps, then: None }).map(|_| ())
    }

    /// Only look-ups and choices go one call deeper. Each look-up binds a variable, and the
    /// variables of a rule are few; the planner gives up before there are many choices in a row.
    fn go_on(&mut self, rest: &Rest<'_>) -> Result<ClauseFlow, Overrun> {
        let (mut steps, mut then) = (rest.steps, rest.then);
        loop {
            let Some((step, behind)) = steps.split_first() else {
                match then {
                    None => return self.conclude(),
                    Some(rest) => {
                        (steps, then) = (rest.steps, rest.then);
                        continue;
                    }
                }
            };
            let behind_it = Rest { steps: behind, then };
            match step {
                ClauseStep::Once => {
                    if !self.is_fact(self.head) {
                        self.go_on(&behind_it)?;
                    }
                    return Ok(ClauseFlow::GoOn);
                }
                ClauseStep::Found => return Ok(ClauseFlow::Concluded),
                ClauseStep::Test { sentence, negated } => {
                    self.model.spend(1)?;
                    self.demand_fact(sentence)?;
                    if self.is_fact(sentence) == *negated {
                        return Ok(ClauseFlow::GoOn);
                    }
                }
                ClauseStep::Compare { left, right, equal } => {
                    self.model.spend(1)?;
                    if self.same(left, right) != *equal {
                        return Ok(ClauseFlow::GoOn);
                    }
                }
                ClauseStep::Either(arms) => {
                    for arm in arms {
                        self.model.spend(1)?;
                        let arm = Rest { steps: arm, then: Some(&behind_it) };
                        if self.go_on(&arm)? == ClauseFlow::Concluded {
                            return Ok(ClauseFlow::Concluded);
                        }
                    }
                    return Ok(ClauseFlow::GoOn);
                }
                ClauseStep::Any(arms) => {
                    let mut found = false;
                    for arm in arms {
                        self.model.spend(1)?;
                        let arm = Rest { steps: arm, then: None };
                        if self.go_on(&arm)? == ClauseFlow::Concluded {
                            found = true;
                            break;
                        }
                    }
                    if !found {
                        return Ok(ClauseFlow::GoOn);
                    }
                }
                ClauseStep::LookUp { relation, index, key, known, row } => {
                    let key: IndexKey = key.iter().map(|&value| self.value(value)).collect();
                    if self.on_demand(*relation) {
                        let mask = known.iter().fold(0, |mask, (column, _)| mask | 1 << column);
                        let asked = known.iter().map(|&(_, position)| key[position]).collect();
                        self.demand(*relation, mask, &asked)?;
                    }
                    let pending = self.model.facts[*relation].pending(*index) as u64;
                    self.model.spend(1 + pending)?;
                    let mut at = self.model.newest(*relation, *index, &key, self.terms);
                    if pending > 0 {
                        self.model.check_room(self.terms)?;
                    }
                    while at != NO_ROW {
                        if self.bind(*relation, at as usize, row)?
                            && self.go_on(&behind_it)? == ClauseFlow::Concluded
                        {
                            return Ok(ClauseFlow::Concluded);
                        }
                        at = self.model.facts[*relation].older(*index, at);
                    }
                    return Ok(ClauseFlow::GoOn);
                }
                ClauseStep::Delta { relation, access, key, row } => {
                    let key: IndexKey = key.iter().map(|&value| self.value(value)).collect();
                    for at in self.delta.clone() {
                        self.model.spend(1)?;
                        let row_at = self.model.facts[*relation].row(at);
                        let found = key_of(row_at, access, self.terms);
                        if found.as_ref() == Some(&key)
                            && self.bind(*relation, at, row)?
                            && self.go_on(&behind_it)? == ClauseFlow::Concluded
                        {
                            return Ok(ClauseFlow::Concluded);
                        }
                    }
                    return Ok(ClauseFlow::GoOn);
                }
            }
            steps = behind;
        }
    }

    /// Takes a row into the slots; false if it does not agree with them.
    fn bind(&mut self, relation: usize, row: usize, binding: &RowBinding) -> Result<bool, Overrun> {
        self.model.spend(1)?;
        self.model.rows += 1;
        if self.model.rows > self.model.wide_at {
            return Err(Overrun::Wide);
        }
        let row: SmallVec<[TermId; 6]> = self.model.facts[relation].row(row).into();
        Ok(self.take(&row, binding))
    }

    fn take(&mut self, row: &[TermId], binding: &RowBinding) -> bool {
        for (path, slot) in &binding.bind {
            self.slots[*slot] = value_at(row, path, self.terms);
        }
        let mut agree = binding.agree.iter();
        agree.all(|(path, slot)| value_at(row, path, self.terms) == self.slots[*slot])
    }

    fn conclude(&mut self) -> Result<ClauseFlow, Overrun> {
        let head = self.head;
        let row = self.build_all(&head.args)?;
        self.model.add(head.relation, &row, self.terms)?;
        Ok(ClauseFlow::Concluded)
    }

    fn on_demand(&self, relation: RelationId) -> bool {
        let strata = &self.model.strata;
        strata.component_of.get(relation).is_some_and(|&at| strata.components[at].on_demand)
    }

    /// Asks an on-demand relation about the sentence, before it is looked for among the facts.
    fn demand_fact(&mut self, sentence: &Sentence) -> Result<(), Overrun> {
        if !self.on_demand(sentence.relation) {
            return Ok(());
        }
        // No fact holds a term that is too deep to be made.
        let Ok(row) = self.build_all(&sentence.args) else { return Ok(()) };
        let mask = if row.is_empty() { 0 } else { u64::MAX >> (u64::BITS as usize - row.len()) };
        self.demand(sentence.relation, mask, &row.into_iter().collect())
    }

    fn demand(&mut self, relation: RelationId, mask: u64, key: &IndexKey) -> Result<(), Overrun> {
        self.model.demand(relation, mask, key, self.terms).map_err(|failure| match failure {
            Failure::Overrun { overrun: Overrun::Wide, .. } => Overrun::Wide,
            failure => {
                self.inner = Some(failure);
                Overrun::Work
            }
        })
    }

    fn build_all(&mut self, args: &[Pattern]) -> Result<SmallVec<[TermId; 6]>, Overrun> {
        args.iter().map(|arg| self.build(arg)).collect()
    }

    /// The term a pattern stands for.
    fn build(&mut self, pattern: &Pattern) -> Result<TermId, Overrun> {
        match pattern {
            Pattern::Slot(slot) => Ok(self.slots[*slot]),
            Pattern::Ground(term) => Ok(*term),
            Pattern::Function(name, args) => {
                let built = self.build_all(args)?;
                self.terms.intern(*name, &built).map_err(|_| Overrun::Term)
            }
        }
    }

    /// The term a pattern stands for, if it was ever met; no fact holds a term that was not.
    fn find(&self, pattern: &Pattern) -> Option<TermId> {
        match pattern {
            Pattern::Slot(slot) => Some(self.slots[*slot]),
            Pattern::Ground(term) => Some(*term),
            Pattern::Function(name, args) => {
                let args: Option<SmallVec<[TermId; 6]>> =
                    args.iter().map(|arg| self.find(arg)).collect();
                self.terms.find(*name, &args?)
            }
        }
    }

    fn is_fact(&self, sentence: &Sentence) -> bool {
        let row: Option<SmallVec<[TermId; 6]>> =
            sentence.args.iter().map(|arg| self.find(arg)).collect();
        row.is_some_and(|row| self.model.facts[sentence.relation].contains(&row))
    }

    fn same(&self, left: &Pattern, right: &Pattern) -> bool {
        match (left, right) {
            (Pattern::Function(a, left), Pattern::Function(b, right)) => {
                a == b
                    && left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| self.same(left, right))
            }
            _ => match (self.find(left), self.find(right)) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
        }
    }

    fn value(&self, value: KeyPart) -> TermId {
        match value {
            KeyPart::Slot(slot) => self.slots[slot],
            KeyPart::Ground(term) => term,
        }
    }
}
