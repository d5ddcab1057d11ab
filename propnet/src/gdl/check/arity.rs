//! Relations whose number of arguments changes.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::relations::RelationGraph;
use super::{quote, words};
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::rules::Rules;
use crate::gdl::source::Span;
use crate::gdl::symbols::Symbol;

/// The first rule that defines a name, and with how many arguments.
type Defined = IndexMap<Symbol, (usize, Span), FxBuildHasher>;

pub(super) fn check(rules: &Rules, relations: &RelationGraph, findings: &mut Findings) {
    let mut defined = Defined::default();
    for rule in rules.rules.iter().filter(|rule| !words::is_word(rule.head.relation)) {
        let head = &rule.head;
        defined.entry(head.relation).or_insert((head.args.len(), head.span));
    }
    check_uses(rules, relations, &defined, findings);
    check_definitions(rules, relations, &defined, findings);
}

/// A body that names a relation with a number of arguments that no rule concludes, although
/// rules conclude it with another: either could be the mistake.
fn check_uses(
    rules: &Rules,
    relations: &RelationGraph,
    defined: &Defined,
    findings: &mut Findings,
) {
    for (_, (name, arity), relation) in relations.iter() {
        let (Some(atom), []) = (relation.first_use, relation.rules.as_slice()) else { continue };
        let Some(&(known, place)) = defined.get(&name) else { continue };
        let message = format!(
            "{} has {} here, but no rule or fact for it has as many",
            quote::name(rules, name),
            quote::arguments(arity),
        );
        findings.push(
            Finding::error("arity-clash", atom.span, message)
                .related(place, format!("here it has {}", quote::arguments(known)))
                .help("give it the same number of arguments everywhere"),
        );
    }
}

/// Two relations of one name: allowed, but easily a slip.
fn check_definitions(
    rules: &Rules,
    relations: &RelationGraph,
    defined: &Defined,
    findings: &mut Findings,
) {
    for (_, (name, arity), relation) in relations.iter() {
        let (Some(&first), Some(&(known, place))) = (relation.rules.first(), defined.get(&name))
        else {
            continue;
        };
        if arity == known {
            continue;
        }
        let message = format!(
            "{} is defined with {} here and with {} elsewhere",
            quote::name(rules, name),
            quote::arguments(arity),
            quote::arguments(known),
        );
        findings.push(
            Finding::warning("several-arities", rules.rules[first].head.span, message)
                .related(place, "first here")
                .help("they are two relations; give them two names"),
        );
    }
}
