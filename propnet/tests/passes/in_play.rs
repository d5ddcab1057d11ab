//! What must be true of circuits and their passes in random play, on any sheet.

use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{Circuit, CircuitGame, Exclusive, build};
use propnet::game::{Game, Move, State};
use propnet::gdl::Source;
use propnet::ground::{Limits, NoWatch, Options, ground};
use propnet::reference;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::support::same_in_play;

/// The circuit after some passes.
pub(crate) fn after(circuit: &Circuit, passes: &[Pass]) -> Circuit {
    let run = |circuit: Circuit, pass: &Pass| pass.run(&circuit, &Params::default()).0;
    passes.iter().fold(circuit.clone(), run)
}

/// The circuit of a sheet, if it is not refused and no larger than that.
pub(crate) fn circuit(text: &str, rules: u64) -> Option<Circuit> {
    let sheet = reference::load(Source::from_text("s", text)).ok()?;
    let limits = Limits { facts: 10 * rules, rules, bytes: 1 << 28 };
    let grounding = ground(&sheet, &Options::default(), limits, &mut NoWatch).ok()?;
    build(&grounding.rules).ok()
}

/// All passes together, and each of them alone, keep what a circuit says.
pub(crate) fn check_passes(name: &str, circuit: &Circuit, steps: usize) {
    for pass in Pass::ALL {
        let same = same_in_play(circuit, &after(circuit, &[*pass]), 1, steps);
        assert_eq!(same, Ok(()), "{name}, {}", pass.name());
    }
    let same = same_in_play(circuit, &after(circuit, Pass::ALL), 2, steps);
    assert_eq!(same, Ok(()), "{name}, all passes");
}

/// Plays circuits as they were before any pass, and looks at which moves are legal together. Sheets
/// that ground to more than 1,000 rules are left out.
pub(crate) fn check_claims(sheets: Vec<(String, Vec<u8>)>) {
    let mut shared = 0;
    for (name, bytes) in sheets {
        let Some(plain) = circuit(&String::from_utf8_lossy(&bytes), 1_000) else { continue };
        let circuit = after(&plain, &[Pass::Groups, Pass::Equal]);
        let exclusive = Exclusive::new(&circuit);
        let roles: Vec<usize> = (0..circuit.moves.len()).collect();
        let leaves = exclusive.shared_leaves(&roles);
        shared += leaves.iter().any(|class| class.len() > 1) as u32;
        for (state, legal) in states(plain, 60) {
            let wrong = leaves.iter().find(|class| {
                let is_legal = |&&(role, at): &&(usize, usize)| {
                    legal[role].iter().any(|chosen| chosen.index() == at)
                };
                class.iter().filter(is_legal).count() > 1
            });
            assert_eq!(wrong, None, "{name}, {state:?}");
        }
    }
    assert!(shared > 3, "only {shared} games have moves that share a place");
}

/// States of random play and what is legal in them, by role.
fn states(circuit: Circuit, count: usize) -> Vec<(State, Vec<Vec<Move>>)> {
    let mut rng = Pcg64Mcg::seed_from_u64(77);
    let mut game = CircuitGame::new(circuit);
    let first = game.initial_state().expect("a state");
    let mut states = Vec::new();
    let mut state = first.clone();
    while states.len() < count {
        let legal: Vec<Vec<Move>> = (0..game.roles().len())
            .map(|role| game.legal_moves(&state, role).map_or(vec![], |all| all.iter().collect()))
            .collect();
        let is_over = game.is_terminal(&state) == Ok(true) || legal.iter().any(Vec::is_empty);
        let mut one = |legal: &Vec<Move>| legal[rng.random_range(0..legal.len())];
        let next = match is_over {
            true => first.clone(),
            false => {
                let joint: Vec<Move> = legal.iter().map(&mut one).collect();
                game.next_state(&state, &joint).expect("a legal move")
            }
        };
        states.push((std::mem::replace(&mut state, next), legal));
    }
    states
}
