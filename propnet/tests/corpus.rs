//! The sheets of the field: they parse, are free of errors, and print without loss.

mod common;

use std::collections::BTreeMap;

use propnet::gdl::check::{examine, negative_cycles};
use propnet::gdl::{Severity, Source, parse, print_rules};

/// The sheets that are refused, with the codes of their errors and the reason.
const REFUSED: &[(&str, &[&str], &str)] = &[
    (
        "dresden_bender_DresdenSinglePlayer1",
        &["unsafe-variable"],
        "two next rules ask (not (does R (M ?a ?b))) with a variable that occurs nowhere else",
    ),
    (
        "dresden_bender_DresdenSinglePlayer2",
        &["unsafe-variable"],
        "four rules leave variables of their heads free, or have them in `distinct` only",
    ),
    (
        "dresden_bender_axioms1",
        &["bad-head", "unsafe-variable"],
        "a `true` rule where `next` is meant, facts such as (gte ?x ?x), and more; it has no trace",
    ),
    (
        "test_case_3f",
        &["unsafe-variable"],
        "(legal ?p ?p) and (goal ?p 0) count on the role place being restricted to roles",
    ),
];

#[test]
fn sheets_are_free_of_errors() {
    let mut refused: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let sheets = common::corpus();
    for (name, bytes) in &sheets {
        let (_, findings) = examine(Source::from_bytes(name, bytes));
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        let mut codes: Vec<&str> = errors.map(|finding| finding.code).collect();
        codes.sort_unstable();
        codes.dedup();
        if !codes.is_empty() {
            refused.insert(name.clone(), codes);
        }
    }
    let expected: BTreeMap<String, Vec<&str>> =
        REFUSED.iter().map(|(name, codes, _)| (name.to_string(), codes.to_vec())).collect();
    assert!(sheets.is_empty() || refused == expected, "{refused:#?}");
}

/// Nine of them have a relation that depends on its own negation with other arguments.
#[test]
fn negation_is_stratified_by_argument() {
    for (name, bytes) in common::corpus() {
        let (rules, _) = parse(Source::from_bytes(&name, &bytes));
        assert!(negative_cycles(&rules).is_empty(), "{name}");
    }
}

#[test]
fn printed_sheets_read_the_same() {
    for (name, bytes) in common::corpus() {
        let (rules, findings) = parse(Source::from_bytes(&name, &bytes));
        assert!(findings.is_empty() && !rules.rules.is_empty(), "{name}: {findings:?}");
        let (again, findings) = parse(Source::from_text(&name, &print_rules(&rules)));
        assert!(findings.is_empty() && again.rules == rules.rules, "{name}");
    }
}
