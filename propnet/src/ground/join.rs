//! Runs a join plan: finds the instances of a rule, adds what they conclude, and keeps them.

use super::engine::{Engine, Stop, is_kept};
use super::limits::{GroundError, Growth};
use super::plan::{Range, Step};
use super::program::{Arg, FlatRule, PredicateId};
use super::relation::NO_ROW;
use crate::gdl::word;
use crate::terms::TermId;

/// The watch is asked once for so many rows.
const WATCH_EVERY: u64 = 1 << 14;

/// Whether an instance was found behind [`Step::Once`].
#[derive(PartialEq)]
pub(super) enum Flow {
    GoOn,
    Found,
}

impl Engine<'_> {
    pub(super) fn steps(
        &mut self,
        rule: usize,
        flat: &FlatRule,
        mut steps: &[Step],
    ) -> Result<Flow, Stop> {
        while let Some((step, behind)) = steps.split_first() {
            match step {
                Step::Scan { .. } => return self.scan(rule, flat, step, behind),
                Step::Once => {
                    self.steps(rule, flat, behind)?;
                    return Ok(Flow::GoOn);
                }
                step => {
                    if !self.test(rule, flat, step)? {
                        return Ok(Flow::GoOn);
                    }
                }
            }
            steps = behind;
        }
        self.conclude(rule, flat)?;
        Ok(Flow::Found)
    }

    fn scan(
        &mut self,
        rule: usize,
        flat: &FlatRule,
        step: &Step,
        behind: &[Step],
    ) -> Result<Flow, Stop> {
        let Step::Scan { predicate, range, index, bind, check, condition } = step else {
            return Ok(Flow::GoOn);
        };
        let (start, end) = self.limits_of(*predicate, *range);
        let mut at = match index {
            None if start == end => NO_ROW,
            None => end - 1,
            Some((index, key)) => {
                self.key.clear();
                for &arg in key {
                    let value = self.value(arg);
                    self.key.push(value);
                }
                self.relations[*predicate].newest(*index, &self.key)
            }
        };
        while at != NO_ROW && at >= start {
            if at < end {
                self.count_work(rule, flat)?;
                let row = self.relations[*predicate].row(at);
                for &(column, variable) in bind {
                    self.values[variable] = row[column];
                }
                let agrees = check.iter().all(|&(column, arg)| match arg {
                    Arg::Value(value) => row[column] == value,
                    Arg::Variable(variable) => row[column] == self.values[variable],
                });
                if agrees {
                    self.rows[*condition] = at;
                    if self.steps(rule, flat, behind)? == Flow::Found {
                        return Ok(Flow::Found);
                    }
                }
            }
            at = match index {
                None if at == start => NO_ROW,
                None => at - 1,
                Some((index, _)) => self.relations[*predicate].older(*index, at),
            };
        }
        Ok(Flow::GoOn)
    }

    fn test(&mut self, rule: usize, flat: &FlatRule, step: &Step) -> Result<bool, Stop> {
        Ok(match step {
            Step::Find { predicate, range, args, condition } => {
                self.count_work(rule, flat)?;
                let (start, end) = self.limits_of(*predicate, *range);
                self.take_key(args);
                match self.relations[*predicate].find(&self.key) {
                    Some(row) if start <= row && row < end => {
                        self.rows[*condition] = row;
                        true
                    }
                    _ => false,
                }
            }
            Step::Absent { predicate, args } => {
                self.take_key(args);
                let relation = self.assumed[*predicate].as_ref();
                relation.unwrap_or(&self.relations[*predicate]).find(&self.key).is_none()
            }
            Step::Compare { left, right, equal } => {
                (self.value(*left) == self.value(*right)) == *equal
            }
            Step::TakeApart { value, name, args, bind } => {
                let value = self.value(*value);
                let parts = self.terms.args(value);
                if self.terms.name(value) != *name || parts.len() != args.len() {
                    return Ok(false);
                }
                for &(at, variable) in bind {
                    self.values[variable] = parts[at];
                }
                args.iter().zip(parts).all(|(arg, part)| match arg {
                    Arg::Value(value) => value == part,
                    Arg::Variable(variable) => self.values[*variable] == *part,
                })
            }
            Step::PutTogether { value, name, args } => {
                self.take_key(args);
                let Ok(built) = self.terms.intern(*name, &self.key) else {
                    let relation = self.relation_name(flat.head.predicate);
                    let place = self.source.place(flat.origin.start);
                    return Err(GroundError::TermTooDeep { relation, place }.into());
                };
                self.values[*value] = built;
                true
            }
            Step::IsConstant(variable) => self.terms.args(self.values[*variable]).is_empty(),
            Step::Scan { .. } | Step::Once => true,
        })
    }

    fn conclude(&mut self, rule: usize, flat: &FlatRule) -> Result<(), Stop> {
        self.take_key(&flat.head.args);
        let key = std::mem::take(&mut self.key);
        let head = self.insert(flat.head.predicate, &key);
        self.key = key;
        self.instances[rule].count += 1;
        if self.instances[rule].count == self.wide_at && self.may_be_wide(flat.head.predicate) {
            return Err(Stop::Wide(self.wide_ones(flat.head.predicate)));
        }
        if self.keep && !self.program.guards.contains(&flat.head.predicate) {
            self.keep_instance(rule, flat, head);
        }
        if self.facts > self.limits.facts {
            return Err(self.limit(rule, flat, "facts", self.limits.facts).into());
        }
        if self.kept > self.limits.rules {
            return Err(self.limit(rule, flat, "rule instances", self.limits.rules).into());
        }
        Ok(())
    }

    fn may_be_wide(&self, predicate: PredicateId) -> bool {
        let key = self.program.key(predicate);
        let helper = key.functor.is_none() && !word::is_word(key.relation);
        helper
            && key.arity <= 64
            && !self.program.wide.contains(&predicate)
            && !self.program.guards.contains(&predicate)
    }

    /// The helper that was found wide, and those that are well on the way to it: each of them
    /// would stop the work again.
    fn wide_ones(&self, found: PredicateId) -> Vec<PredicateId> {
        let near = |rule: usize| self.instances[rule].count >= self.wide_at / 4;
        let mut wide: Vec<PredicateId> = (0..self.program.rules.len())
            .filter(|&rule| near(rule))
            .map(|rule| self.program.rules[rule].head.predicate)
            .filter(|&predicate| self.may_be_wide(predicate))
            .collect();
        wide.push(found);
        wide
    }

    fn keep_instance(&mut self, rule: usize, flat: &FlatRule, head: u32) {
        let instances = &mut self.instances[rule];
        let before = instances.data.len();
        instances.data.push(head);
        for (at, atom) in flat.positive.iter().enumerate() {
            if is_kept(atom, &self.known, &self.program) {
                instances.data.push(self.rows[at]);
            }
        }
        for atom in &flat.negative {
            if is_kept(atom, &self.known, &self.program) {
                let values = atom.args.iter().map(|&arg| match arg {
                    Arg::Value(value) => value.0,
                    Arg::Variable(variable) => self.values[variable].0,
                });
                instances.data.extend(values);
            }
        }
        self.kept += 1;
        self.kept_bytes += (instances.data.len() - before) as u64 * 4;
    }

    /// The rows a scan may use.
    fn limits_of(&self, predicate: PredicateId, range: Range) -> (u32, u32) {
        let (old, new) = (self.old_end[predicate], self.new_end[predicate]);
        match range {
            Range::Everything => (0, self.relations[predicate].len()),
            Range::New => (old, new),
            Range::Old => (0, old),
            Range::OldAndNew => (0, new),
        }
    }

    fn count_work(&mut self, rule: usize, flat: &FlatRule) -> Result<(), Stop> {
        self.work += 1;
        if self.work.is_multiple_of(WATCH_EVERY) {
            if !self.watch.proceed() {
                return Err(GroundError::Stopped { growth: self.growth_in(rule, flat) }.into());
            }
            if self.bytes() > self.limits.bytes {
                return Err(self.limit(rule, flat, "bytes", self.limits.bytes).into());
            }
        }
        Ok(())
    }

    fn limit(&self, rule: usize, flat: &FlatRule, what: &'static str, limit: u64) -> GroundError {
        GroundError::Limit { what, limit, growth: self.growth_in(rule, flat) }
    }

    /// The rule with the most instances, while `flat` is taken out of the program.
    fn growth_in(&self, rule: usize, flat: &FlatRule) -> Growth {
        let most = (0..self.instances.len()).max_by_key(|&at| self.instances[at].count);
        match most {
            Some(most) if most != rule => self.growth_of(most),
            _ => Growth {
                relation: self.relation_name(flat.head.predicate),
                place: self.source.place(flat.origin.start),
                instances: self.instances[rule].count,
            },
        }
    }

    fn take_key(&mut self, args: &[Arg]) {
        self.key.clear();
        for &arg in args {
            let value = self.value(arg);
            self.key.push(value);
        }
    }

    fn value(&self, arg: Arg) -> TermId {
        match arg {
            Arg::Value(value) => value,
            Arg::Variable(variable) => self.values[variable],
        }
    }
}
