//! What can ever be true, over-approximated.
//!
//! `next` and `init` feed `true`, `legal` feeds `does`, and negated conditions about the state are
//! taken to hold. What is false in this relaxed model is false in every state that can be reached.

use rustc_hash::FxHashMap;

use super::clause::{Clause, ClauseCondition, Pattern, RelationId, Relations, Sentence};
use super::instances::Listing;
use super::strata::Strata;
use crate::gdl::word;

/// The relaxed clauses, and those that list the instances of some rules.
pub(super) fn relaxed(
    mut clauses: Vec<Clause>,
    listings: &FxHashMap<usize, Option<Vec<Listing>>>,
    relations: &Relations,
) -> Vec<Clause> {
    // What depends on neither the state nor the moves is known exactly.
    let strata = Strata::new(clauses.clone(), relations);
    let is_exact = |relation: RelationId| {
        let component = &strata.components[strata.component_of[relation]];
        !component.on_state && !component.on_moves
    };
    let id = |name, arity| relations.get_index_of(&(name, arity)).unwrap_or_default();
    for clause in &mut clauses {
        clause.body = without_negation(&clause.body, &is_exact);
        // What is stated to be true in every state is true in the first one.
        if clause.head.relation == id(word::TRUE, 1) {
            clause.head.relation = id(word::INIT, 1);
        }
    }
    for listing in listings.values().flatten().flatten() {
        // The cycle itself is what is looked for: whether a sentence in it holds is open.
        let own = strata.component_of[listing.head.relation];
        let outside = |relation| is_exact(relation) && strata.component_of[relation] != own;
        let mut clause = listing.clause();
        clause.body = without_negation(&clause.body, &outside);
        clauses.push(clause);
    }
    for (to, from, arity) in
        [(word::TRUE, word::INIT, 1), (word::TRUE, word::NEXT, 1), (word::DOES, word::LEGAL, 2)]
    {
        let args: Vec<Pattern> = (0..arity).map(Pattern::Slot).collect();
        let sentence = Sentence { relation: id(from, arity), args: args.clone() };
        clauses.push(Clause {
            head: Sentence { relation: id(to, arity), args },
            body: vec![ClauseCondition::Fact { sentence, negated: false }],
            slots: arity,
            span: Default::default(),
        });
    }
    clauses
}

fn without_negation(
    body: &[ClauseCondition],
    is_exact: &dyn Fn(RelationId) -> bool,
) -> Vec<ClauseCondition> {
    body.iter()
        .filter_map(|condition| match condition {
            ClauseCondition::Fact { sentence, negated: true } if !is_exact(sentence.relation) => {
                None
            }
            ClauseCondition::Either(arms) => Some(ClauseCondition::Either(
                arms.iter().map(|arm| without_negation(arm, is_exact)).collect(),
            )),
            condition => Some(condition.clone()),
        })
        .collect()
}
