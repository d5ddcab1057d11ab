//! The facts of relations that depend on neither the state nor a move, such as which cells touch.
//! They hold in every state.

use std::collections::{BTreeMap, BTreeSet};

use propnet::game::Game;
use propnet::gdl::{Rules, Source, Symbol, word};
use propnet::reference::{Reasoner, ReasonerLimits, load};

use super::sentence::Sentence;

/// Relations with more arguments say nothing about two cells.
const MAX_ARGS: usize = 6;

/// The limits for finding the facts. A sheet that exceeds them is drawn without the facts.
const LIMITS: ReasonerLimits = ReasonerLimits { facts: 200_000, bytes: 64 << 20, work: 20_000_000 };

/// The prefix of the sentences that ask for a relation.
const ASKED: &str = "asked_for_";

/// The facts of the relations that rules define without reading a state or a move.
///
/// The reasoner only answers questions about states, so the sheet gets an initial state that
/// contains all of these facts.
pub(super) fn static_facts(rules: &Rules) -> Vec<Sentence> {
    let mut text = rules.source.text().to_string();
    for (relation, arity) in static_relations(rules) {
        let name = rules.symbols.name(relation);
        let variables: String = (0..arity).map(|at| format!(" ?x{at}")).collect();
        text.push_str(&format!("\n(<= (init ({ASKED}{name}{variables})) ({name}{variables}))"));
    }
    let Ok(rules) = load(Source::from_text("sheet", &text)) else { return Vec::new() };
    let mut reasoner = Reasoner::with_limits(&rules, LIMITS);
    let Ok(state) = reasoner.initial_state() else { return Vec::new() };
    let Ok(sentences) = reasoner.sentences(&state) else { return Vec::new() };
    let facts = sentences.iter().map(|text| Sentence::read(text)).filter_map(|sentence| {
        let name = sentence.name.strip_prefix(ASKED)?.to_string();
        Some(Sentence { name, ..sentence })
    });
    facts.collect()
}

/// The relations that rules define without reading a state or a move, and their arguments.
fn static_relations(rules: &Rules) -> BTreeSet<(Symbol, usize)> {
    let changing = changing_relations(rules);
    let defined = rules.rules.iter().filter(|rule| !rule.body.is_empty());
    let heads = defined.map(|rule| (rule.head.relation, rule.head.args.len()));
    heads
        .filter(|&(relation, arity)| {
            let is_own = !word::is_word(relation) && !changing.contains(&relation);
            is_own && (2..=MAX_ARGS).contains(&arity)
        })
        .collect()
}

/// The relations that depend on the state or on moves, by name.
fn changing_relations(rules: &Rules) -> BTreeSet<Symbol> {
    let mut readers: BTreeMap<Symbol, Vec<Symbol>> = BTreeMap::new();
    for rule in &rules.rules {
        for literal in &rule.body {
            literal.for_each_atom(false, &mut |atom, _| {
                readers.entry(atom.relation).or_default().push(rule.head.relation);
            });
        }
    }
    let mut changing = BTreeSet::new();
    let mut todo = vec![word::TRUE, word::DOES];
    while let Some(relation) = todo.pop() {
        if changing.insert(relation) {
            todo.extend(readers.get(&relation).into_iter().flatten());
        }
    }
    changing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_follow_from_facts_alone() {
        let sheet = "
            (role a) (init (at 1)) (succ 1 2) (succ 2 3) (legal a go)
            (<= (Beside ?x ?y) (succ ?x ?y))
            (<= (beside ?x ?y) (succ ?y ?x))
            (<= (reached ?x ?y) (true (at ?x)) (beside ?x ?y))
            (<= (far ?x ?y) (reached ?x ?y))
            (<= (next (at ?y)) (reached ?x ?y))
            (<= terminal (true (at 3))) (goal a 0)";
        let rules = load(Source::from_text("sheet", sheet)).expect("rules");
        let facts = static_facts(&rules);
        let texts: Vec<String> =
            facts.iter().map(|fact| format!("{} {}", fact.name, fact.args.join(" "))).collect();
        assert_eq!(texts, ["beside 1 2", "beside 2 1", "beside 2 3", "beside 3 2"]);
    }
}
