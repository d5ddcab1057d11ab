//! Relations that nothing defines, and relations that nothing needs.

use rustc_hash::FxHashSet;

use super::relations::RelationGraph;
use super::{quote, words};
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::Rules;
use crate::gdl::symbols::{Symbol, word};

pub(super) fn check(rules: &Rules, relations: &RelationGraph, findings: &mut Findings) {
    let defined: FxHashSet<Symbol> = rules.rules.iter().map(|rule| rule.head.relation).collect();
    // Used with a number of arguments that nothing defines: an arity clash, reported as such.
    let clashing: FxHashSet<Symbol> = relations
        .iter()
        .filter(|(.., relation)| relation.rules.is_empty())
        .map(|(_, (name, _), _)| name)
        .collect();
    for (_, (name, arity), relation) in relations.iter() {
        match (relation.first_use, relation.rules.first()) {
            (Some(atom), None) if !given(name) && !defined.contains(&name) => {
                let relation = quote::relation(rules, name, arity);
                let message = format!("{relation} is never true: no rule or fact concludes it");
                let spelling = |&name: &Symbol| rules.symbols.spelling(name);
                let names = [word::TRUE, word::DOES].iter().chain(&defined).map(spelling);
                let close = match findings.has_room("never-true") {
                    true => quote::close_to(spelling(&name), names),
                    false => None,
                };
                let help = match close {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => "mend the name, or add a rule or fact for it".to_string(),
                };
                findings.push(Finding::warning("never-true", atom.span, message).help(help));
            }
            (_, Some(&first)) if !relation.used_elsewhere && !words::is_word(name) => {
                if is_connective(name) || clashing.contains(&name) {
                    continue; // reported elsewhere
                }
                let by_itself =
                    if relation.first_use.is_some() { " outside its own rules" } else { "" };
                let relation = quote::relation(rules, name, arity);
                let message = format!("{relation} is used by no rule{by_itself}");
                findings.push(
                    Finding::warning("unused", rules.rules[first].head.span, message)
                        .help("remove its rules, or use it"),
                );
            }
            _ => {}
        }
    }
}

/// What comes from the players and the state, or is reported when it is missing altogether.
fn given(name: Symbol) -> bool {
    matches!(name, word::TRUE | word::DOES | word::ROLE | word::LEGAL | word::TERMINAL | word::GOAL)
}

fn is_connective(name: Symbol) -> bool {
    matches!(name, word::NOT | word::OR | word::AND | word::DISTINCT | word::IF)
}
