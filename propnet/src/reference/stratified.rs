//! Judges suspected cycles through negation by their ground instances.
//!
//! In the relaxed model every instance of a suspected rule is listed, and the sentences in it
//! become a graph. Only a cycle through negation between ground sentences is an error, or a
//! sentence that depends on no state and has no truth value.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::clause::{Clause, ClauseCondition, Pattern, RelationId, Sentence, clauses};
use super::facts::Facts;
use super::instances::{Listing, listings};
use super::join::ReasonerLimits;
use super::model::{Failure, Model};
use super::relaxed::relaxed;
use super::watch::WorkWatch;
use crate::gdl::check::{NegativeCycle, negative_cycles};
use crate::gdl::{Finding, Findings, Rules};
use crate::terms::{TermId, Terms};

/// What judging may take; a sheet that needs more is let through and judged while it is played.
const LIMITS: ReasonerLimits =
    ReasonerLimits { facts: 1_000_000, bytes: 256 << 20, work: 30_000_000 };

/// What all suspects together may take.
const ALL_WORK: u64 = 2 * LIMITS.work;

/// Sentences and dependences between them that are looked at for one suspect.
const MAX_GRAPH: usize = 1_000_000;

/// The watch is asked once for this many instances of a rule.
const WATCH_EVERY: usize = 1 << 12;

type GroundSentence = (RelationId, Vec<TermId>);

/// An error for each suspect that has a cycle, a warning for each that could not be judged. Where
/// the watch says no, none of the others is judged.
pub(super) fn judge(rules: &Rules, watch: &WorkWatch) -> Vec<Finding> {
    let suspects = negative_cycles(rules);
    if suspects.is_empty() {
        return Vec::new();
    }
    let mut terms = Terms::default();
    let (clauses, mut relations) = clauses(rules, &mut terms);
    let suspected: FxHashSet<usize> =
        suspects.iter().flat_map(|suspect| suspect.rules.iter().copied()).collect();
    let listings = listings(&clauses, &suspected, &mut relations);
    let relaxed = relaxed(clauses.clone(), &listings, &relations);
    let mut judge = Judge {
        clauses: &clauses,
        listings: &listings,
        model: Model::new(relaxed, relations, LIMITS, watch.clone()),
        watch,
        work: 0,
    };
    let mut findings = Findings::default();
    for suspect in &suspects {
        match judge.cycle(suspect, &mut terms) {
            Some(None) => {}
            Some(Some((relation, args))) => {
                let args = args.iter().map(|&arg| terms.text(arg, &|s| rules.symbols.spelling(s)));
                let name = rules.symbols.spelling(judge.model.relations[relation].0).to_string();
                findings.push(unstratified(suspect, name, args.collect()));
            }
            None => findings.push(undecided(suspect)),
        }
    }
    findings.into_sorted()
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

struct Judge<'a> {
    clauses: &'a [Clause],
    listings: &'a FxHashMap<usize, Option<Vec<Listing>>>,
    model: Model,
    watch: &'a WorkWatch,
    /// Steps taken for graphs.
    work: u64,
}

impl Judge<'_> {
    /// A sentence in a cycle through negation, if there is one; `None` if that took too long.
    fn cycle(
        &mut self,
        suspect: &NegativeCycle,
        terms: &mut Terms,
    ) -> Option<Option<GroundSentence>> {
        let heads: FxHashSet<RelationId> =
            suspect.rules.iter().map(|&rule| self.clauses[rule].head.relation).collect();
        let mut graph = SentenceGraph::new(self.watch);
        for rule in &suspect.rules {
            for listing in self.listings.get(rule)?.as_ref()? {
                if self.work + self.model.work_before + self.model.work > ALL_WORK {
                    return None;
                }
                match self.model.ask(listing.relation, terms) {
                    Ok(facts) => self.work += graph.add(listing, facts, &heads, terms)?,
                    Err(Failure::Undefined { relation, row, .. }) => {
                        return Some(Some((relation, row)));
                    }
                    Err(Failure::Overrun { .. }) => return None,
                }
            }
        }
        Some(negative_component(&graph.graph))
    }
}

/// An edge from each sentence to those it follows from, with whether that is negated.
struct SentenceGraph<'w> {
    watch: &'w WorkWatch,
    graph: DiGraph<GroundSentence, bool>,
    nodes: FxHashMap<GroundSentence, NodeIndex>,
}

impl<'w> SentenceGraph<'w> {
    fn new(watch: &'w WorkWatch) -> Self {
        SentenceGraph { watch, graph: DiGraph::new(), nodes: FxHashMap::default() }
    }

    /// Adds the instances of a rule. Returns the work it was, or `None` where it is too much, or was
    /// stopped.
    fn add(
        &mut self,
        listing: &Listing,
        facts: &Facts,
        heads: &FxHashSet<RelationId>,
        terms: &mut Terms,
    ) -> Option<u64> {
        for (number, row) in facts.rows().enumerate() {
            let values = listing.values(row);
            let head = self.node(&listing.head, &values, terms)?;
            for condition in &listing.body {
                let ClauseCondition::Fact { sentence, negated } = condition else { continue };
                if heads.contains(&sentence.relation) {
                    let body = self.node(sentence, &values, terms)?;
                    self.graph.add_edge(head, body, *negated);
                }
            }
            let is_too_large = self.graph.node_count() + self.graph.edge_count() > MAX_GRAPH;
            if is_too_large || number.is_multiple_of(WATCH_EVERY) && !self.watch.may_go_on() {
                return None;
            }
        }
        Some(facts.len() as u64 * (1 + listing.body.len() as u64))
    }

    fn node(
        &mut self,
        sentence: &Sentence,
        values: &[TermId],
        terms: &mut Terms,
    ) -> Option<NodeIndex> {
        let args: Option<Vec<TermId>> =
            sentence.args.iter().map(|arg| instance(arg, values, terms)).collect();
        let ground = (sentence.relation, args?);
        if let Some(&known) = self.nodes.get(&ground) {
            return Some(known);
        }
        let node = self.graph.add_node(ground.clone());
        self.nodes.insert(ground, node);
        Some(node)
    }
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

fn instance(pattern: &Pattern, values: &[TermId], terms: &mut Terms) -> Option<TermId> {
    match pattern {
        Pattern::Slot(slot) => values.get(*slot).copied(),
        Pattern::Ground(term) => Some(*term),
        Pattern::Function(name, args) => {
            let args: Option<Vec<TermId>> =
                args.iter().map(|arg| instance(arg, values, terms)).collect();
            terms.intern(*name, &args?).ok()
        }
    }
}
