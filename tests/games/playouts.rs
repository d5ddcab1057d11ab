//! Every random game ends, and with one goal value for each role.

use ludens::playouts::play;
use propnet::game::Game;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
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

/// Whoever stops a game early asks for goals before its end.
#[test]
fn goals_are_defined_in_every_state() {
    sheets().par_iter().with_max_len(1).for_each(|sheet| {
        let mut game = sheet.game();
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        let mut state = game.initial_state().expect("a state");
        loop {
            for role in 0..game.roles().len() {
                let goal = game.goal(&state, role);
                let goal = goal.unwrap_or_else(|error| panic!("{}: {error}", sheet.name));
                assert!((0..=100).contains(&goal), "{}: {goal}", sheet.name);
            }
            if game.is_terminal(&state).expect("an answer") {
                return;
            }
            let joint = game.complete_joint_move(&state, &[], &mut rng).expect("moves");
            state = game.next_state(&state, &joint).expect("a state");
        }
    });
}
