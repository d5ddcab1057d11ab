//! Weights of a few bits against exact Gibbs sampling, in states of real playouts.

use ludens::search::{Budget, Search, Strategy, quantise, sampling_distance};
use propnet::game::{Move, MoveSet};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::games::{Prepared, on_one_thread};
use super::support::note;

/// The mean and the worst distance over the states of some games, after so many simulations.
fn distances(name: &str, simulations: u64, bits: &[usize]) -> Vec<(f64, f64)> {
    let prepared = Prepared::named(name);
    let settings = on_one_thread(Strategy::Mast);
    let game = prepared.lanes(&settings);
    let mut search = Search::new(&game, &settings, 1).expect("a search");
    search.run(&Budget::simulations(simulations)).expect("a report");
    let roles = search.game().roles().len();
    let averages: Vec<Vec<f64>> =
        (0..roles).map(|role| search.averages(role).expect("averages")).collect();
    let mut rng = Pcg64::seed_from_u64(6);
    let mut found = vec![(0.0, 0.0f64); bits.len()];
    let mut choices = 0.0;
    for _ in 0..20 {
        let mut state = search.game().initial_state().expect("a state");
        while !search.game().is_terminal(&state).expect("an answer") {
            for (role, averages) in averages.iter().enumerate() {
                let legal: Vec<usize> =
                    search.game().legal_moves(&state, role).expect("moves").iter().collect();
                if legal.len() < 2 {
                    continue;
                }
                choices += 1.0;
                for ((sum, worst), &bits) in found.iter_mut().zip(bits) {
                    let distance = sampling_distance(averages, &legal, settings.tau, bits);
                    *sum += distance;
                    *worst = worst.max(distance);
                }
            }
            let joint: Vec<Move> = (0..roles)
                .map(|role| {
                    let legal = search.game().legal_moves(&state, role).expect("moves");
                    likely(&averages[role], &legal, settings.tau, &mut rng)
                })
                .collect();
            state = search.game().next_state(&state, &joint).expect("a state");
        }
    }
    found.into_iter().map(|(sum, worst)| (sum / choices, worst)).collect()
}

/// A legal move as playouts choose it.
fn likely(averages: &[f64], legal: &MoveSet, tau: f64, rng: &mut Pcg64) -> Move {
    let weights = quantise(averages, tau, 16);
    let sum: u32 = legal.iter().map(|at| weights[at]).sum();
    let mut left = rng.random_range(0..sum);
    let chosen = legal.iter().find(|&at| match left.checked_sub(weights[at]) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    Move(chosen.expect("a rank below the sum") as u32)
}

/// The figures by which bits were chosen, after few and many simulations.
#[test]
fn the_usual_bits_are_close_to_exact_sampling() {
    let usual = on_one_thread(Strategy::Mast).weight_bits;
    let bits = [4, 6, 8, 10, usual, 16];
    // In checkers few moves are as good as won, and where there is none of them, those that are left
    // are so unlikely that their weights are hardly told apart.
    let games = [
        ("connect_four", 0.1),
        ("breakthrough", 0.1),
        ("hex_small", 0.1),
        ("knightthrough", 0.1),
        ("othello", 0.1),
        ("skirmish", 0.1),
        ("checkers", 0.5),
    ];
    for (name, most) in games {
        for simulations in [100, 1000, 10_000] {
            let found = distances(name, simulations, &bits);
            let figures = bits.iter().zip(&found);
            let figures: Vec<String> = figures
                .map(|(bits, (mean, worst))| format!("{bits}: {mean:.4}/{worst:.3}"))
                .collect();
            note(&format!("{name} after {simulations}, mean/worst: {}", figures.join(", ")));
            let (mean, worst) = found[4];
            assert!(mean < 0.03 && worst < most, "{name} after {simulations}: {mean}, {worst}");
            assert!(found[0].0 > mean, "more bits are closer");
        }
    }
}
