//! Their circuits, before and after the optimising passes.

use std::path::Path;

use super::sheets;
use crate::passes::in_play::{check_claims, check_passes, circuit};
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(passes_keep_what_circuits_say);
    trials.with_corpus(claims_of_exclusive_moves_hold_in_play);
}

/// Sheets that ground to more than 3,000 rules are left out: the test is to be quick.
fn passes_keep_what_circuits_say(shared: &Path) {
    let mut checked = 0;
    for (name, bytes) in sheets(shared) {
        if let Some(circuit) = circuit(&String::from_utf8_lossy(&bytes), 3_000) {
            check_passes(&name, &circuit, 20);
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} sheets have a circuit");
}

fn claims_of_exclusive_moves_hold_in_play(shared: &Path) {
    check_claims(sheets(shared));
}
