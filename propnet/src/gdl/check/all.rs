//! All checks in a row.

use super::relations::RelationGraph;
use super::{
    arity, connectives, declared, dependence, duplicates, functions, goals, heads, presence,
    recursion, roles, safety, size, unused, words,
};
use crate::gdl::finding::Finding;
use crate::gdl::findings::Findings;
use crate::gdl::parse::parse_into;
use crate::gdl::rules::Rules;
use crate::gdl::source::Source;

/// Everything that can be said about a sheet without evaluating it: first what concerns the
/// sheet as a whole, then by place. Negation through recursion is left to [`negative_cycles`].
///
/// [`negative_cycles`]: super::negative_cycles
pub fn check(rules: &Rules) -> Vec<Finding> {
    let mut findings = Findings::default();
    check_each_rule(rules, &mut findings);
    check_together(rules, &mut findings);
    findings.into_sorted()
}

/// Parses and checks. Where a part of the text could not be read, the checks that need the whole
/// sheet are left out: they would complain that what was not read is missing.
pub fn examine(source: Source) -> (Rules, Vec<Finding>) {
    let mut findings = Findings::default();
    let rules = parse_into(source, &mut findings);
    let whole = !findings.has_errors();
    check_each_rule(&rules, &mut findings);
    if whole {
        check_together(&rules, &mut findings);
    }
    (rules, findings.into_sorted())
}

/// What can be said about each rule by itself.
fn check_each_rule(rules: &Rules, findings: &mut Findings) {
    heads::check(rules, findings);
    words::check(rules, findings);
    safety::check(rules, findings);
    size::check(rules, findings);
    connectives::check(rules, findings);
    goals::check_values(rules, findings);
}

/// What depends on several rules.
fn check_together(rules: &Rules, findings: &mut Findings) {
    presence::check(rules, findings);
    roles::check(rules, findings);
    duplicates::check(rules, findings);
    declared::check(rules, findings);
    functions::check(rules, findings);
    let relations = RelationGraph::new(rules);
    arity::check(rules, &relations, findings);
    unused::check(rules, &relations, findings);
    dependence::check(rules, &relations, findings);
    recursion::check(rules, &relations, findings);
}
