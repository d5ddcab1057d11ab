//! Playout policies that look at the state: how close lanes come to exact choices.

use ludens::search::{Budget, PolicyView, Search};
use propnet::game::Move;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::games::{Prepared, on_one_thread};
use crate::support::note;

/// The games in which distances are measured.
const GAMES: &[&str] =
    &["connect_four", "breakthrough", "knightthrough", "othello", "skirmish", "checkers"];

/// Every policy and mixture, by both ways to choose.
const POLICIES: &[&str] = &[
    "mast:sampling=epsilon",
    "to_mast",
    "past",
    "past:sampling=epsilon",
    "nst",
    "nst:sampling=epsilon",
    "fast",
    "fast:sampling=epsilon",
    "mast+fast",
    "mast+fast:sampling=epsilon",
    "to_mast+fast",
    "past+fast",
    "nst+fast",
];

/// Total-variation distances over the choices of playouts.
#[derive(Default)]
struct Distances {
    sum: f64,
    worst: f64,
    choices: f64,
}

impl Distances {
    fn add(&mut self, exact: &[f64], lanes: &[f64]) {
        let gaps = exact.iter().zip(lanes).map(|(exact, lanes)| (exact - lanes).abs());
        let distance = gaps.sum::<f64>() / 2.0;
        self.sum += distance;
        self.worst = self.worst.max(distance);
        self.choices += 1.0;
    }

    fn mean(&self) -> f64 {
        self.sum / self.choices.max(1.0)
    }

    /// Adds the choices of playouts that follow the exact policy.
    fn of_playouts(&mut self, search: &mut Search, view: &PolicyView, count: usize) {
        let mut rng = Pcg64::seed_from_u64(6);
        let roles = search.game().roles().len();
        for _ in 0..count {
            let mut state = search.state().clone();
            let mut made: Vec<Move> = Vec::new();
            while !search.game().is_terminal(&state).expect("an answer") {
                let mut joint: Vec<Move> = Vec::new();
                for role in 0..roles {
                    let legal = search.game().legal_moves(&state, role).expect("moves");
                    let legal: Vec<Move> = legal.iter().collect();
                    let exact = view.exact(role, &legal, &state, &made);
                    if legal.len() > 1 {
                        self.add(&exact, &view.on_lanes(role, &legal, &state, &made));
                    }
                    joint.push(legal[likely(&exact, &mut rng)]);
                }
                state = search.game().next_state(&state, &joint).expect("a state");
                made.extend(&joint);
            }
        }
    }
}

/// An index, as likely as it should be.
fn likely(chances: &[f64], rng: &mut Pcg64) -> usize {
    let mut left = rng.random::<f64>();
    let found = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    found.unwrap_or(chances.len() - 1)
}

/// FAST watches 128 simulations, then finds its features, learns and is followed: on lanes, on ground
/// rules, and on the reasoner, which tells names of what it has met.
#[test]
fn features_are_found_and_followed_by_all_simulators() {
    let prepared = Prepared::named("tic_tac_toe");
    let settings = on_one_thread("fast");
    for game in [prepared.lanes(&settings), prepared.plain(), prepared.reference()] {
        let mut search = Search::new(&game, &settings, 1).expect("a search");
        let mut among = |simulations: u64| {
            let report = search.run(&Budget::simulations(simulations)).expect("a report");
            report.roles[0].effective_moves.expect("a policy")
        };
        assert!((among(100) - 9.0).abs() < 1e-9, "nothing is known yet");
        let later = among(400);
        assert!(later < 8.0, "playouts choose among {later} moves");
    }
}

/// What rounding values and leaving contexts out changes.
#[test]
fn lanes_choose_nearly_as_the_policies_say() {
    for name in GAMES {
        // Its playouts can do what all others need.
        let game = Prepared::named(name).lanes(&on_one_thread("nst"));
        for policy in POLICIES {
            let settings = on_one_thread(policy);
            let mut search = Search::new(&game, &settings, 1).expect("a search");
            let mut figures = Vec::new();
            for simulations in [300, 700] {
                search.run(&Budget::simulations(simulations)).expect("a report");
                let view = search.policy_view().expect("a policy on lanes");
                let mut distances = Distances::default();
                distances.of_playouts(&mut search, &view, 2);
                let mean = distances.mean();
                // Where only the best move counts, a small error of its value may be all that counts.
                let reads_states = policy.contains("past") || policy.contains("fast");
                let is_steep = reads_states && policy.ends_with("sampling=epsilon");
                let most = if is_steep { 0.5 } else { 0.05 };
                assert!(mean < most, "{name}, {policy} after {simulations}: {mean}");
                figures.push(format!("{:.4}/{:.3}", distances.mean(), distances.worst));
            }
            note(&format!("{name}, {policy}, mean/worst: {}", figures.join(", ")));
        }
    }
}
