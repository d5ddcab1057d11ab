//! Statistics of many playouts agree with those of fewer by the reference reasoner.

use propnet::game::Game;
use propnet::lanes::Totals;
use propnet::program::StepOptions;
use propnet::reference::Reasoner;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use wide::u64x8;

use super::sheets::*;
use super::support::Sheet;

/// How many standard deviations are too many.
const SIGMAS: f64 = 4.5;

/// Lengths and goals of playouts by the reasoner.
struct Sample {
    lengths: Vec<u64>,
    /// By role.
    goals: Vec<Vec<i32>>,
}

fn sample(sheet: &Sheet, count: usize) -> Sample {
    let mut game = Reasoner::new(&sheet.rules);
    let mut rng = Pcg64::seed_from_u64(17);
    let roles = game.roles().len();
    let mut sample = Sample { lengths: Vec::new(), goals: vec![Vec::new(); roles] };
    for _ in 0..count {
        let mut state = game.initial_state().expect("a state");
        let mut length = 0;
        while !game.is_terminal(&state).expect("an answer") {
            let joint = game.complete_joint_move(&state, &[], &mut rng).expect("moves");
            state = game.next_state(&state, &joint).expect("a state");
            length += 1;
        }
        sample.lengths.push(length);
        for (role, goals) in sample.goals.iter_mut().enumerate() {
            goals.push(game.goal(&state, role).expect("a goal"));
        }
    }
    sample
}

/// Without any pass, and so without proofs, each role has a tree of its own.
fn check(name: &str, text: &str, count: usize) {
    let plain = Sheet::with_passes(text, &[]);
    let sample = sample(&plain, count);
    check_sheet(&format!("{name} without passes"), &plain, &sample);
    check_sheet(name, &Sheet::new(text), &sample);
}

fn check_sheet(name: &str, sheet: &Sheet, sample: &Sample) {
    let count = sample.lengths.len();
    let options = StepOptions { limit_bits: 10, ..StepOptions::default() };
    let engine = sheet.engine(&options);
    let totals = engine.totals_with::<u64x8>(1, 20_000, |playouts| {
        playouts.set_limit(1_000);
        playouts.count_lengths();
    });
    assert_eq!((totals.playouts, totals.stuck, totals.cut), (20_000, 0, 0), "{name}");
    check_lengths(name, &totals, sample);
    for (role, values) in engine.program.goals.iter().enumerate() {
        let own = &totals.goals[role];
        assert_eq!(own.iter().sum::<u64>(), totals.playouts, "{name}");
        for (value, &ends) in values.iter().zip(own) {
            let chance = ends as f64 / totals.playouts as f64;
            let seen = sample.goals[role].iter().filter(|goal| goal.to_string() == *value).count();
            // The less likely ones have a longer tail.
            let most = SIGMAS * (count as f64 * chance * (1.0 - chance)).sqrt() + 3.0;
            let away = seen as f64 - count as f64 * chance;
            assert!(away.abs() <= most, "{name}: goal {value} of role {role}: {seen} of {count}");
        }
    }
}

fn check_lengths(name: &str, totals: &Totals, sample: &Sample) {
    let moment = |power: i32| {
        let lengths = totals.lengths.iter().enumerate();
        let sum: f64 =
            lengths.map(|(length, &count)| (length as f64).powi(power) * count as f64).sum();
        sum / totals.playouts as f64
    };
    let (mean, deviation) = (moment(1), (moment(2) - moment(1).powi(2)).max(0.0).sqrt());
    let count = sample.lengths.len() as f64;
    let own = sample.lengths.iter().sum::<u64>() as f64 / count;
    let most = SIGMAS * deviation / count.sqrt() + 1e-9;
    assert!((own - mean).abs() <= most, "{name}: mean length {own}, but {mean} by lanes");
}

#[test]
fn small_games() {
    check("tic_tac_toe", TIC_TAC_TOE, 1_000);
    check("rock_paper_scissors", ROCK_PAPER_SCISSORS, 1_000);
    check("six_roles", &six_roles(), 1_000);
    check("passing", PASSING, 2_000);
}

#[test]
fn larger_games() {
    check("three_players", THREE_PLAYERS, 200);
    check("eight_puzzle", EIGHT_PUZZLE, 40);
    check("hex_small", HEX_SMALL, 40);
    check("connect_four", CONNECT_FOUR, 60);
    check("breakthrough", BREAKTHROUGH, 30);
}
