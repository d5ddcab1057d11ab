//! The rows known so far, and how a rule adds to them.

use super::limits::{GroundError, Growth, Limits, Watch};
use super::plan::{Plan, Planner};
use super::program::{FlatAtom, FlatRule, PredicateId, Program};
use super::relation::{NO_ROW, Relation};
use crate::gdl::{Source, Symbols};
use crate::terms::{TermId, Terms};

/// A plan is made anew when a relation it reads has grown this many times over.
const GROWTH: u32 = 4;

/// Everything the joins work on.
pub(super) struct Engine<'a> {
    pub(super) program: Program,
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
    pub(super) instances: Vec<Instances>,
    /// Whether instances are kept.
    pub(super) keep: bool,
    pub(super) terms: Terms,
    pub(super) limits: Limits,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) source: &'a Source,
    pub(super) symbols: Symbols,
    /// A helper with a rule of this many instances is wide, unless it is on demand already.
    pub(super) wide_at: u64,
    pub(super) facts: u64,
    pub(super) kept: u64,
    pub(super) kept_bytes: u64,
    pub(super) work: u64,
    plans: Vec<Vec<Option<Plan>>>,
    /// Of the instance that is being looked for: the values of variables, the rows of conditions,
    /// and a key to look up.
    pub(super) values: Vec<TermId>,
    pub(super) rows: Vec<u32>,
    pub(super) key: Vec<TermId>,
}

/// The instances of one rule: for each the row of the head, the rows of the dynamic positive
/// conditions, and the columns of the dynamic negative ones.
#[derive(Debug, Default)]
pub(super) struct Instances {
    pub(super) data: Vec<u32>,
    pub(super) count: u64,
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

impl<'a> Engine<'a> {
    pub(super) fn new(
        program: Program,
        terms: Terms,
        symbols: Symbols,
        source: &'a Source,
        limits: Limits,
        watch: &'a mut dyn Watch,
    ) -> Self {
        let count = program.predicates.len();
        let relations = program.predicates.keys().map(|key| Relation::new(key.arity)).collect();
        let rules = program.rules.len();
        Engine {
            relations,
            known: vec![false; count],
            assumed: (0..count).map(|_| None).collect(),
            new_end: vec![0; count],
            old_end: vec![0; count],
            feeds: vec![None; count],
            instances: (0..rules).map(|_| Instances::default()).collect(),
            plans: (0..rules).map(|_| Vec::new()).collect(),
            keep: false,
            program,
            terms,
            symbols,
            limits,
            watch,
            source,
            wide_at: u64::MAX,
            facts: 0,
            kept: 0,
            kept_bytes: 0,
            work: 0,
            values: Vec::new(),
            rows: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Adds what a rule concludes: from new rows of one of its positive conditions, or from all.
    pub(super) fn run(&mut self, rule: usize, new: Option<usize>) -> Result<(), Stop> {
        let slot = new.map_or(0, |new| new + 1);
        let flat = std::mem::replace(&mut self.program.rules[rule], empty_rule());
        if self.plans[rule].len() <= flat.positive.len() {
            self.plans[rule].resize_with(flat.positive.len() + 1, || None);
        }
        let fresh = self.plans[rule][slot].take().filter(|plan| {
            let mut sizes = flat.positive.iter().zip(&plan.sizes);
            sizes.all(|(atom, &then)| self.relations[atom.predicate].len() <= GROWTH * (then + 8))
        });
        let plan = fresh.unwrap_or_else(|| {
            let relations = &mut self.relations;
            let (known, guards) = (&self.known, &self.program.guards);
            let assumed = &self.assumed;
            let plan = Planner { relations, known, assumed, guards }.plan(&flat, new);
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
        self.plans[rule][slot] = Some(plan);
        self.program.rules[rule] = flat;
        result.map(|_| ())
    }

    /// Plans refer to what is known; they are made anew when that has changed.
    pub(super) fn forget_plans(&mut self) {
        self.plans.iter_mut().for_each(Vec::clear);
    }

    /// Adds a row, there and where it feeds.
    pub(super) fn insert(&mut self, predicate: PredicateId, row: &[TermId]) -> u32 {
        let (at, new) = self.relations[predicate].insert(row);
        if new {
            self.facts += 1;
            if let Some(fed) = self.feeds[predicate]
                && self.relations[fed].insert(row).1
            {
                self.facts += 1;
            }
        }
        at
    }

    /// Bytes held, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let relations: u64 = self.relations.iter().map(Relation::bytes).sum();
        relations + self.kept_bytes + self.terms.len() as u64 * 40
    }

    /// The rule with the most instances, for messages.
    pub(super) fn growth(&self) -> Growth {
        let most = (0..self.instances.len()).max_by_key(|&rule| self.instances[rule].count);
        let most = most.unwrap_or(0);
        self.growth_of(most)
    }

    pub(super) fn growth_of(&self, rule: usize) -> Growth {
        let flat = self.program.rules.get(rule);
        Growth {
            relation: flat.map_or(String::new(), |flat| self.relation_name(flat.head.predicate)),
            place: self.source.place(flat.map_or(0, |flat| flat.origin.start)),
            instances: self.instances.get(rule).map_or(0, |instances| instances.count),
        }
    }

    pub(super) fn relation_name(&self, predicate: PredicateId) -> String {
        let key = self.program.key(predicate);
        let relation = self.symbols.name(key.relation);
        match key.functor {
            Some((name, _)) => format!("{relation} {}", self.symbols.name(name)),
            None => relation.to_string(),
        }
    }
}

/// Whether a condition is part of an instance.
pub(super) fn is_kept(atom: &FlatAtom, known: &[bool], program: &Program) -> bool {
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
