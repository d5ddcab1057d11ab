//! Weights of a few bits against exact Gibbs sampling, in states of real playouts.

use ludens::search::{Budget, Search, quantise, sampling_distance};
use propnet::game::{Move, MoveSet};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::games::{Prepared, on_one_thread};
use crate::support::note;

/// What moves never seen count as.
const UNSEEN: f64 = 100.0;

/// Distances by number of bits, added up over choices.
struct Distances {
    bits: Vec<usize>,
    sums: Vec<f64>,
    worst: Vec<f64>,
    choices: f64,
}

impl Distances {
    fn new(bits: &[usize]) -> Self {
        let (sums, worst) = (vec![0.0; bits.len()], vec![0.0; bits.len()]);
        Distances { bits: bits.to_vec(), sums, worst, choices: 0.0 }
    }

    fn add(&mut self, averages: &[Option<f64>], legal: &[usize], tau: f64) {
        self.choices += 1.0;
        for (at, &bits) in self.bits.iter().enumerate() {
            let distance = sampling_distance(averages, UNSEEN, legal, tau, bits);
            self.sums[at] += distance;
            self.worst[at] = self.worst[at].max(distance);
        }
    }

    /// The mean and the worst.
    fn found(&self) -> Vec<(f64, f64)> {
        let means = self.sums.iter().map(|sum| sum / self.choices.max(1.0));
        means.zip(self.worst.iter().copied()).collect()
    }

    fn text(&self) -> String {
        let figures = self.bits.iter().zip(self.found());
        let figures = figures.map(|(bits, (mean, worst))| format!("{bits}: {mean:.4}/{worst:.3}"));
        figures.collect::<Vec<_>>().join(", ")
    }

    /// Adds the choices of playouts by what a search has learned.
    fn of_playouts(&mut self, search: &mut Search, playouts: usize, rng: &mut Pcg64) {
        let tau = search.settings().get("tau").and_then(|tau| tau.parse().ok()).expect("a number");
        let roles = search.game().roles().len();
        let averages: Vec<Vec<Option<f64>>> =
            (0..roles).map(|role| search.policy_values(role).expect("a policy")).collect();
        for _ in 0..playouts {
            let mut state = search.state().clone();
            while !search.game().is_terminal(&state).expect("an answer") {
                let mut joint: Vec<Move> = Vec::new();
                for (role, averages) in averages.iter().enumerate() {
                    let legal = search.game().legal_moves(&state, role).expect("moves");
                    let places: Vec<usize> = legal.iter().map(Move::index).collect();
                    if places.len() > 1 {
                        self.add(averages, &places, tau);
                    }
                    joint.push(likely(averages, &legal, tau, rng));
                }
                state = search.game().next_state(&state, &joint).expect("a state");
            }
        }
    }
}

fn search_of(name: &str) -> Search {
    let prepared = Prepared::named(name);
    let settings = on_one_thread("mast");
    Search::new(&prepared.lanes(&settings), &settings, 1).expect("a search")
}

/// A legal move as playouts choose it.
fn likely(averages: &[Option<f64>], legal: &MoveSet, tau: f64, rng: &mut Pcg64) -> Move {
    let weights = quantise(averages, UNSEEN, tau, 16);
    let sum: u32 = legal.iter().map(|chosen| weights[chosen.index()]).sum();
    let mut left = rng.random_range(0..sum);
    let chosen = legal.iter().find(|chosen| match left.checked_sub(weights[chosen.index()]) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    chosen.expect("a rank below the sum")
}

/// The bits of weights where nobody says otherwise.
fn usual_bits() -> usize {
    let bits = on_one_thread("mast").get("weight_bits");
    bits.and_then(|bits| bits.parse().ok()).expect("a number")
}

/// The figures by which bits were chosen, after few and many simulations.
#[test]
fn the_usual_bits_are_close_to_exact_sampling() {
    let usual = usual_bits();
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
            let mut search = search_of(name);
            search.run(&Budget::simulations(simulations)).expect("a report");
            let mut distances = Distances::new(&bits);
            distances.of_playouts(&mut search, 20, &mut Pcg64::seed_from_u64(6));
            note(&format!("{name} after {simulations}, mean/worst: {}", distances.text()));
            let found = distances.found();
            let (mean, worst) = found[4];
            assert!(mean < 0.03 && worst < most, "{name} after {simulations}: {mean}, {worst}");
            assert!(found[0].0 > mean, "more bits are closer");
        }
    }
}

/// The same in games that are going to be lost by one side, which then has low averages only.
#[test]
fn the_side_that_loses_has_weights_that_tell_moves_apart() {
    let usual = usual_bits();
    for name in ["breakthrough", "othello", "connect_four", "skirmish"] {
        let mut search = search_of(name);
        let mut rng = Pcg64::seed_from_u64(6);
        let mut distances = Distances::new(&[4, 8, usual, 16]);
        for step in 0..60 {
            if search.is_over() {
                break;
            }
            search.run(&Budget::simulations(1000)).expect("a report");
            if step % 6 == 5 {
                distances.of_playouts(&mut search, 10, &mut rng);
            }
            // The first role plays well, the others at random.
            let roles = search.game().roles().len();
            let joint: Vec<Move> = (0..roles)
                .map(|role| {
                    let legal = search.legal_moves(role);
                    let any = legal[rng.random_range(0..legal.len())];
                    if role == 0 { search.best_move(role).expect("a move") } else { any }
                })
                .collect();
            search.advance(&joint).expect("legal moves");
        }
        note(&format!("{name}, one side losing, mean/worst: {}", distances.text()));
        let (mean, worst) = distances.found()[2];
        assert!(mean < 0.03 && worst < 0.1, "{name}: {mean}, {worst}");
    }
}
