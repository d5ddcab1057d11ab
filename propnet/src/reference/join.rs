//! Runs a join plan: finds every solution of a clause and adds the facts it concludes.

use smallvec::SmallVec;

use super::clause::{Pattern, Sentence};
use super::facts::{Facts, Key, NO_ROW, key_of, value_at};
use super::plan::{RowBinding, Step, Value};
use super::terms::{TermId, Terms};

/// How far an evaluation may go before it is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Facts held at once.
    pub facts: u64,
    /// Rows looked at for one question.
    pub work: u64,
}

impl Default for Limits {
    /// Far above what any real sheet needs, and reached within a minute or so and a few GB.
    fn default() -> Self {
        Limits { facts: 20_000_000, work: 5_000_000_000 }
    }
}

/// Which limit was reached.
#[derive(Debug)]
pub(super) enum Overrun {
    Depth,
    Facts,
    Work,
    Plan,
}

/// Everything a join reads and writes.
pub(super) struct Join<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) facts: &'a mut [Facts],
    pub(super) limits: Limits,
    /// Facts held so far, all relations together.
    pub(super) held: &'a mut u64,
    /// Rows looked at so far.
    pub(super) work: &'a mut u64,
    pub(super) head: &'a Sentence,
    pub(super) slots: Vec<TermId>,
    /// The rows that [`Step::Delta`] goes through.
    pub(super) delta: std::ops::Range<usize>,
}

/// Steps still to do, and those to do after them (behind an arm of a choice).
struct Rest<'a> {
    steps: &'a [Step],
    then: Option<&'a Rest<'a>>,
}

impl Join<'_> {
    /// Adds all conclusions.
    pub(super) fn run(&mut self, steps: &[Step]) -> Result<(), Overrun> {
        self.go_on(&Rest { steps, then: None })
    }

    /// Only look-ups and choices go one call deeper; a clause has few of them.
    fn go_on(&mut self, rest: &Rest<'_>) -> Result<(), Overrun> {
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
                Step::Test { sentence, negated } => {
                    if self.is_fact(sentence) == *negated {
                        return Ok(());
                    }
                }
                Step::Compare { left, right, equal } => {
                    if self.same(left, right) != *equal {
                        return Ok(());
                    }
                }
                Step::Either(arms) => {
                    for arm in arms {
                        self.go_on(&Rest { steps: arm, then: Some(&behind_it) })?;
                    }
                    return Ok(());
                }
                Step::LookUp { relation, index, key, row } => {
                    let key: Key = key.iter().map(|&value| self.value(value)).collect();
                    let mut at = self.facts[*relation].newest(*index, &key, self.terms);
                    while at != NO_ROW {
                        if self.bind(*relation, at as usize, row)? {
                            self.go_on(&behind_it)?;
                        }
                        at = self.facts[*relation].older(*index, at);
                    }
                    return Ok(());
                }
                Step::Delta { relation, access, key, row } => {
                    let key: Key = key.iter().map(|&value| self.value(value)).collect();
                    for at in self.delta.clone() {
                        let found = key_of(self.facts[*relation].row(at), access, self.terms);
                        if found.as_ref() == Some(&key) && self.bind(*relation, at, row)? {
                            self.go_on(&behind_it)?;
                        }
                    }
                    return Ok(());
                }
            }
            steps = behind;
        }
    }

    /// Takes a row into the slots; false if it does not agree with them.
    fn bind(&mut self, relation: usize, row: usize, binding: &RowBinding) -> Result<bool, Overrun> {
        *self.work += 1;
        if *self.work > self.limits.work {
            return Err(Overrun::Work);
        }
        let row = self.facts[relation].row(row);
        for (path, slot) in &binding.bind {
            self.slots[*slot] = value_at(row, path, self.terms);
        }
        let mut agree = binding.agree.iter();
        Ok(agree.all(|(path, slot)| value_at(row, path, self.terms) == self.slots[*slot]))
    }

    fn conclude(&mut self) -> Result<(), Overrun> {
        let head = self.head;
        let mut row: SmallVec<[TermId; 6]> = SmallVec::new();
        for arg in &head.args {
            row.push(self.build(arg)?);
        }
        if self.facts[head.relation].insert(&row) {
            *self.held += 1;
            if *self.held > self.limits.facts {
                return Err(Overrun::Facts);
            }
        }
        Ok(())
    }

    /// The term a pattern stands for.
    fn build(&mut self, pattern: &Pattern) -> Result<TermId, Overrun> {
        match pattern {
            Pattern::Slot(slot) => Ok(self.slots[*slot]),
            Pattern::Ground(term) => Ok(*term),
            Pattern::Function(name, args) => {
                let mut built: SmallVec<[TermId; 6]> = SmallVec::new();
                for arg in args {
                    built.push(self.build(arg)?);
                }
                self.terms.intern(*name, &built).map_err(|_| Overrun::Depth)
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
        row.is_some_and(|row| self.facts[sentence.relation].contains(&row))
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

    fn value(&self, value: Value) -> TermId {
        match value {
            Value::Slot(slot) => self.slots[slot],
            Value::Ground(term) => term,
        }
    }
}
