//! Passes on the circuits of sheets, in play: random sheets and ours.

use super::in_play::{check_passes, circuit};
use crate::common::ours;
use crate::generated::make;

/// How many random sheets are tried.
const SHEETS: u64 = 300;

#[test]
fn random_sheets() {
    let mut checked = 0;
    for seed in 0..SHEETS {
        if let Some(circuit) = circuit(&make::sheet(seed).text(), 4_000) {
            check_passes(&format!("sheet {seed}"), &circuit, 12);
            checked += 1;
        }
    }
    assert!(checked * 3 > SHEETS * 2, "only {checked} sheets have a circuit");
}

#[test]
fn our_sheets() {
    for (name, bytes) in ours() {
        let circuit = circuit(&String::from_utf8_lossy(&bytes), 100_000);
        check_passes(&name, &circuit.expect("our sheets have circuits"), 60);
    }
}
