//! Judges suspected cycles through negation by their ground instances.
//!
//! What can ever be true is over-approximated: `next` and `init` feed `true`, `legal` feeds
//! `does`, and negated conditions about the state are taken to hold. In that relaxed model every
//! instance of a suspected rule is listed, and the sentences in it become a graph. Only a cycle
//! through negation between ground sentences is an error.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::clause::{
    Clause, Condition, Pattern, RelationId, Relations, Sentence, clauses, for_each_sentence,
};
use super::join::Limits;
use super::model::Model;
use super::strata::Strata;
use crate::gdl::check::{NegativeCycle, negative_cycles};
use crate::gdl::{Finding, Rules, Symbol, word};
use crate::terms::{TermId, Terms};

/// What judging may take; a sheet that needs more is let through and judged while it is played.
const LIMITS: Limits = Limits { facts: 1_000_000, work: 30_000_000 };

type GroundSentence = (RelationId, Vec<TermId>);

/// An error for each suspect that has a cycle, a warning for each that could not be judged.
pub(super) fn judge(rules: &Rules) -> Vec<Finding> {
    let suspects = negative_cycles(rules);
    if suspects.is_empty() {
        return Vec::new();
    }
    let mut terms = Terms::default();
    let (clauses, mut relations) = clauses(rules, &mut terms);
    let listings = listings(&clauses, &suspects, &mut relations);
    let relaxed = relaxed(&clauses, &listings, &relations);
    let mut model = Model::new(relaxed, relations, LIMITS);
    suspects
        .iter()
        .filter_map(|suspect| match cycle(suspect, &clauses, &listings, &mut model, &mut terms) {
            Some(None) => None,
            Some(Some((relation, args))) => {
                let args = args.iter().map(|&arg| terms.text(arg, &|s| rules.symbols.spelling(s)));
                let name = rules.symbols.spelling(model.relations[relation].0).to_string();
                Some(unstratified(suspect, name, args.collect()))
            }
            None => Some(undecided(suspect)),
        })
        .collect()
}

fn unstratified(suspect: &NegativeCycle, name: String, args: Vec<String>) -> Finding {
    let sentence = match args.is_empty() {
        true => name,
        false => format!("({name} {})", args.join(" ")),
    };
    Finding::error(
        "unstratified",
        suspect.negated,
        format!("{sentence} depends on its own negation, so its truth is open"),
    )
    .help("break the circle: no sentence may follow, by any chain of rules, from its own absence")
}

fn undecided(suspect: &NegativeCycle) -> Finding {
    Finding::warning(
        "negation-not-judged",
        suspect.negated,
        "negation within a recursion that is too large to be judged beforehand",
    )
    .help("play stops with an error in a state where a sentence depends on its own negation")
}

/// For each suspected rule, the relation that will list its instances.
fn listings(
    clauses: &[Clause],
    suspects: &[NegativeCycle],
    relations: &mut Relations,
) -> FxHashMap<usize, RelationId> {
    let rules: FxHashSet<usize> =
        suspects.iter().flat_map(|suspect| suspect.rules.iter().copied()).collect();
    let mut rules: Vec<usize> = rules.into_iter().collect();
    rules.sort_unstable();
    rules
        .into_iter()
        .map(|rule| {
            // No sheet has so many symbols, so the name is free.
            let name = Symbol(u32::MAX - rule as u32);
            (rule, relations.insert_full((name, clauses[rule].slots)).0)
        })
        .collect()
}

/// The relaxed clauses, and one that lists the instances of each suspected rule.
fn relaxed(
    clauses: &[Clause],
    listings: &FxHashMap<usize, RelationId>,
    relations: &Relations,
) -> Vec<Clause> {
    let strata = Strata::new(clauses.to_vec(), relations);
    let is_static = |relation: RelationId| {
        let component = &strata.components[strata.component_of[relation]];
        !component.on_state && !component.on_moves && !component.negative
    };
    let mut relaxed = Vec::new();
    for (rule, clause) in clauses.iter().enumerate() {
        let body = without_negation(&clause.body, &is_static);
        if let Some(&listing) = listings.get(&rule) {
            let args = (0..clause.slots).map(Pattern::Slot).collect();
            let head = Sentence { relation: listing, args };
            relaxed.push(Clause { head, body: body.clone(), ..clause.clone() });
        }
        relaxed.push(Clause { body, ..clause.clone() });
    }
    let id = |name, arity| relations.get_index_of(&(name, arity)).unwrap_or_default();
    for (to, from, arity) in
        [(word::TRUE, word::INIT, 1), (word::TRUE, word::NEXT, 1), (word::DOES, word::LEGAL, 2)]
    {
        let args: Vec<Pattern> = (0..arity).map(Pattern::Slot).collect();
        let sentence = Sentence { relation: id(from, arity), args: args.clone() };
        relaxed.push(Clause {
            head: Sentence { relation: id(to, arity), args },
            body: vec![Condition::Fact { sentence, negated: false }],
            slots: arity,
            span: Default::default(),
        });
    }
    relaxed
}

fn without_negation(body: &[Condition], is_static: &dyn Fn(RelationId) -> bool) -> Vec<Condition> {
    body.iter()
        .filter_map(|condition| match condition {
            Condition::Fact { sentence, negated: true } if !is_static(sentence.relation) => None,
            Condition::Either(arms) => Some(Condition::Either(
                arms.iter().map(|arm| without_negation(arm, is_static)).collect(),
            )),
            condition => Some(condition.clone()),
        })
        .collect()
}

/// A sentence in a cycle through negation, if there is one; `None` if that took too long.
fn cycle(
    suspect: &NegativeCycle,
    clauses: &[Clause],
    listings: &FxHashMap<usize, RelationId>,
    model: &mut Model,
    terms: &mut Terms,
) -> Option<Option<GroundSentence>> {
    let heads: FxHashSet<RelationId> =
        suspect.rules.iter().map(|&rule| clauses[rule].head.relation).collect();
    let mut nodes: FxHashMap<GroundSentence, NodeIndex> = FxHashMap::default();
    let mut graph: DiGraph<GroundSentence, bool> = DiGraph::new();
    for &rule in &suspect.rules {
        let clause = &clauses[rule];
        let facts = model.ask(*listings.get(&rule)?, terms).ok()?;
        let rows: Vec<Vec<TermId>> = facts.rows().map(<[TermId]>::to_vec).collect();
        for row in rows {
            let mut node = |sentence: &Sentence| {
                let args: Option<Vec<TermId>> =
                    sentence.args.iter().map(|arg| instance(arg, &row, terms)).collect();
                let ground = (sentence.relation, args?);
                let new = || graph.add_node(ground.clone());
                Some(*nodes.entry(ground.clone()).or_insert_with(new))
            };
            let head = node(&clause.head)?;
            let mut edges = Vec::new();
            for_each_sentence(&clause.body, &mut |sentence, negated| {
                if heads.contains(&sentence.relation) {
                    edges.push((node(sentence), negated));
                }
            });
            for (body, negated) in edges {
                graph.add_edge(head, body?, negated);
            }
        }
    }
    Some(negative_component(&graph))
}

fn negative_component(graph: &DiGraph<GroundSentence, bool>) -> Option<GroundSentence> {
    let mut component_of = vec![0; graph.node_count()];
    for (number, members) in kosaraju_scc(graph).iter().enumerate() {
        for node in members {
            component_of[node.index()] = number;
        }
    }
    let inside = |edge: petgraph::graph::EdgeIndex| {
        let (from, to) = graph.edge_endpoints(edge)?;
        (component_of[from.index()] == component_of[to.index()]).then_some(to)
    };
    let edges = graph.edge_indices().filter(|&edge| graph[edge]);
    edges.filter_map(inside).map(|node| graph[node].clone()).next()
}

fn instance(pattern: &Pattern, row: &[TermId], terms: &mut Terms) -> Option<TermId> {
    match pattern {
        Pattern::Slot(slot) => row.get(*slot).copied(),
        Pattern::Ground(term) => Some(*term),
        Pattern::Function(name, args) => {
            let args: Option<Vec<TermId>> =
                args.iter().map(|arg| instance(arg, row, terms)).collect();
            terms.intern(*name, &args?).ok()
        }
    }
}
