//! As text: they parse, are free of errors, and print without loss.

use std::collections::BTreeMap;
use std::path::Path;

use propnet::gdl::check::{examine, negative_cycles};
use propnet::gdl::{Severity, Source, parse, print_rules};

use super::sheets;
use crate::trials::Trials;

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

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(sheets_are_free_of_errors);
    trials.with_corpus(negation_is_stratified_by_argument);
    trials.with_corpus(printed_sheets_read_the_same);
}

fn sheets_are_free_of_errors(shared: &Path) {
    let mut refused: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, bytes) in &sheets(shared) {
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
    assert_eq!(refused, expected);
}

/// Nine of them have a relation that depends on its own negation with other arguments.
fn negation_is_stratified_by_argument(shared: &Path) {
    for (name, bytes) in sheets(shared) {
        let (rules, _) = parse(Source::from_bytes(&name, &bytes));
        assert!(negative_cycles(&rules).is_empty(), "{name}");
    }
}

fn printed_sheets_read_the_same(shared: &Path) {
    for (name, bytes) in sheets(shared) {
        let (rules, findings) = parse(Source::from_bytes(&name, &bytes));
        assert!(findings.is_empty() && !rules.rules.is_empty(), "{name}: {findings:?}");
        let (again, findings) = parse(Source::from_text(&name, &print_rules(&rules)));
        assert!(findings.is_empty() && again.rules == rules.rules, "{name}");
    }
}
