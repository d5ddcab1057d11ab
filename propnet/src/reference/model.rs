//! All facts of one situation, each relation computed when it is first asked for.
//!
//! Relations that do not depend on the state are computed once and kept. A relation that turns
//! out to be wide (a helper that could be true of very many arguments, but is only ever asked
//! about a few) is no longer computed as a whole from then on, but for each binding asked for.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::clause::{Clause, Pattern, RelationId, Relations};
use super::facts::{Facts, IndexKey};
use super::join::{Overrun, ReasonerLimits, weight};
use super::strata::{RelationComponent, Strata};
use super::watch::WorkWatch;
use crate::game::PlayError;
use crate::gdl::{MAX_DEPTH, Rules, Span, Symbol, word};
use crate::terms::{MOST_WORDS, TermId, Terms};

/// A relation that takes more rows than this to compute is wide.
const WIDE: u64 = 20_000;

/// On-demand relations ask each other as long as all of them together go no deeper than this
/// many calls, which keeps the stack small. A relation beyond is computed whole.
const MAX_REACH: usize = 1_000;

/// The watch is asked once for this many steps.
const WATCH_EVERY: u64 = 1 << 12;

/// Bytes of a binding that was asked for, about.
const ASKED_BYTES: u64 = 64;

/// The facts of a situation and how to compute them.
pub(super) struct Model {
    /// By relation; after them, again by relation, what is assumed about negated ones.
    pub(super) facts: Vec<Facts>,
    pub(super) relations: Relations,
    pub(super) strata: Strata,
    pub(super) limits: ReasonerLimits,
    watch: WorkWatch,
    /// The weight of the facts that were computed, and of the bindings asked for.
    held: u64,
    /// The bytes of all facts, and of the bindings asked for.
    bytes: u64,
    /// Steps taken for the present question.
    pub(super) work: u64,
    /// The steps at which limit and watch are looked at next.
    look_at: u64,
    /// Steps taken for all questions before.
    pub(super) work_before: u64,
    /// Rows looked at in all.
    pub(super) rows: u64,
    /// The present computation is given up as wide when `rows` passes this.
    pub(super) wide_at: u64,
    /// For each component asked for: all it needs, itself included, dependencies first.
    cones: FxHashMap<usize, Arc<[usize]>>,
    /// What the sheet itself states to be true in every state.
    always_true: Vec<TermId>,
}

/// Why an evaluation stopped, before the place is put into words.
pub(super) enum Failure {
    Overrun { overrun: Overrun, relation: RelationId, span: Span },
    Undefined { relation: RelationId, row: Vec<TermId>, span: Span },
}

impl Model {
    /// A model of these clauses, with no fluent true.
    pub(super) fn new(
        clauses: Vec<Clause>,
        relations: Relations,
        limits: ReasonerLimits,
        watch: WorkWatch,
    ) -> Self {
        let facts = relations.iter().chain(&relations).map(|&(_, arity)| Facts::new(arity));
        let truth = relations.get_index_of(&(word::TRUE, 1));
        let (given, clauses): (Vec<Clause>, Vec<Clause>) = clauses
            .into_iter()
            .partition(|clause| Some(clause.head.relation) == truth && clause.body.is_empty());
        let always_true = given.iter().filter_map(|clause| match clause.head.args[..] {
            [Pattern::Ground(fluent)] => Some(fluent),
            _ => None,
        });
        Model {
            facts: facts.collect(),
            always_true: always_true.collect(),
            strata: Strata::new(clauses, &relations),
            relations,
            limits,
            watch,
            held: 0,
            bytes: 0,
            work: 0,
            look_at: 0,
            work_before: 0,
            rows: 0,
            wide_at: u64::MAX,
            cones: FxHashMap::default(),
        }
    }

    /// The facts of a relation in the present situation.
    pub(super) fn ask(
        &mut self,
        relation: RelationId,
        terms: &mut Terms,
    ) -> Result<&Facts, Failure> {
        self.work_before += self.work;
        self.work = 0;
        self.look_at = 0;
        for &needed in self.cone(self.strata.component_of[relation]).iter() {
            if self.strata.components[needed].done {
                continue;
            }
            if let Err(failure) = self.compute_or_put_off(needed, terms) {
                self.reset(needed);
                return Err(failure);
            }
            self.strata.components[needed].done = true;
        }
        if self.strata.components[self.strata.component_of[relation]].on_demand {
            self.demand(relation, 0, &IndexKey::new(), terms)?;
        }
        Ok(&self.facts[relation])
    }

    /// Makes these the true fluents, and no move made.
    pub(super) fn set_state(&mut self, fluents: impl Iterator<Item = TermId>) {
        self.forget(|component| component.on_state || component.on_moves);
        let relation = self.id(word::TRUE, 1);
        self.clear(relation);
        for fluent in fluents {
            self.insert(relation, &[fluent]);
        }
        for at in 0..self.always_true.len() {
            self.insert(relation, &[self.always_true[at]]);
        }
        self.strata.components[self.strata.component_of[relation]].done = true;
        self.clear_moves();
    }

    /// Makes these the moves, as pairs of role and move.
    pub(super) fn set_moves(&mut self, moves: impl Iterator<Item = [TermId; 2]>) {
        self.forget(|component| component.on_moves);
        let relation = self.id(word::DOES, 2);
        self.clear(relation);
        for pair in moves {
            self.insert(relation, &pair);
        }
    }

    /// Makes no move made.
    pub(super) fn clear_moves(&mut self) {
        let relation = self.id(word::DOES, 2);
        if self.facts[relation].len() > 0 {
            self.set_moves(std::iter::empty());
        }
    }

    /// Counts steps towards the limit for one question.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Overrun> {
        self.work += steps;
        if self.work < self.look_at { Ok(()) } else { self.look() }
    }

    /// Looks at the limit of steps and at the watch.
    fn look(&mut self) -> Result<(), Overrun> {
        if self.work > self.limits.work {
            return Err(Overrun::Work);
        }
        if !self.watch.may_go_on() {
            return Err(Overrun::Stopped);
        }
        let limit = self.limits.work.saturating_add(1);
        self.look_at = self.work.saturating_add(WATCH_EVERY).min(limit);
        Ok(())
    }

    /// Adds a fact to a relation that is computed.
    pub(super) fn add(
        &mut self,
        relation: RelationId,
        row: &[TermId],
        terms: &Terms,
    ) -> Result<(), Overrun> {
        if self.insert(relation, row) {
            self.held += weight(row.len());
            self.check_room(terms)?;
        }
        Ok(())
    }

    /// Counts a binding that is asked for, with this many values.
    pub(super) fn hold_asked(&mut self, values: usize, terms: &Terms) -> Result<(), Overrun> {
        self.held += weight(values);
        self.bytes += ASKED_BYTES;
        self.check_room(terms)
    }

    /// Counts a binding no more.
    pub(super) fn release_asked(&mut self, values: usize) {
        self.held -= weight(values);
        self.bytes -= ASKED_BYTES;
    }

    /// Whether all that is held is within the limits.
    pub(super) fn check_room(&self, terms: &Terms) -> Result<(), Overrun> {
        if self.held > self.limits.facts {
            return Err(Overrun::Facts);
        }
        let is_full = self.bytes + terms.bytes() > self.limits.bytes;
        if is_full { Err(Overrun::Bytes) } else { Ok(()) }
    }

    /// Adds a fact; false if it was there. Only [`Model::add`] looks at limits.
    pub(super) fn insert(&mut self, relation: RelationId, row: &[TermId]) -> bool {
        let facts = &mut self.facts[relation];
        let is_new = facts.insert(row);
        self.bytes += if is_new { facts.row_bytes() } else { 0 };
        is_new
    }

    /// Counts the facts of a relation that is computed no more towards the limit.
    pub(super) fn release(&mut self, relation: RelationId) {
        let facts = &self.facts[relation];
        self.held -= facts.len() as u64 * weight(facts.arity());
    }

    /// Forgets all facts of a relation.
    pub(super) fn clear(&mut self, relation: RelationId) {
        let facts = &mut self.facts[relation];
        self.bytes -= facts.bytes();
        facts.clear();
    }

    /// The newest row with this key; see [`Facts::newest`].
    pub(super) fn newest(
        &mut self,
        relation: RelationId,
        index: usize,
        key: &[TermId],
        terms: &Terms,
    ) -> u32 {
        let facts = &mut self.facts[relation];
        let before = facts.index_bytes(index);
        let newest = facts.newest(index, key, terms);
        self.bytes += facts.index_bytes(index) - before;
        newest
    }

    /// The number of a relation of the language.
    pub(super) fn id(&self, name: Symbol, arity: usize) -> RelationId {
        self.relations.get_index_of(&(name, arity)).expect("words of the language are always there")
    }

    /// The failure in words.
    pub(super) fn error(&self, failure: Failure, terms: &Terms, rules: &Rules) -> PlayError {
        let name = |relation: RelationId| {
            let (symbol, _) = self.relations[relation];
            rules.symbols.name(symbol).to_string()
        };
        let place = |span: Span| rules.source.place(span.start);
        match failure {
            Failure::Undefined { relation, row, span } => {
                let args: Vec<String> =
                    row.iter().map(|&arg| terms.canonical(arg, &rules.symbols)).collect();
                let sentence = match args.is_empty() {
                    true => name(relation),
                    false => format!("({} {})", name(relation), args.join(" ")),
                };
                PlayError::Unstratified { sentence, place: place(span) }
            }
            Failure::Overrun { overrun, relation, span } => {
                let (relation, place) = (name(relation), place(span));
                let (limit, what) = match overrun {
                    Overrun::Term => {
                        let (depth, words) = (MAX_DEPTH, MOST_WORDS);
                        return PlayError::TermTooLarge { relation, place, depth, words };
                    }
                    Overrun::Stopped => return PlayError::Stopped,
                    Overrun::Facts => (self.limits.facts, "facts"),
                    Overrun::Bytes => (self.limits.bytes, "bytes"),
                    Overrun::Work | Overrun::Wide => (self.limits.work, "steps"),
                    Overrun::Plan => (super::order::MAX_STEPS as u64, "steps in the plan"),
                };
                PlayError::TooLarge { relation, place, limit, what }
            }
        }
    }

    /// Computes a component, or finds it too wide and leaves it to be asked on demand.
    fn compute_or_put_off(&mut self, at: usize, terms: &mut Terms) -> Result<(), Failure> {
        let component = &self.strata.components[at];
        if component.on_demand || !component.is_computed() {
            return Ok(());
        }
        let narrow_arguments = self.facts[component.relations[0]].arity() <= u64::BITS as usize;
        let reach = self.reach(at);
        if !component.recursive && narrow_arguments && reach <= MAX_REACH {
            self.wide_at = self.rows + WIDE;
        }
        let computed = self.compute(at, terms);
        self.wide_at = u64::MAX;
        match computed {
            Err(Failure::Overrun { overrun: Overrun::Wide, .. }) => {
                self.reset(at);
                self.strata.components[at].on_demand = true;
                self.strata.components[at].reach = reach;
                self.forget_plans(); // they were made for a relation that is computed
                Ok(())
            }
            computed => computed,
        }
    }

    /// How deep the evaluation of a component goes with that of the relations it would ask.
    fn reach(&self, at: usize) -> usize {
        let component = &self.strata.components[at];
        let asked = component.needs.iter().map(|&needed| &self.strata.components[needed]);
        let asked = asked.filter(|needed| needed.on_demand).map(|needed| needed.reach).max();
        component.reach + asked.unwrap_or(0)
    }

    fn forget_plans(&mut self) {
        for component in &mut self.strata.components {
            for planned in &mut component.clauses {
                planned.plans.clear();
            }
        }
    }

    fn cone(&mut self, component: usize) -> Arc<[usize]> {
        if let Some(cone) = self.cones.get(&component) {
            return cone.clone();
        }
        let mut seen = FxHashSet::default();
        let mut todo = vec![component];
        while let Some(at) = todo.pop() {
            if seen.insert(at) {
                todo.extend(&self.strata.components[at].needs);
            }
        }
        let mut cone: Vec<usize> = seen.into_iter().collect();
        cone.sort_unstable(); // components are numbered dependencies first
        let cone: Arc<[usize]> = cone.into();
        self.cones.insert(component, cone.clone());
        cone
    }

    fn forget(&mut self, which: impl Fn(&RelationComponent) -> bool) {
        for at in 0..self.strata.components.len() {
            let component = &self.strata.components[at];
            if component.done && which(component) {
                self.reset(at);
            }
        }
    }

    /// Forgets the facts of a component.
    fn reset(&mut self, at: usize) {
        let component = &mut self.strata.components[at];
        let computed = component.is_computed();
        component.done = false;
        for (mask, _) in component.asked.drain() {
            self.held -= weight(mask.count_ones() as usize);
            self.bytes -= ASKED_BYTES;
        }
        for member in 0..self.strata.components[at].relations.len() {
            let relation = self.strata.components[at].relations[member];
            if computed {
                self.release(relation);
            }
            self.clear(relation);
        }
    }
}
