//! Sheets with parts spoiled, and what must be true of whatever is read.

use std::time::{Duration, Instant};

use propnet::gdl::check::{examine, negative_cycles};
use propnet::gdl::{Finding, Source};
use proptest::prelude::*;
use proptest::sample::Index;

/// Reads, checks and shows a sheet within a generous limit of time.
pub(crate) fn survive(bytes: &[u8]) -> Vec<Finding> {
    let start = Instant::now();
    let (rules, findings) = examine(Source::from_bytes("s", bytes));
    let suspects = negative_cycles(&rules);
    assert!(findings.len() < 5_000, "{} findings", findings.len());
    for finding in &findings {
        let shown = finding.render(&rules.source);
        assert!(shown.len() < 20_000, "a finding of {} bytes", shown.len());
    }
    assert!(suspects.iter().all(|cycle| cycle.rules.iter().all(|&at| at < rules.rules.len())));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    findings
}

/// Pieces that sheets are spoiled with.
pub(crate) const PIECES: [&str; 16] = [
    "(",
    ")",
    " ",
    "\n",
    "\r",
    ";",
    "?",
    "?x",
    "<=",
    "(not ",
    "(or ",
    "(distinct ?x ",
    "(sees a b)",
    "\u{e9}",
    "\u{0}",
    "(<= (role ?x) ",
];

/// Replaces stretches of the text by pieces or by other stretches of it.
pub(crate) fn spoil(text: &[u8], edits: &[(Index, u8, Index, bool)]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for (at, length, other, copy) in edits {
        if bytes.is_empty() {
            break;
        }
        let start = at.index(bytes.len());
        let end = (start + usize::from(*length) / 16).min(bytes.len());
        let new = if *copy {
            let from = other.index(bytes.len());
            bytes[from..(from + usize::from(*length)).min(bytes.len())].to_vec()
        } else {
            PIECES[other.index(PIECES.len())].as_bytes().to_vec()
        };
        bytes.splice(start..end, new);
    }
    bytes
}

pub(crate) fn edits() -> impl Strategy<Value = Vec<(Index, u8, Index, bool)>> {
    prop::collection::vec(any::<(Index, u8, Index, bool)>(), 1..12)
}
