//! Bad sheets and what is said about them: `reject/NAME.kif` and `reject/NAME.txt`.
//!
//! `UPDATE_GOLDEN=1` rewrites the texts; read them before you commit them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use propnet::gdl::Source;
use propnet::gdl::check::examine;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reject");

#[test]
fn findings_read_as_expected() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut differing = Vec::new();
    for path in sheets() {
        let bytes = std::fs::read(&path).expect("a sheet");
        let name = format!("{}.kif", crate::common::stem(&path));
        let (rules, findings) = examine(Source::from_bytes(name, &bytes));
        let rendered: Vec<_> = findings.iter().map(|found| found.render(&rules.source)).collect();
        let text = rendered.join("\n");
        let golden = path.with_extension("txt");
        if update {
            std::fs::write(&golden, &text).expect("the golden file can be written");
        } else if std::fs::read_to_string(&golden).ok().as_deref() != Some(&text) {
            differing.push(format!("{}:\n{text}", golden.display()));
        }
    }
    assert!(differing.is_empty(), "set UPDATE_GOLDEN=1 to accept\n{}", differing.join("\n"));
}

/// Every kind of finding that this layer can make has a sheet that shows it.
#[test]
fn every_code_is_shown() {
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for path in sheets() {
        let bytes = std::fs::read(&path).expect("a sheet");
        shown.extend(examine(Source::from_bytes("s", &bytes)).1.iter().map(|found| found.code));
    }
    let expected: BTreeSet<&str> = CODES.iter().copied().collect();
    assert_eq!(shown, expected);
}

/// Save `too-large`, which takes a sheet of many megabytes.
const CODES: &[&str] = &[
    "and-literal",
    "arity-clash",
    "bad-character",
    "bad-head",
    "bad-literal",
    "bad-sentence",
    "dependence",
    "duplicate",
    "empty-rule",
    "function-arities",
    "goal-value",
    "missing-parenthesis",
    "nested-rule",
    "never-true",
    "no-goal",
    "no-goal-for-role",
    "no-init",
    "no-legal",
    "no-legal-for-role",
    "no-role",
    "no-terminal",
    "not-a-role",
    "not-in-base",
    "not-in-input",
    "not-supported",
    "random-role",
    "recursion",
    "several-arities",
    "surplus-parenthesis",
    "too-complex",
    "too-deep",
    "true-fact",
    "unsafe-variable",
    "unused",
    "word-arity",
    "word-in-body",
];

fn sheets() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(Path::new(FOLDER))
        .expect("the folder of bad sheets")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    paths.sort();
    paths
}
