//! Simulations per second in the tree, game by game.
//!
//! ```text
//! cargo bench --bench search [-- [NAME=VALUE ...] [GAME ...]]
//! ```
//!
//! Each game is searched from its start for a second on one thread, once to warm up and once to be
//! measured; rates are per second of processor time. A game is a sheet in games/, the path of one, or `auction`, where four roles choose at
//! once. Settings such as `strategy=mast` or `lanes_per_leaf=8` apply to all of them, `lanes=256`
//! measures on words of so many lanes, and `seed=2` a search with another seed than 1. A search with
//! a fixed number of simulations gives the signature: visits of the root's moves, folded; it changes
//! only when the search itself does.
//!
//! `strategies=mast,past,nst` measures what policies cost instead: the lane-steps per second of each,
//! as a share of those of uct, with 64 lanes for a leaf. Both are measured in turns, and the median of
//! five ratios counts.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use ludens::search::{Budget, Report, Search, SearchGame, Settings};
use propnet::circuit::Circuit;
use propnet::gdl::Source;
use propnet::lanes::{Setup, Width};
use propnet::reference;

/// The games that are measured where none is named; those without a sheet are left out.
const GAMES: &[&str] = &[
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "knightthrough",
    "othello",
    "checkers",
    "pentago",
    "quarto",
    "hex",
    "battle",
    "auction",
    "chess",
];

/// A joint move is one of 810,000, so nearly every visit of a node makes another.
const AUCTION: &str = "
    (role a) (role b) (role c) (role d)
    (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (digit 0) (digit 1) (digit 2) (digit 3) (digit 4)
    (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
    (tens 0) (tens 1) (tens 2)
    (<= (legal ?r (bid ?t ?d)) (role ?r) (tens ?t) (digit ?d))
    (<= (next (round ?y)) (true (round ?x)) (succ ?x ?y))
    (<= (next (bids ?r ?d)) (does ?r (bid ?t ?d)))
    (<= terminal (true (round 4)))
    (<= (goal ?r ?d) (true (bids ?r ?d)))
    (<= (goal ?r 0) (role ?r) (true (round 0)))";

fn main() {
    let mut settings = Settings::default();
    let mut named: Vec<String> = Vec::new();
    let (mut setup, mut seed) = (Setup::default(), 1);
    let mut compared: Vec<String> = Vec::new();
    // Cargo adds `--bench`.
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match argument.split_once('=') {
            Some(("lanes", count)) => setup = setup_for(count),
            Some(("seed", number)) => seed = number.parse().expect("seed=NUMBER"),
            Some(("strategies", names)) => {
                compared = names.split(',').map(str::to_string).collect()
            }
            Some(_) => settings.set(&argument).unwrap_or_else(|error| panic!("{error}")),
            None => named.push(argument),
        }
    }
    settings.limit_threads(1);
    if !compared.is_empty() {
        return compare(&compared, &named, setup, seed);
    }
    if named.is_empty() {
        named = GAMES.iter().map(|name| name.to_string()).collect();
    }
    let shown: Vec<String> =
        settings.list().iter().map(|(name, value)| format!("{name}={value}")).collect();
    println!("{setup} {}", shown.join(" "));
    println!(
        "{:<16} {:>12} {:>12} {:>12} {:>6} {:>6} {:>9} {:>6} {:>16}",
        "game",
        "simulations",
        "playouts/s",
        "lane-steps/s",
        "lanes",
        "tree",
        "nodes",
        "depth",
        "signature"
    );
    for name in &named {
        if let Some(bytes) = sheet(name) {
            measure(name, &bytes, setup, &settings, seed);
        }
    }
}

/// The sheet of that name, here or in games/, or at that path.
fn sheet(name: &str) -> Option<Vec<u8>> {
    if name == "auction" {
        return Some(AUCTION.into());
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(format!("{name}.kif"));
    std::fs::read(own).or_else(|_| std::fs::read(name)).ok()
}

/// The fastest that there is for so many lanes.
fn setup_for(lanes: &str) -> Setup {
    let width = Width::ALL.iter().find(|width| width.lanes().to_string() == lanes);
    let width = width.unwrap_or_else(|| panic!("lanes={lanes}: expected 64, 256, 512 or 2048"));
    Setup::new(Some(*width), None).unwrap_or_else(|error| panic!("{error}"))
}

fn measure(name: &str, bytes: &[u8], setup: Setup, settings: &Settings, seed: u64) {
    let circuit = circuit_of(name, bytes);
    let step = settings.step_options(circuit.names.roles().len());
    let program = LaneProgram::new(&circuit, setup, &step, Compile::First).unwrap();
    let game = SearchGame::Lanes(program);
    let search = || Search::new(&game, settings, seed).unwrap();
    let signature = signature(&search().run(&Budget::simulations(2000)).unwrap());
    search().run(&Budget::time(Duration::from_millis(200))).unwrap();
    let mut measured = search();
    let start = ThreadTime::now();
    let report = measured.run(&Budget::time(Duration::from_secs(1))).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:<16} {:>12.0} {:>12.0} {:>12.0} {:>5.0}% {:>5.0}% {:>9} {:>6} {signature:>16x}",
        Path::new(name).file_stem().unwrap_or_default().to_string_lossy(),
        report.simulations as f64 / seconds,
        report.playouts as f64 / seconds,
        report.lane_use * report.lane_steps as f64 / seconds,
        100.0 * report.lane_use,
        100.0 * report.tree_share,
        report.nodes,
        report.depth,
    );
}

/// The games in which the cost of policies is measured where none is named.
const COMPARED: &[&str] = &["breakthrough", "checkers", "othello", "skirmish"];

/// How often each strategy is measured, each time after uct, and how long.
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(400);

/// Measures the lane-steps of strategies against those of uct.
fn compare(strategies: &[String], named: &[String], setup: Setup, seed: u64) {
    let named: Vec<&str> = match named {
        [] => COMPARED.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    println!("{setup}: lane-steps/s as a share of those of uct, 64 lanes a leaf");
    println!(
        "{:<28} {}",
        "strategy",
        named.iter().map(|name| format!("{name:>14}")).collect::<String>()
    );
    let circuit = |name: &&str| {
        let bytes = sheet(name).unwrap_or_else(|| panic!("there is no sheet {name}"));
        circuit_of(name, &bytes)
    };
    let games: Vec<Circuit> = named.iter().map(circuit).collect();
    for strategy in strategies {
        print!("{strategy:<28} ");
        for circuit in &games {
            let mut ratios: Vec<f64> = Vec::new();
            let rates = |strategy: &str| {
                let mut settings: Settings = strategy.parse().unwrap();
                settings.set("lanes_per_leaf=64").unwrap();
                settings.limit_threads(1);
                let step = settings.step_options(circuit.names.roles().len());
                let program = LaneProgram::new(circuit, setup, &step, Compile::First).unwrap();
                (SearchGame::Lanes(program), settings)
            };
            let (usual, own) = (rates("uct"), rates(strategy));
            for _ in 0..ROUNDS {
                let [one, other] =
                    [&own, &usual].map(|(game, settings)| lane_steps(game, settings, seed));
                ratios.push(one / other);
            }
            ratios.sort_by(f64::total_cmp);
            print!("{:>14.3}", ratios[ROUNDS / 2]);
        }
        println!();
    }
}

fn circuit_of(name: &str, bytes: &[u8]) -> Circuit {
    let rules = reference::load(Source::from_bytes(name, bytes)).unwrap();
    circuit_within(&rules, &PipelineOptions::default()).unwrap()
}

/// Steps of lanes with a playout, per second of processor time.
fn lane_steps(game: &SearchGame, settings: &Settings, seed: u64) -> f64 {
    let mut search = Search::new(game, settings, seed).unwrap();
    let start = ThreadTime::now();
    let report = search.run(&Budget::time(ROUND)).unwrap();
    report.lane_use * report.lane_steps as f64 / start.elapsed().as_secs_f64()
}

/// The visits of all moves at the root as one number.
fn signature(report: &Report) -> u64 {
    let moves = report.roles.iter().flat_map(|role| &role.moves);
    moves.fold(0, |sum: u64, known| {
        sum.rotate_left(5).wrapping_mul(0x100_0000_01b3).wrapping_add(known.visits)
    })
}
