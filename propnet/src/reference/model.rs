//! All facts of one situation: strata of relations, each computed when it is first asked for.
//!
//! Relations that do not depend on the state are computed once and kept. Within a component of
//! mutually recursive relations the facts are the least fixpoint, found semi-naively. A component
//! with negation inside (`goal <- not goal` with other arguments) is computed as its well-founded
//! model: under- and overestimates alternate until they meet, as they do whenever the negation is
//! stratified by argument; a sentence they do not agree on depends on its own negation.

use std::rc::Rc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::clause::{Clause, Condition, RelationId, Relations, for_each_sentence};
use super::facts::Facts;
use super::join::{Join, Limits, Overrun};
use super::plan::{Plan, Planner};
use super::terms::{TermId, Terms};
use crate::game::PlayError;
use crate::gdl::{Rules, Span, Symbol, word};

/// A plan is made anew when a relation it reads has grown this many times over.
const GROWTH: usize = 8;

/// A set of mutually recursive relations, mostly just one.
struct Component {
    relations: Vec<RelationId>,
    clauses: Vec<PlannedClause>,
    /// Depends on `true`, or on `does`; if on neither it is computed once.
    on_state: bool,
    on_moves: bool,
    /// Has negation between its own relations.
    negative: bool,
    /// The components whose facts its clauses read.
    needs: Vec<usize>,
    done: bool,
}

struct PlannedClause {
    clause: Clause,
    /// Occurrences of the component's own relations, for the rounds after the first.
    recursive: Vec<usize>,
    /// The position of their relations in the component.
    recursive_members: Vec<usize>,
    /// The plan of the first round, then one for each recursive occurrence.
    plans: Vec<Option<Plan>>,
}

/// The facts of a situation and how to compute them.
pub(super) struct Model {
    /// By relation; behind them, again by relation, what is assumed about negated ones.
    facts: Vec<Facts>,
    relations: Relations,
    components: Vec<Component>,
    component_of: Vec<usize>,
    /// Where in its component each relation stands.
    member_of: Vec<usize>,
    /// For each component asked for: all it needs, itself included, dependencies first.
    cones: FxHashMap<usize, Rc<[usize]>>,
    /// Rows of `true` that the sheet itself gives.
    always_true: Vec<TermId>,
    limits: Limits,
    held: u64,
    work: u64,
}

/// Why an evaluation stopped, before the place is put into words.
pub(super) enum Failure {
    Overrun { overrun: Overrun, relation: RelationId, span: Span },
    Undefined { relation: RelationId, row: Vec<TermId>, span: Span },
}

impl Model {
    /// A model of these clauses, with no fluent true.
    pub(super) fn new(clauses: Vec<Clause>, relations: Relations, limits: Limits) -> Self {
        let count = relations.len();
        let mut facts: Vec<Facts> = relations.iter().map(|&(_, arity)| Facts::new(arity)).collect();
        facts.extend(relations.iter().map(|&(_, arity)| Facts::new(arity)));
        let mut model = Model {
            facts,
            component_of: vec![0; count],
            member_of: vec![0; count],
            relations,
            components: Vec::new(),
            cones: FxHashMap::default(),
            always_true: Vec::new(),
            limits,
            held: 0,
            work: 0,
        };
        let clauses = model.take_given(clauses);
        model.stratify(clauses);
        model
    }

    /// The facts of a relation in the present situation.
    pub(super) fn ask(
        &mut self,
        relation: RelationId,
        terms: &mut Terms,
    ) -> Result<&Facts, Failure> {
        self.work = 0;
        for &needed in self.cone(self.component_of[relation]).iter() {
            if self.components[needed].done {
                continue;
            }
            if let Err(failure) = self.compute(needed, terms) {
                self.reset(needed);
                return Err(failure);
            }
            self.components[needed].done = true;
        }
        Ok(&self.facts[relation])
    }

    /// Makes these the true fluents, and no move made.
    pub(super) fn set_state(&mut self, fluents: impl Iterator<Item = TermId>) {
        self.forget(|component| component.on_state || component.on_moves);
        let relation = self.id(word::TRUE, 1);
        self.facts[relation].clear();
        for fluent in fluents {
            self.facts[relation].insert(&[fluent]);
        }
        for at in 0..self.always_true.len() {
            self.facts[relation].insert(&[self.always_true[at]]);
        }
        self.components[self.component_of[relation]].done = true;
        self.clear_moves();
    }

    /// Makes these the moves, as pairs of role and move.
    pub(super) fn set_moves(&mut self, moves: impl Iterator<Item = [TermId; 2]>) {
        self.forget(|component| component.on_moves);
        let relation = self.id(word::DOES, 2);
        self.facts[relation].clear();
        for pair in moves {
            self.facts[relation].insert(&pair);
        }
    }

    /// Makes no move made.
    pub(super) fn clear_moves(&mut self) {
        let relation = self.id(word::DOES, 2);
        if self.facts[relation].len() > 0 {
            self.set_moves(std::iter::empty());
        }
    }

    /// Hands in facts of a relation that has no clauses.
    pub(super) fn give(&mut self, relation: RelationId, row: &[TermId]) {
        self.facts[relation].insert(row);
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
                    Overrun::Depth => {
                        let depth = crate::gdl::MAX_DEPTH;
                        return PlayError::TermTooDeep { relation, place, depth };
                    }
                    Overrun::Facts => (self.limits.facts, "facts"),
                    Overrun::Work => (self.limits.work, "rows looked at"),
                    Overrun::Plan => (super::plan::MAX_STEPS as u64, "steps in the plan"),
                };
                PlayError::TooLarge { relation, place, limit, what }
            }
        }
    }

    /// Facts about `true` that the sheet states hold in every state; they are no clauses.
    fn take_given(&mut self, clauses: Vec<Clause>) -> Vec<Clause> {
        let relation = self.id(word::TRUE, 1);
        let (given, clauses): (Vec<Clause>, Vec<Clause>) =
            clauses.into_iter().partition(|clause| clause.head.relation == relation);
        for clause in given {
            if let [super::clause::Pattern::Ground(fluent)] = clause.head.args[..] {
                self.always_true.push(fluent);
            }
        }
        clauses
    }

    fn stratify(&mut self, clauses: Vec<Clause>) {
        let count = self.relations.len();
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..count {
            graph.add_node(());
        }
        for clause in &clauses {
            let head = NodeIndex::new(clause.head.relation);
            for_each_sentence(&clause.body, &mut |sentence, _| {
                graph.update_edge(head, NodeIndex::new(sentence.relation), ());
            });
        }
        // Components come out dependencies first.
        for members in kosaraju_scc(&graph) {
            let relations: Vec<RelationId> = members.iter().map(|node| node.index()).collect();
            for (member, &relation) in relations.iter().enumerate() {
                self.component_of[relation] = self.components.len();
                self.member_of[relation] = member;
            }
            self.components.push(Component {
                relations,
                clauses: Vec::new(),
                on_state: false,
                on_moves: false,
                negative: false,
                needs: Vec::new(),
                done: false,
            });
        }
        for clause in clauses {
            let component = self.component_of[clause.head.relation];
            let planned = self.planned(clause, component);
            self.components[component].clauses.push(planned);
        }
        self.classify();
    }

    /// Marks recursive occurrences, and lets negated ones of the component read the assumptions.
    fn planned(&mut self, mut clause: Clause, component: usize) -> PlannedClause {
        let (component_of, count) = (&self.component_of, self.relations.len());
        let members = &self.member_of;
        let mut occurrence = 0;
        let (mut recursive, mut recursive_members) = (Vec::new(), Vec::new());
        for_each_sentence(&clause.body, &mut |sentence, negated| {
            if !negated {
                if component_of[sentence.relation] == component {
                    recursive.push(occurrence);
                    recursive_members.push(members[sentence.relation]);
                }
                occurrence += 1;
            }
        });
        let mut negative = false;
        redirect(&mut clause.body, &mut |relation| {
            let inside = component_of[relation] == component;
            negative |= inside;
            if inside { relation + count } else { relation }
        });
        self.components[component].negative |= negative;
        let plans = (0..=recursive.len()).map(|_| None).collect();
        PlannedClause { clause, recursive, recursive_members, plans }
    }

    /// What each component depends on; dependencies come before their users.
    fn classify(&mut self) {
        let truth = self.component_of[self.id(word::TRUE, 1)];
        let does = self.component_of[self.id(word::DOES, 2)];
        let count = self.relations.len();
        for at in 0..self.components.len() {
            let mut needs: Vec<usize> = Vec::new();
            for clause in &self.components[at].clauses {
                for_each_sentence(&clause.clause.body, &mut |sentence, _| {
                    needs.push(self.component_of[sentence.relation % count]);
                });
            }
            needs.sort_unstable();
            needs.dedup();
            needs.retain(|&needed| needed != at); // an own relation, read recursively
            let on = |flag: fn(&Component) -> bool| {
                needs.iter().any(|&needed| flag(&self.components[needed]))
            };
            let on_state = at == truth || on(|component| component.on_state);
            let on_moves = at == does || on(|component| component.on_moves);
            let component = &mut self.components[at];
            component.needs = needs;
            component.on_state = on_state;
            component.on_moves = on_moves;
        }
    }

    fn cone(&mut self, component: usize) -> Rc<[usize]> {
        if let Some(cone) = self.cones.get(&component) {
            return cone.clone();
        }
        let mut seen = FxHashSet::default();
        let mut todo = vec![component];
        while let Some(at) = todo.pop() {
            if seen.insert(at) {
                todo.extend(&self.components[at].needs);
            }
        }
        let mut cone: Vec<usize> = seen.into_iter().collect();
        cone.sort_unstable(); // components are numbered dependencies first
        let cone: Rc<[usize]> = cone.into();
        self.cones.insert(component, cone.clone());
        cone
    }

    fn forget(&mut self, which: impl Fn(&Component) -> bool) {
        for at in 0..self.components.len() {
            if self.components[at].done && which(&self.components[at]) {
                self.reset(at);
            }
        }
    }

    /// Forgets the facts of a component.
    fn reset(&mut self, at: usize) {
        let component = &mut self.components[at];
        component.done = false;
        for &relation in &component.relations {
            if !component.clauses.is_empty() {
                self.held -= self.facts[relation].len() as u64;
            }
            self.facts[relation].clear();
        }
    }

    fn compute(&mut self, at: usize, terms: &mut Terms) -> Result<(), Failure> {
        if self.components[at].clauses.is_empty() {
            return Ok(());
        }
        if !self.components[at].negative {
            return self.least_fixpoint(at, terms);
        }
        // The least facts that hold while more and more is assumed, and the most that can hold
        // while less and less is.
        let count = self.relations.len();
        for &relation in &self.components[at].relations {
            self.facts[relation + count].clear();
        }
        self.least_fixpoint(at, terms)?;
        loop {
            let most = self.move_to_assumptions(at);
            self.least_fixpoint(at, terms)?;
            let least = self.move_to_assumptions(at);
            self.least_fixpoint(at, terms)?;
            if self.size_of(at) == least {
                return Ok(());
            }
            if self.size_of(at) == most {
                return Err(self.undefined(at));
            }
        }
    }

    /// What was just found becomes what is assumed. Returns how much it was.
    fn move_to_assumptions(&mut self, at: usize) -> usize {
        let count = self.relations.len();
        let size = self.size_of(at);
        for &relation in &self.components[at].relations {
            let (found, assumed) = self.facts.split_at_mut(count);
            std::mem::swap(&mut found[relation], &mut assumed[relation]);
            found[relation].clear();
        }
        self.held -= size as u64;
        size
    }

    fn size_of(&self, at: usize) -> usize {
        self.components[at].relations.iter().map(|&relation| self.facts[relation].len()).sum()
    }

    /// A sentence that may hold but need not.
    fn undefined(&self, at: usize) -> Failure {
        let count = self.relations.len();
        for planned in &self.components[at].clauses {
            let relation = planned.clause.head.relation;
            let (most, least) = (&self.facts[relation], &self.facts[relation + count]);
            if let Some(row) = most.rows().find(|row| !least.contains(row)) {
                let (row, span) = (row.to_vec(), planned.clause.span);
                return Failure::Undefined { relation, row, span };
            }
        }
        unreachable!("estimates of different size differ in some row")
    }

    fn least_fixpoint(&mut self, at: usize, terms: &mut Terms) -> Result<(), Failure> {
        let clauses = self.components[at].clauses.len();
        for clause in 0..clauses {
            self.run(at, clause, 0, 0..0, terms)?;
        }
        let recursive = |planned: &PlannedClause| !planned.recursive.is_empty();
        if !self.components[at].clauses.iter().any(recursive) {
            return Ok(());
        }
        let mut from = vec![0; self.components[at].relations.len()];
        loop {
            let sizes = self.components[at].relations.iter().map(|&r| self.facts[r].len());
            let to: Vec<usize> = sizes.collect();
            if from == to {
                return Ok(());
            }
            for clause in 0..clauses {
                for nth in 0..self.components[at].clauses[clause].recursive.len() {
                    let member = self.components[at].clauses[clause].recursive_members[nth];
                    let delta = from[member]..to[member];
                    if !delta.is_empty() {
                        self.run(at, clause, nth + 1, delta, terms)?;
                    }
                }
            }
            from = to;
        }
    }

    /// Adds what one clause concludes: all of it (plan 0), or what follows from new rows of its
    /// recursive occurrences (plans 1 and up).
    fn run(
        &mut self,
        at: usize,
        clause: usize,
        plan: usize,
        delta: std::ops::Range<usize>,
        terms: &mut Terms,
    ) -> Result<(), Failure> {
        let component_of = &self.component_of;
        let unfinished = |relation: RelationId| component_of.get(relation) == Some(&at);
        let planned = &mut self.components[at].clauses[clause];
        let (head, span) = (&planned.clause.head, planned.clause.span);
        let facts = &mut self.facts;
        let stale = planned.plans[plan].as_ref().is_none_or(|plan| {
            let mut sizes = plan.sizes.iter();
            sizes.any(|&(relation, then)| facts[relation].len() > GROWTH * (then + GROWTH))
        });
        let failed = |overrun| Failure::Overrun { overrun, relation: head.relation, span };
        if stale {
            let delta = plan.checked_sub(1).map(|nth| planned.recursive[nth]);
            let made = Planner::new(terms, facts, &unfinished).plan(&planned.clause, delta);
            planned.plans[plan] = Some(made.ok_or_else(|| failed(Overrun::Plan))?);
        }
        let Some(plan) = &planned.plans[plan] else { return Ok(()) };
        let mut join = Join {
            terms,
            facts,
            limits: self.limits,
            held: &mut self.held,
            work: &mut self.work,
            head,
            slots: vec![TermId(0); planned.clause.slots],
            delta,
        };
        join.run(&plan.steps).map_err(failed)
    }
}

/// Lets `number` rename the relation of each negated sentence.
fn redirect(conditions: &mut [Condition], number: &mut dyn FnMut(RelationId) -> RelationId) {
    for condition in conditions {
        match condition {
            Condition::Fact { sentence, negated: true } => {
                sentence.relation = number(sentence.relation);
            }
            Condition::Fact { .. } | Condition::Compare { .. } => {}
            Condition::Either(arms) => {
                for arm in arms {
                    redirect(arm, number);
                }
            }
        }
    }
}
