//! Each legal move is chosen as often as it should be.

use std::sync::Arc;

use propnet::game::State;
use propnet::lanes::Job;
use propnet::program::StepOptions;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use wide::u64x8;

use super::sheets::open_moves;
use super::support::{ALL, Engine, Sheet, assert_likely};

const MOST: usize = 500;

/// How many of the moves are open.
const OPEN: [usize; 18] = [1, 2, 3, 4, 5, 6, 7, 9, 15, 16, 17, 40, 100, 127, 128, 255, 400, 500];

/// How often each move is chosen where these are open, by jobs with the numbers from `first` on.
fn chosen(engine: &Engine, open: &[usize], jobs: u64, first: u64, weights: &[u32]) -> Vec<u64> {
    let sentences: Vec<String> = open.iter().map(|at| format!("(open {at})")).collect();
    let state: State = engine.program.names.state_of(&sentences).expect("a state");
    let state = Arc::new(state);
    let job =
        |number| Job { limit: Some(1), wants_moves: 1, ..Job::new(number, first + number, &state) };
    let say = |lanes: &mut propnet::lanes::Jobs<u64x8>| {
        for (at, &weight) in weights.iter().enumerate() {
            let text = format!("(close {at})");
            let chosen = engine.program.names.move_of(0, &text).expect("a move");
            lanes.set_weight(0, chosen, weight).expect("its own move");
        }
    };
    let outcomes = engine.outcomes_with(1, (0..jobs).map(job).collect(), say);
    let numbers: Vec<usize> = (0..engine.program.names.move_count(0))
        .map(|at| engine.program.names.text_of_move(0, at))
        .map(|text| text["(close ".len()..text.len() - 1].parse().expect("a number"))
        .collect();
    let mut counts = vec![0; numbers.len()];
    for outcome in outcomes {
        assert_eq!(outcome.moves.len(), 1);
        counts[numbers[outcome.moves[0].index()]] += 1;
    }
    counts
}

/// So many of the moves, chosen at random.
fn some_open(rng: &mut Pcg64, open: usize, of: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    for at in 0..open {
        all.swap(at, rng.random_range(at..of));
    }
    all.truncate(open);
    all
}

#[test]
fn legal_moves_are_equally_likely() {
    let engine = Sheet::new(&open_moves(MOST)).engine(&ALL);
    let mut rng = Pcg64::seed_from_u64(3);
    for (round, open) in OPEN.into_iter().enumerate() {
        let legal = some_open(&mut rng, open, MOST);
        let jobs = (100 * open as u64).max(10_000);
        let counts = chosen(&engine, &legal, jobs, round as u64 * 1_000_000, &[]);
        let mut chances = vec![0.0; MOST];
        legal.iter().for_each(|&at| chances[at] = 1.0 / open as f64);
        assert_likely(&counts, &chances, &format!("{open} of {MOST}"));
    }
}

#[test]
fn trees_of_every_shape_are_fair() {
    for count in (1..12).chain([31, 32, 33, 64, 100]) {
        let engine = Sheet::new(&open_moves(count)).engine(&ALL);
        let open: Vec<usize> = (0..count).collect();
        let counts = chosen(&engine, &open, 10_000, 0, &[]);
        assert_likely(&counts, &vec![1.0 / count as f64; count], &format!("{count} moves"));
    }
}

#[test]
fn moves_are_chosen_by_their_weights() {
    let mut rng = Pcg64::seed_from_u64(4);
    for (bits, most) in [(4, 60), (8, 200), (12, 35), (16, 9)] {
        let options = StepOptions { weights: Some(bits), ..ALL };
        let engine = Sheet::new(&open_moves(most)).engine(&options);
        for open in [1, 2, 3, 8, 9, 33, 60, 200].into_iter().filter(|&open| open <= most) {
            let legal = some_open(&mut rng, open, most);
            let mut weight = |_| match rng.random_range(0..4) {
                0 => 0,
                1 => (1 << bits) - 1,
                _ => rng.random_range(0..1u32 << bits),
            };
            let weights: Vec<u32> = (0..most).map(&mut weight).collect();
            let sum: u32 = legal.iter().map(|&at| weights[at]).sum();
            let mut chances = vec![0.0; most];
            for &at in &legal {
                chances[at] = match sum {
                    0 => 1.0 / open as f64,
                    _ => f64::from(weights[at]) / f64::from(sum),
                };
            }
            let counts = chosen(&engine, &legal, 20_000, open as u64 * 1_000_000, &weights);
            // Few expected counts of less than one, which a chi-square test cannot judge.
            let rare: Vec<bool> = chances.iter().map(|&chance| chance * 20_000.0 < 1.0).collect();
            let keep = |at: &usize| !rare[*at] || chances[*at] == 0.0;
            let pick: Vec<usize> = (0..most).filter(keep).collect();
            let counts: Vec<u64> = pick.iter().map(|&at| counts[at]).collect();
            let chances: Vec<f64> = pick.iter().map(|&at| chances[at]).collect();
            assert_likely(&counts, &chances, &format!("{open} of {most} with {bits} bits"));
        }
    }
}

#[test]
fn moves_without_weight_are_chosen_where_no_other_is_legal() {
    let options = StepOptions { weights: Some(4), ..ALL };
    let engine = Sheet::new(&open_moves(20)).engine(&options);
    let weights: Vec<u32> = (0..20).map(|at| if at < 10 { 0 } else { 7 }).collect();
    let without: Vec<usize> = (0..9).collect();
    let counts = chosen(&engine, &without, 4_000, 0, &weights);
    let chances: Vec<f64> = (0..20).map(|at| if at < 9 { 1.0 / 9.0 } else { 0.0 }).collect();
    assert_likely(&counts, &chances, "no weights");
    // One legal move with a weight takes all.
    let counts = chosen(&engine, &[0, 1, 2, 3, 15], 1_000, 9_000, &weights);
    assert_eq!(counts[15], 1_000);
}
