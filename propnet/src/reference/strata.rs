//! The relations of a sheet in the order in which they can be computed.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::clause::{Clause, ClauseCondition, RelationId, Relations, for_each_sentence};
use super::facts::IndexKey;
use super::plan::{ClausePlan, PlanKind};
use crate::components::components as in_order;
use crate::gdl::{Span, Symbol, word};
use crate::terms::TermId;

/// A set of mutually recursive relations, mostly just one.
pub(super) struct RelationComponent {
    pub(super) relations: Vec<RelationId>,
    /// What the sheet states about them; a sheet may consist of little else, so a fact is not a
    /// clause with a plan.
    pub(super) stated: Vec<Stated>,
    pub(super) clauses: Vec<PlannedClause>,
    /// Depends on `true`, or on `does`; if on neither it is computed once.
    pub(super) on_state: bool,
    pub(super) on_moves: bool,
    /// A clause reads a relation of the component, directly or under negation.
    pub(super) recursive: bool,
    pub(super) negative: bool,
    /// For each relation the clauses that read it, and at which occurrence.
    pub(super) readers: Vec<Vec<(usize, usize)>>,
    /// The components whose facts its clauses read.
    pub(super) needs: Vec<usize>,
    /// Not computed as a whole, but for each binding that is asked for.
    pub(super) on_demand: bool,
    /// How deep its evaluation can go, that of on-demand relations it asks included.
    pub(super) reach: usize,
    /// The bindings that were asked for: which arguments, and their values.
    pub(super) asked: FxHashSet<(u64, IndexKey)>,
    /// All facts that will be asked for are there.
    pub(super) done: bool,
}

/// A fact of the sheet.
pub(super) struct Stated {
    pub(super) relation: RelationId,
    pub(super) row: Box<[TermId]>,
    pub(super) span: Span,
}

/// A clause with the plans made for it so far.
pub(super) struct PlannedClause {
    pub(super) clause: Arc<Clause>,
    pub(super) plans: FxHashMap<PlanKind, Arc<ClausePlan>>,
}

/// The components, dependencies first, and which one each relation is in.
pub(super) struct Strata {
    pub(super) components: Vec<RelationComponent>,
    pub(super) component_of: Vec<usize>,
    /// Where in its component each relation stands.
    pub(super) member_of: Vec<usize>,
}

impl Strata {
    /// Sorts clauses into components. Negated sentences about relations of their own component
    /// are renumbered by `relations.len()`: they read what is assumed, not what is known so far.
    pub(super) fn new(clauses: Vec<Clause>, relations: &Relations) -> Self {
        let count = relations.len();
        let mut component_of = vec![0; count];
        let mut member_of = vec![0; count];
        let mut components = Vec::new();
        for members in in_order(count, dependencies(&clauses)) {
            for (member, &relation) in members.iter().enumerate() {
                component_of[relation] = components.len();
                member_of[relation] = member;
            }
            components.push(RelationComponent::new(members));
        }
        for clause in clauses {
            let at = component_of[clause.head.relation];
            let inside = |relation: RelationId| component_of[relation] == at;
            components[at].add(clause, &inside, &member_of, count);
        }
        let mut strata = Strata { components, component_of, member_of };
        strata.classify(relations);
        strata
    }

    /// What each component depends on; dependencies come before their users.
    fn classify(&mut self, relations: &Relations) {
        let component = |name: Symbol, arity| {
            relations.get_index_of(&(name, arity)).map(|relation| self.component_of[relation])
        };
        let (truth, does) = (component(word::TRUE, 1), component(word::DOES, 2));
        let count = relations.len();
        for at in 0..self.components.len() {
            let mut needs: Vec<usize> = Vec::new();
            for planned in &self.components[at].clauses {
                for_each_sentence(&planned.clause.body, &mut |sentence, _| {
                    needs.push(self.component_of[sentence.relation % count]);
                });
            }
            needs.sort_unstable();
            needs.dedup();
            let recursive = needs.contains(&at);
            needs.retain(|&needed| needed != at);
            let on = |flag: fn(&RelationComponent) -> bool| {
                needs.iter().any(|&needed| flag(&self.components[needed]))
            };
            let on_state = Some(at) == truth || on(|component| component.on_state);
            let on_moves = Some(at) == does || on(|component| component.on_moves);
            let component = &mut self.components[at];
            component.recursive = recursive;
            component.needs = needs;
            component.on_state = on_state;
            component.on_moves = on_moves;
        }
    }
}

impl RelationComponent {
    /// Whether its facts are computed, not given from outside.
    pub(super) fn is_computed(&self) -> bool {
        !self.clauses.is_empty() || !self.stated.is_empty()
    }

    fn new(relations: Vec<RelationId>) -> Self {
        let readers = vec![Vec::new(); relations.len()];
        RelationComponent {
            relations,
            stated: Vec::new(),
            clauses: Vec::new(),
            on_state: false,
            on_moves: false,
            recursive: false,
            negative: false,
            readers,
            needs: Vec::new(),
            on_demand: false,
            reach: 0,
            asked: FxHashSet::default(),
            done: false,
        }
    }

    fn add(
        &mut self,
        mut clause: Clause,
        inside: &dyn Fn(RelationId) -> bool,
        member_of: &[usize],
        assumed: usize,
    ) {
        if let Some(row) = clause.as_fact() {
            self.stated.push(Stated { relation: clause.head.relation, row, span: clause.span });
            return;
        }
        let mut occurrence = 0;
        for_each_sentence(&clause.body, &mut |sentence, negated| {
            if !negated {
                if inside(sentence.relation) {
                    let reader = (self.clauses.len(), occurrence);
                    self.readers[member_of[sentence.relation]].push(reader);
                }
                occurrence += 1;
            }
        });
        for_each_negated(&mut clause.body, &mut |relation| {
            if inside(*relation) {
                *relation += assumed;
                self.negative = true;
            }
        });
        self.reach = self.reach.max(clause.slots + nesting(&clause.body) + CALLS);
        let clause = Arc::new(clause);
        self.clauses.push(PlannedClause { clause, plans: FxHashMap::default() });
    }
}

/// Calls that evaluating any clause takes, beside those for its variables and choices.
const CALLS: usize = 20;

/// How deep choices are nested.
fn nesting(conditions: &[ClauseCondition]) -> usize {
    let deepest = conditions.iter().map(|condition| match condition {
        ClauseCondition::Either(arms) => {
            1 + arms.iter().map(|arm| nesting(arm)).max().unwrap_or_default()
        }
        ClauseCondition::Fact { .. } | ClauseCondition::Compare { .. } => 0,
    });
    deepest.max().unwrap_or_default()
}

/// An edge from each relation to those its clauses read.
fn dependencies(clauses: &[Clause]) -> Vec<(RelationId, RelationId)> {
    let mut edges = Vec::new();
    for clause in clauses {
        for_each_sentence(&clause.body, &mut |sentence, _| {
            edges.push((clause.head.relation, sentence.relation));
        });
    }
    edges
}

fn for_each_negated(conditions: &mut [ClauseCondition], visit: &mut dyn FnMut(&mut RelationId)) {
    for condition in conditions {
        match condition {
            ClauseCondition::Fact { sentence, negated: true } => visit(&mut sentence.relation),
            ClauseCondition::Fact { .. } | ClauseCondition::Compare { .. } => {}
            ClauseCondition::Either(arms) => {
                for arm in arms {
                    for_each_negated(arm, visit);
                }
            }
        }
    }
}
