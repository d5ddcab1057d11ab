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
//! `costs` measures what parts cost instead: policies by lane-steps per second with 64 lanes for a leaf,
//! RAVE and cutoffs by simulations per second with one lane for a leaf, as shares of those of uct beside
//! the least that they are to reach. Each is measured in turns with uct, and the median of five ratios
//! counts. `costs=mast,past` measures these alone.

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
    let mut compared: Option<Vec<String>> = None;
    // Cargo adds `--bench`.
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match argument.split_once('=') {
            Some(("lanes", count)) => setup = setup_for(count),
            Some(("seed", number)) => seed = number.parse().expect("seed=NUMBER"),
            Some(("costs", names)) => {
                compared = Some(names.split(',').map(str::to_string).collect())
            }
            Some(_) => settings.set(&argument).unwrap_or_else(|error| panic!("{error}")),
            None if argument == "costs" => compared = Some(Vec::new()),
            None => named.push(argument),
        }
    }
    settings.limit_threads(1);
    if let Some(strategies) = compared {
        return compare(&strategies, &named, setup, seed);
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

/// The games in which the costs of parts are measured where none is named.
const COMPARED: &[&str] = &["breakthrough", "checkers", "othello", "skirmish"];

/// How often each strategy is measured, each time beside uct, and how long.
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(600);

/// The simulations of a search before it is measured: cutoffs are decided on, features are found.
const BEFORE: u64 = 200;

/// Strategies, and the shares of the rate of uct that they are to reach.
struct CostTable {
    title: &'static str,
    lanes_per_leaf: &'static str,
    rate: fn(&Report, f64) -> f64,
    rows: &'static [(&'static str, f64)],
}

const COSTS: &[CostTable] = &[
    CostTable {
        title: "lane-steps/s, 64 lanes a leaf",
        lanes_per_leaf: "64",
        rate: |report, seconds| report.lane_use * report.lane_steps as f64 / seconds,
        rows: &[
            ("mast", 1.0 / 3.0),
            ("to_mast", 1.0 / 3.0),
            ("fast", 0.25),
            ("nst", 0.25),
            ("past", 1.0 / 6.0),
        ],
    },
    CostTable {
        title: "simulations/s, one lane a leaf",
        lanes_per_leaf: "1",
        rate: |report, seconds| report.simulations as f64 / seconds,
        rows: &[("rave", 2.0 / 3.0), ("grave", 2.0 / 3.0), ("cutoff", 1.0)],
    },
];

/// Measures what parts cost, as shares of the rates of uct.
fn compare(strategies: &[String], named: &[String], setup: Setup, seed: u64) {
    let named: Vec<&str> = match named {
        [] => COMPARED.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    let circuit = |name: &&str| {
        let bytes = sheet(name).unwrap_or_else(|| panic!("there is no sheet {name}"));
        circuit_of(name, &bytes)
    };
    let games: Vec<Circuit> = named.iter().map(circuit).collect();
    let names: String = named.iter().map(|name| format!("{name:>16}")).collect();
    for table in COSTS {
        println!(
            "{setup}: {} as a share of those of uct (and of its time in the tree)",
            table.title
        );
        println!("{:<16} {:>8}{names}", "strategy", "at least");
        let rows = table.rows.iter();
        for (strategy, least) in rows.filter(|(name, _)| {
            strategies.is_empty() || strategies.iter().any(|other| other == name)
        }) {
            let cells = games.iter().map(|circuit| cost(table, strategy, circuit, setup, seed));
            println!("{strategy:<16} {least:>8.2}{}", cells.collect::<String>());
        }
    }
}

/// The median share of a strategy in a game, with the median share of its time that it spends in the
/// tree, where it also learns.
fn cost(table: &CostTable, strategy: &str, circuit: &Circuit, setup: Setup, seed: u64) -> String {
    let prepared = |strategy: &str| {
        let mut settings: Settings = strategy.parse().unwrap();
        settings.set(&format!("lanes_per_leaf={}", table.lanes_per_leaf)).unwrap();
        settings.limit_threads(1);
        let step = settings.step_options(circuit.names.roles().len());
        let program = LaneProgram::new(circuit, setup, &step, Compile::First).unwrap();
        (SearchGame::Lanes(program), settings)
    };
    let both = [prepared(strategy), prepared("uct")];
    let (mut shares, mut in_tree) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let [own, usual] = both.each_ref().map(|(game, settings)| {
            let mut search = Search::new(game, settings, seed).unwrap();
            search.run(&Budget::simulations(BEFORE)).unwrap();
            let start = ThreadTime::now();
            let report = search.run(&Budget::time(ROUND)).unwrap();
            ((table.rate)(&report, start.elapsed().as_secs_f64()), report.tree_share)
        });
        shares.push(own.0 / usual.0);
        in_tree.push(own.1);
    }
    let [share, in_tree] = [&mut shares, &mut in_tree].map(|values| {
        values.sort_by(f64::total_cmp);
        values[ROUNDS / 2]
    });
    format!("{:>16}", format!("{share:.2} ({:.0} %)", 100.0 * in_tree))
}

fn circuit_of(name: &str, bytes: &[u8]) -> Circuit {
    let rules = reference::load(Source::from_bytes(name, bytes)).unwrap();
    circuit_within(&rules, &PipelineOptions::default()).unwrap()
}

/// The visits of all moves at the root as one number.
fn signature(report: &Report) -> u64 {
    let moves = report.roles.iter().flat_map(|role| &role.moves);
    moves.fold(0, |sum: u64, known| {
        sum.rotate_left(5).wrapping_mul(0x100_0000_01b3).wrapping_add(known.visits)
    })
}
