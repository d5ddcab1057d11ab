//! The counts of `games/perft.json`: a few states on the reference reasoner, more on the circuit.

use std::collections::BTreeMap;

use ludens::perft::{Counter, Level, Perft};
use propnet::game::Game;
use propnet::reference::Reasoner;
use rayon::prelude::*;

use super::sheet::{Sheet, is_restricted, sheets};
use crate::support;

/// The reference reasoner counts levels until so many joint moves were made. The first level is
/// always counted.
const REFERENCE_MOVES: u128 = 300;

/// The same for the circuit, weighed by its size: so many gates are computed.
const CIRCUIT_GATES: u128 = 400_000_000;

#[test]
fn counts_agree() {
    let counts: BTreeMap<String, Vec<Level>> =
        support::counts(&support::root().join("games/perft.json")).into_iter().collect();
    for name in counts.keys().filter(|_| !is_restricted()) {
        assert!(sheets().iter().any(|sheet| sheet.name == *name), "{name} has counts but no sheet");
    }
    let missing: Vec<&str> = sheets()
        .iter()
        .map(|sheet| sheet.name.as_str())
        .filter(|&name| counts.get(name).is_none_or(Vec::is_empty))
        .collect();
    assert!(missing.is_empty(), "games/perft.json has no counts of {}", missing.join(", "));
    let complaints: Vec<String> = sheets()
        .par_iter()
        .with_max_len(1)
        .flat_map(|sheet| disagreements(sheet, &counts[&sheet.name]))
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn disagreements(sheet: &Sheet, levels: &[Level]) -> Vec<String> {
    let gates = sheet.circuit.network.len() as u128;
    let on_reference = compare(&mut Reasoner::new(&sheet.rules), levels, REFERENCE_MOVES);
    let on_circuit = compare(&mut sheet.game(), levels, CIRCUIT_GATES / gates.max(1));
    let complaint = |engine: &str, result: Result<(), String>| {
        result.err().map(|error| format!("{}, {engine}: {error}", sheet.name))
    };
    [complaint("reference", on_reference), complaint("circuit", on_circuit)]
        .into_iter()
        .flatten()
        .collect()
}

/// Counts as many levels as can be counted with about `moves` joint moves.
fn compare(game: &mut dyn Game, expected: &[Level], moves: u128) -> Result<(), String> {
    let start = game.initial_state().map_err(|error| error.to_string())?;
    let (mut perft, _) = Perft::new(game, start, 0).map_err(|error| error.to_string())?;
    let mut made = 0;
    let mut states_before = 1;
    let mut paths_before = 1;
    for level in expected {
        // The joint moves of a level: those of a path, times the states to be played on from.
        made += (level.paths / paths_before).max(1) * states_before;
        if made > moves && level.depth > 1 {
            return Ok(());
        }
        states_before = u128::from(level.states - level.terminal_states);
        paths_before = (level.paths - level.terminal_paths).max(1);
        let mut wanted = level.clone();
        // The file has no entry for goals that are missing.
        wanted.goal_errors = vec![0; wanted.goal_sums.len()];
        let found = perft.next_level().map_err(|error| error.to_string())?;
        if found.as_ref() != Some(&wanted) {
            return Err(format!("depth {}:\n  found {found:?}\n  not   {wanted:?}", wanted.depth));
        }
    }
    Ok(())
}
