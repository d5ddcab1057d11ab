//! What a fuzzer does with its bytes. The tests do the same with bytes by chance.

use propnet::gdl::check::{examine, negative_cycles};
use propnet::gdl::{Source, print_rules};
use propnet::reference::{self, Reasoner};

use super::agree::{Trace, compare};
use super::choices::Choices;
use super::engines::compare_engines;
use super::make::sheet_of;
use super::mutate::mutate;
use super::sheet::Sheet;
use super::ways::ways;

/// Reads bytes as a sheet, checks it, and plays a step of it if it can be played. Whatever the
/// bytes are, nothing panics.
pub(crate) fn read_sheet(bytes: &[u8]) {
    let (rules, findings) = examine(Source::from_bytes("s", bytes));
    for finding in &findings {
        let _ = finding.render(&rules.source);
    }
    let _ = (negative_cycles(&rules), print_rules(&rules));
    if let Ok(rules) = reference::load(Source::from_bytes("s", bytes)) {
        let _ = Trace::new(&mut Reasoner::new(&rules), 1, 1, 1);
    }
}

/// The sheet that bytes choose: the first says how much recursion it has, and whether something in
/// it is changed.
pub(crate) fn sheet_of_bytes(bytes: &[u8]) -> Sheet {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let (mut sheet, mut choices) = sheet_of(Choices::given(rest, seed_of(bytes)), kind & 1 == 1);
    if kind & 2 == 2 {
        mutate(&mut sheet, &mut choices);
    }
    sheet
}

/// Makes a sheet of bytes, and compares all engines on it by every way of grounding. Whether there
/// was anything to compare.
pub(crate) fn compare_all(bytes: &[u8]) -> bool {
    let text = sheet_of_bytes(bytes).text();
    let seed = seed_of(bytes);
    let ground = match bytes.first().is_some_and(|kind| kind & 2 == 2) {
        // What is changed may build terms without end, which is an error of grounding.
        true => Ok(None),
        false => compare(&text, &ways(seed), seed),
    };
    let engines = ground.and_then(|_| compare_engines(&text, seed));
    engines.unwrap_or_else(|why| panic!("{why}\n\n{text}")).is_some_and(|done| done.steps > 0)
}

/// What decides about all that bytes do not.
pub(crate) fn seed_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |seed: u64, &byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)))
}
