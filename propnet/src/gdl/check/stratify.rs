//! Negation through recursion: the rules that could be at fault.
//!
//! A sheet has a clear meaning if no sentence depends on its own negation. Relation by relation
//! this is easy to see but too strict: `(goal a 50)` may well depend on `(not (goal a 100))`.
//! So the relations only select rules to look at; rule by rule, a body atom leads only to the
//! heads it unifies with. What is left are suspects, to be judged by their ground instances.
//!
//! Stratification: Apt, Blair and Walker 1988.

use indexmap::IndexMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::relations::RelationGraph;
use super::unify::may_unify;
use crate::gdl::rules::{Atom, Rule, Rules, Term, TermKind};
use crate::gdl::source::Span;
use crate::gdl::symbols::Symbol;

/// Rules in a cycle through `not`.
#[derive(Clone, Debug)]
pub struct NegativeCycle {
    /// The rules of the cycle, by index, ascending.
    pub rules: Vec<usize>,
    /// The relations these rules conclude, in the order of the rules.
    pub relations: Vec<Symbol>,
    /// The first literal of these rules that is negated and leads back into the cycle; of
    /// `(not LITERAL)` the part inside.
    pub negated: Span,
}

/// The largest group of rules that is looked at rule by rule; a larger one is a suspect whole.
const MAX_GROUP: usize = 5_000;

/// The work that comparing atoms with heads may take in all, in steps of unification. Groups
/// that come after are suspects whole.
const MAX_STEPS: usize = 10_000_000;

/// The suspects, in the order of their first rules. If there are none, negation is stratified.
pub fn negative_cycles(rules: &Rules) -> Vec<NegativeCycle> {
    let relations = RelationGraph::new(rules);
    let mut groups: IndexMap<usize, InnerRules, FxBuildHasher> = IndexMap::default();
    for (index, rule) in rules.rules.iter().enumerate().filter(|(_, rule)| !rule.body.is_empty()) {
        let Some(head) = relations.id(&rule.head) else { continue };
        let mut inside = false;
        let mut negated = None;
        for_each_inside(rule, head, &relations, &mut |atom, is_negated| {
            inside = true;
            if is_negated {
                negated.get_or_insert(atom.span);
            }
        });
        // A rule without such an atom ends every path, so no cycle goes through it.
        if inside {
            let group = groups.entry(relations.component(head)).or_default();
            group.rules.push(index);
            group.negated = group.negated.or(negated);
        }
    }
    let mut found: Vec<NegativeCycle> = Vec::new();
    let mut budget = MAX_STEPS;
    for group in groups.into_values() {
        let Some(negated) = group.negated else { continue };
        match refine(rules, &relations, &group.rules, &mut budget) {
            Some(cycles) => found.extend(cycles),
            None => found.push(cycle(rules, group.rules, negated)),
        }
    }
    found.sort_by_key(|cycle| cycle.rules.first().copied());
    found
}

/// The rules of one component that have an atom of the component in the body.
#[derive(Default)]
struct InnerRules {
    rules: Vec<usize>,
    negated: Option<Span>,
}

fn for_each_inside<'a>(
    rule: &'a Rule,
    head: usize,
    relations: &RelationGraph<'_>,
    visit: &mut dyn FnMut(&'a Atom, bool),
) {
    for literal in &rule.body {
        literal.for_each_atom(false, &mut |atom, negated| {
            if relations.id(atom).is_some_and(|id| relations.in_cycle(head, id)) {
                visit(atom, negated);
            }
        });
    }
}

/// The cycles through `not` among the rules of a group; `None` where there is too much to look at.
fn refine(
    rules: &Rules,
    relations: &RelationGraph,
    group: &[usize],
    budget: &mut usize,
) -> Option<Vec<NegativeCycle>> {
    if group.len() > MAX_GROUP {
        return None;
    }
    let heads = Heads::new(rules, group);
    let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(group.len(), group.len());
    for _ in group {
        graph.add_node(());
    }
    let mut negative: Vec<(usize, usize, Span)> = Vec::new();
    for (from, &index) in group.iter().enumerate() {
        let rule = &rules.rules[index];
        let Some(head) = relations.id(&rule.head) else { continue };
        for_each_inside(rule, head, relations, &mut |atom, negated| {
            for &to in heads.like(atom).into_iter().flatten() {
                if *budget == 0 {
                    return;
                }
                if may_unify(&atom.args, &rules.rules[group[to]].head.args, budget) {
                    graph.add_edge((from as u32).into(), (to as u32).into(), ());
                    if negated {
                        negative.push((from, to, atom.span));
                    }
                }
            }
        });
        if *budget == 0 {
            return None;
        }
    }
    let components = kosaraju_scc(&graph);
    let mut component = vec![0; group.len()];
    for (number, members) in components.iter().enumerate() {
        for member in members {
            component[member.index()] = number;
        }
    }
    // The first negative edge of each component, in the order of the rules.
    let mut first: IndexMap<usize, Span, FxBuildHasher> = IndexMap::default();
    for (from, to, span) in negative {
        if component[from] == component[to] {
            first.entry(component[from]).or_insert(span);
        }
    }
    let cycles = first.into_iter().map(|(number, span)| {
        let mut members: Vec<usize> =
            components[number].iter().map(|member| group[member.index()]).collect();
        members.sort_unstable();
        cycle(rules, members, span)
    });
    Some(cycles.collect())
}

fn cycle(rules: &Rules, members: Vec<usize>, negated: Span) -> NegativeCycle {
    let mut relations: IndexMap<Symbol, (), FxBuildHasher> = IndexMap::default();
    for &index in &members {
        relations.insert(rules.rules[index].head.relation, ());
    }
    NegativeCycle { relations: relations.into_keys().collect(), rules: members, negated }
}

/// The heads of a group by relation and by what their first argument starts with.
#[derive(Default)]
struct Heads {
    by_first: FxHashMap<(Symbol, Option<Symbol>), Vec<usize>>,
    by_relation: FxHashMap<Symbol, Vec<usize>>,
}

impl Heads {
    fn new(rules: &Rules, group: &[usize]) -> Self {
        let mut heads = Heads::default();
        for (position, &index) in group.iter().enumerate() {
            let head = &rules.rules[index].head;
            let first = (head.relation, head.args.first().and_then(first_symbol));
            heads.by_first.entry(first).or_default().push(position);
            heads.by_relation.entry(head.relation).or_default().push(position);
        }
        heads
    }

    /// The heads that could unify with an atom, in two parts.
    fn like(&self, atom: &Atom) -> [&[usize]; 2] {
        let get = |first| self.by_first.get(&(atom.relation, first)).map_or(&[][..], Vec::as_slice);
        match atom.args.first().and_then(first_symbol) {
            Some(first) => [get(Some(first)), get(None)],
            None => [self.by_relation.get(&atom.relation).map_or(&[][..], Vec::as_slice), &[]],
        }
    }
}

/// The constant or function that a term starts with; `None` for a variable.
fn first_symbol(term: &Term) -> Option<Symbol> {
    match &term.kind {
        TermKind::Variable(_) => None,
        TermKind::Constant(name) | TermKind::Function(name, _) => Some(*name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::{Source, parse};

    /// The suspects of a sheet: the indices of their rules and the negated atom.
    fn check(text: &str, expected: &[(&[usize], &str)]) {
        let (rules, findings) = parse(Source::from_text("s", text));
        assert!(findings.is_empty(), "{findings:?}");
        let found: Vec<_> = negative_cycles(&rules)
            .into_iter()
            .map(|cycle| (cycle.rules, rules.source.slice(cycle.negated).to_string()))
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|(rules, text)| (rules.to_vec(), text.to_string())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_relation_may_use_its_own_negation_with_other_values() {
        check("(<= (goal a 100) w) (<= (goal a 0) (not (goal a 100)))", &[]);
        check("(<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 50)))", &[]);
        check("(<= (goal a 0) (not (goal b 0))) (<= (goal b 0) w)", &[]);
    }

    #[test]
    fn cycles_through_not_are_found() {
        check("(<= p (not p))", &[(&[0], "p")]);
        check("(<= (p ?x) (q ?x) (not (p ?y)) (q ?y))", &[(&[0], "(p ?y)")]);
        check("(<= p q) (<= q (or r (not (and s p)))) (<= s r)", &[(&[0, 1], "p")]);
        check("(<= (p a) (not (p b))) (<= (p b) (p a))", &[(&[0, 1], "(p b)")]);
    }

    #[test]
    fn an_even_number_of_nots_is_harmless() {
        check("(<= p (not (not p)))", &[]);
        check("(<= p (not q)) (<= q (not p))", &[(&[0, 1], "q")]);
    }

    #[test]
    fn only_the_cycle_is_named() {
        check(
            "(<= (p a) (p b)) (<= (p b) (not (p c))) (<= (p c) (p b)) (<= (p d) (not (p a)))",
            &[(&[1, 2], "(p c)")],
        );
    }
}
