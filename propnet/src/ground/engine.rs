//! The rows known so far, and how a rule adds to them.

use super::account::WATCH_EVERY;
use super::fixpoint::Grown;
use super::instances::Instances;
use super::limits::{GroundError, Growth, Limits, Watch};
use super::plan::{JoinPlan, JoinPlanner, JoinStep, Range};
use super::program::{Arg, FlatAtom, FlatRule, PredicateId, RuleProgram};
use super::relation::{NO_ROW, Relation};
use crate::gdl::{Rules, Symbols, word};
use crate::terms::{TermId, Terms};

/// A plan is made anew when a relation it reads has grown this many times over.
const GROWTH: u64 = 4;

/// Plans with this many steps in all are kept; those beyond are made anew each time. Real sheets
/// stay far below; a rule with a thousand conditions alone has a million.
const MAX_PLAN_STEPS: usize = 1 << 17;

/// Everything the joins work on.
pub(super) struct Engine<'a> {
    pub(super) program: RuleProgram,
    pub(super) relations: Vec<Relation>,
    /// Predicates whose rows are all known and certain.
    pub(super) known: Vec<bool>,
    /// Inside a component with negation of its own: what is assumed about its predicates.
    pub(super) assumed: Vec<Option<Relation>>,
    /// Where the rows of this round's beginning and of the round before end.
    pub(super) new_end: Vec<u32>,
    pub(super) old_end: Vec<u32>,
    /// Rows that are added here are added there too: what is next is true, what is legal is done.
    pub(super) feeds: Vec<Option<PredicateId>>,
    /// For each instance the row of the head, the rows of the dynamic positive conditions, and the
    /// columns of the dynamic negative ones.
    pub(super) instances: Instances,
    /// Whether instances are kept.
    pub(super) keep: bool,
    pub(super) terms: Terms,
    pub(super) limits: Limits,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) rules: &'a Rules,
    pub(super) symbols: Symbols,
    /// A helper with a rule of this many instances is wide, unless it is on demand already.
    pub(super) wide_at: u64,
    pub(super) facts: u64,
    pub(super) kept: u64,
    /// Bytes of the rules with variables.
    pub(super) bytes_of_rules: u64,
    /// Bytes of what is kept of instances.
    pub(super) kept_bytes: u64,
    pub(super) work: u64,
    /// The watch is asked when so much work is done.
    pub(super) watch_at: u64,
    /// Predicates with rows that no round has seen.
    pub(super) grown: Grown,
    pub(super) plans: Vec<Vec<Option<JoinPlan>>>,
    /// Steps of all plans that are kept.
    plan_steps: usize,
    values: Vec<TermId>,
    rows: Vec<u32>,
    key: Vec<TermId>,
}

/// Why a join stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The sheet cannot be grounded.
    Error(GroundError),
    /// Helpers are wide and should be computed on demand.
    Wide(Vec<PredicateId>),
}

impl From<GroundError> for Stop {
    fn from(error: GroundError) -> Self {
        Stop::Error(error)
    }
}

/// Whether an instance was found after [`JoinStep::Once`].
#[derive(PartialEq)]
enum JoinFlow {
    GoOn,
    Found,
}

impl<'a> Engine<'a> {
    pub(super) fn new(
        program: RuleProgram,
        terms: Terms,
        symbols: Symbols,
        rules: &'a Rules,
        limits: Limits,
        watch: &'a mut dyn Watch,
    ) -> Self {
        let count = program.predicates.len();
        let relations = program.predicates.keys().map(|key| Relation::new(key.arity)).collect();
        let count_of_rules = program.rules.len();
        let bytes_of_rules = 2 * program.bytes(); // another attempt may need them again
        // Rows are numbered by 32 bits, atoms by 31.
        let limits = Limits { facts: limits.facts.min(u64::from(u32::MAX / 2)), ..limits };
        Engine {
            relations,
            known: vec![false; count],
            assumed: (0..count).map(|_| None).collect(),
            new_end: vec![0; count],
            old_end: vec![0; count],
            feeds: vec![None; count],
            instances: Instances::new(count_of_rules),
            plans: (0..count_of_rules).map(|_| Vec::new()).collect(),
            keep: false,
            program,
            terms,
            symbols,
            limits,
            watch,
            rules,
            wide_at: u64::MAX,
            facts: 0,
            kept: 0,
            kept_bytes: 0,
            bytes_of_rules,
            work: 0,
            watch_at: WATCH_EVERY,
            grown: Grown::new(count),
            plan_steps: 0,
            values: Vec::new(),
            rows: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Adds what a rule concludes: from new rows of one of its positive conditions, or from all.
    pub(super) fn run(&mut self, rule: usize, new: Option<usize>) -> Result<(), Stop> {
        if self.cannot_apply(&self.program.rules[rule], new) {
            return Ok(());
        }
        let flat = std::mem::replace(&mut self.program.rules[rule], empty_rule());
        self.work += flat.positive.len() as u64;
        if self.work >= self.watch_at {
            self.ask_watch(rule, flat.origin)?;
        }
        let kept = new.and_then(|slot| self.plans[rule].get_mut(slot)?.take());
        self.plan_steps -= kept.as_ref().map_or(0, |plan| plan.steps.len());
        let fresh = kept.filter(|plan| {
            let mut sizes = flat.positive.iter().zip(&plan.sizes);
            sizes.all(|(atom, &then)| {
                u64::from(self.relations[atom.predicate].len()) <= GROWTH * (u64::from(then) + 8)
            })
        });
        let plan = fresh.unwrap_or_else(|| {
            let relations = &mut self.relations;
            let (known, guards) = (&self.known, &self.program.guards);
            let assumed = &self.assumed;
            let plan = JoinPlanner { relations, known, assumed, guards }.plan(&flat, new);
            for atom in &flat.positive {
                self.relations[atom.predicate].catch_up();
            }
            plan
        });
        self.values.clear();
        self.values.resize(flat.variables, TermId(0));
        self.rows.clear();
        self.rows.resize(flat.positive.len(), NO_ROW);
        let result = self.steps(rule, &flat, &plan.steps);
        // A rule that waits for no rows is run but once.
        if let Some(slot) = new
            && self.plan_steps + plan.steps.len() <= MAX_PLAN_STEPS
        {
            self.plan_steps += plan.steps.len();
            if self.plans[rule].len() <= slot {
                self.plans[rule].resize_with(slot + 1, || None);
            }
            self.plans[rule][slot] = Some(plan);
        }
        self.program.rules[rule] = flat;
        result.map(|_| ())
    }

    /// Whether some condition has no rows at all among those a run would use.
    fn cannot_apply(&self, flat: &FlatRule, new: Option<usize>) -> bool {
        flat.positive.iter().enumerate().any(|(at, atom)| {
            let predicate = atom.predicate;
            match new {
                _ if self.known[predicate] => self.relations[predicate].len() == 0,
                Some(new) if at < new => self.old_end[predicate] == 0,
                Some(_) | None => self.new_end[predicate] == 0,
            }
        })
    }

    /// Plans refer to what is known; those of rules for which that has changed are made anew.
    pub(super) fn forget_plans(&mut self, rules: &[usize]) {
        for &rule in rules {
            for plan in std::mem::take(&mut self.plans[rule]).into_iter().flatten() {
                self.plan_steps -= plan.steps.len();
            }
        }
    }

    /// Adds a row, there and where it feeds.
    pub(super) fn insert(&mut self, predicate: PredicateId, row: &[TermId]) -> u32 {
        let (at, new) = self.relations[predicate].insert(row);
        if new {
            self.facts += 1;
            self.grown.add(predicate);
            if let Some(fed) = self.feeds[predicate]
                && self.relations[fed].insert(row).1
            {
                self.facts += 1;
                self.grown.add(fed);
            }
        }
        at
    }

    fn steps(
        &mut self,
        rule: usize,
        flat: &FlatRule,
        mut steps: &[JoinStep],
    ) -> Result<JoinFlow, Stop> {
        while let Some((step, behind)) = steps.split_first() {
            match step {
                JoinStep::Scan { .. } => return self.scan(rule, flat, step, behind),
                JoinStep::Once => {
                    self.steps(rule, flat, behind)?;
                    return Ok(JoinFlow::GoOn);
                }
                step => {
                    if !self.test(rule, flat, step)? {
                        return Ok(JoinFlow::GoOn);
                    }
                }
            }
            steps = behind;
        }
        self.conclude(rule, flat)?;
        Ok(JoinFlow::Found)
    }

    fn scan(
        &mut self,
        rule: usize,
        flat: &FlatRule,
        step: &JoinStep,
        behind: &[JoinStep],
    ) -> Result<JoinFlow, Stop> {
        let JoinStep::Scan { predicate, range, index, bind, check, condition } = step else {
            return Ok(JoinFlow::GoOn);
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
                    if self.steps(rule, flat, behind)? == JoinFlow::Found {
                        return Ok(JoinFlow::Found);
                    }
                }
            }
            at = match index {
                None if at == start => NO_ROW,
                None => at - 1,
                Some((index, _)) => self.relations[*predicate].older(*index, at),
            };
        }
        Ok(JoinFlow::GoOn)
    }

    fn test(&mut self, rule: usize, flat: &FlatRule, step: &JoinStep) -> Result<bool, Stop> {
        Ok(match step {
            JoinStep::Find { predicate, range, args, condition } => {
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
            JoinStep::Absent { predicate, args } => {
                self.take_key(args);
                let relation = self.assumed[*predicate].as_ref();
                relation.unwrap_or(&self.relations[*predicate]).find(&self.key).is_none()
            }
            JoinStep::Compare { left, right, equal } => {
                (self.value(*left) == self.value(*right)) == *equal
            }
            JoinStep::TakeApart { value, name, args, bind } => {
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
            JoinStep::PutTogether { value, name, args } => {
                self.take_key(args);
                let Ok(built) = self.terms.intern(*name, &self.key) else {
                    let Growth { relation, place, .. } = self.growth_from(rule, flat.origin);
                    return Err(GroundError::TermTooLarge { relation, place }.into());
                };
                self.values[*value] = built;
                true
            }
            JoinStep::IsConstant(variable) => self.terms.args(self.values[*variable]).is_empty(),
            JoinStep::Scan { .. } | JoinStep::Once => true,
        })
    }

    fn conclude(&mut self, rule: usize, flat: &FlatRule) -> Result<(), Stop> {
        self.count_work(rule, flat)?;
        self.take_key(&flat.head.args);
        let key = std::mem::take(&mut self.key);
        let head = self.insert(flat.head.predicate, &key);
        self.key = key;
        let count = self.instances.count_one(rule);
        if count == self.wide_at && self.may_be_wide(flat.head.predicate) {
            return Err(Stop::Wide(self.wide_ones(flat.head.predicate)));
        }
        if self.keep && !self.program.guards.contains(&flat.head.predicate) {
            self.keep_instance(rule, flat, head);
        }
        if self.facts > self.limits.facts {
            return Err(self.limit(rule, flat.origin, "facts", self.limits.facts).into());
        }
        if self.kept > self.limits.rules {
            let (what, limit) = ("rule instances", self.limits.rules);
            let is_kept = |rule: usize| self.instances.has_kept(rule);
            let growth = self.growth_in(rule, flat.origin, is_kept);
            return Err(GroundError::Limit { what, limit, growth }.into());
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
        let near = |rule: usize| self.instances.count(rule) >= self.wide_at / 4;
        let mut wide: Vec<PredicateId> = (0..self.program.rules.len())
            .filter(|&rule| near(rule))
            .map(|rule| self.program.rules[rule].head.predicate)
            .filter(|&predicate| self.may_be_wide(predicate))
            .collect();
        wide.push(found);
        wide
    }

    fn keep_instance(&mut self, rule: usize, flat: &FlatRule, head: u32) {
        let kept = |atom: &FlatAtom| is_kept(atom, &self.known, &self.program);
        let positive = flat.positive.iter().enumerate().filter(|(_, atom)| kept(atom));
        let rows = positive.map(|(at, _)| self.rows[at]);
        let negative = flat.negative.iter().filter(|atom| kept(atom));
        let columns = negative.flat_map(|atom| &atom.args).map(|&arg| match arg {
            Arg::Value(value) => value.0,
            Arg::Variable(variable) => self.values[variable].0,
        });
        let numbers = std::iter::once(head).chain(rows).chain(columns);
        self.kept += 1;
        self.kept_bytes += self.instances.keep(rule, numbers) as u64 * 4;
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

/// Whether a condition is part of an instance.
pub(super) fn is_kept(atom: &FlatAtom, known: &[bool], program: &RuleProgram) -> bool {
    !known[atom.predicate] && !program.guards.contains(&atom.predicate)
}

/// Stands in for a rule while it is being run.
fn empty_rule() -> FlatRule {
    let head = FlatAtom { predicate: PredicateId::MAX, args: Default::default() };
    FlatRule {
        head,
        positive: Vec::new(),
        negative: Vec::new(),
        builtins: Vec::new(),
        variables: 0,
        origin: Default::default(),
    }
}
