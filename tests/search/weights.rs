//! Weights of a few bits against exact Gibbs sampling, in states of real playouts.

use ludens::search::{Budget, Search, Strategy, sampling_distance};
use rand::SeedableRng;
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
    let averages: Vec<Vec<Option<f64>>> =
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
            let joint = search.game().complete_joint_move(&state, &[], &mut rng);
            state = search.game().next_state(&state, &joint.expect("moves")).expect("a state");
        }
    }
    found.into_iter().map(|(sum, worst)| (sum / choices, worst)).collect()
}

#[test]
fn the_usual_bits_are_close_to_exact_sampling() {
    let usual = on_one_thread(Strategy::Mast).weight_bits;
    for name in ["connect_four", "breakthrough"] {
        let found = distances(name, 4000, &[4, usual]);
        let (mean, worst) = found[1];
        assert!(mean < 0.02 && worst < 0.1, "{name}: mean {mean}, worst {worst}");
        assert!(found[0].0 > mean, "more bits are closer");
    }
}

/// The figures by which bits were chosen; run with `--ignored`.
#[test]
#[ignore = "a measurement"]
fn distances_by_bits() {
    let bits = [4, 5, 6, 7, 8, 10, 12, 16];
    for name in ["connect_four", "breakthrough", "hex_small", "knightthrough", "othello"] {
        if !super::support::root().join(format!("games/{name}.kif")).is_file() {
            continue;
        }
        for simulations in [100, 1000, 10_000] {
            let found = distances(name, simulations, &bits);
            let figures: Vec<String> = bits
                .iter()
                .zip(found)
                .map(|(bits, (mean, worst))| format!("{bits}: {mean:.4}/{worst:.3}"))
                .collect();
            note(&format!("{name} after {simulations}, mean/worst: {}", figures.join(", ")));
        }
    }
}
