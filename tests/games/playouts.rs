//! Every random game ends, and with one goal value for each role.

use ludens::playouts::play;
use rayon::prelude::*;

use crate::sheet::{Sheet, sheets};

/// Random games of a sheet, fewer where its circuit is large.
const GAMES: u64 = 1000;

/// So many gates are computed for a sheet, about; a gate computes 64 games at once.
const GATES: u64 = 300_000_000;

/// Games of no sheet are longer.
const MAX_STEPS: u64 = 2000;

#[test]
fn random_games_end_with_one_goal_for_each_role() {
    let complaints: Vec<String> =
        sheets().par_iter().with_max_len(1).filter_map(complaint).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn complaint(sheet: &Sheet) -> Option<String> {
    let gates = sheet.circuit.network.len() as u64;
    // How long games last is known once some were played.
    let first = play(&sheet.circuit, 64, 1, MAX_STEPS);
    let result = first.and_then(|played| {
        let work = gates * played.steps / 64;
        let rest = (GATES * 64 / work.max(1)).min(GAMES - 64);
        play(&sheet.circuit, rest, 2, MAX_STEPS)
    });
    result.err().map(|error| format!("{}: {error}", sheet.name))
}
