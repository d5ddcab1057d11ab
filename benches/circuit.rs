//! How long it takes to build circuits and to run each pass, over sheets from small to hard.
//!
//! Every run checks its answer: ours against the gate counts written down here, those beside the
//! repository against their first run. `ludens show FOLDER circuit --stats` measures whole
//! collections.

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../propnet/tests/common/shared.rs"]
mod shared;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ludens::pipeline::{Control, PipelineBounds, ground_within};
use propnet::circuit::optimize::{Params, Pass};
use propnet::circuit::{Circuit, build};
use propnet::gdl::Source;
use propnet::ground::GroundRules;
use propnet::reference;

/// Sheets of ours: two-input gates as built, and after all passes.
const GAMES: &[(&str, Counts)] = &[
    ("tic_tac_toe", (101, 91)),
    ("rock_paper_scissors", (101, 69)),
    ("three_player_tic_tac_toe", (365, 283)),
    ("eight_puzzle", (674, 398)),
    ("hex_small", (474, 294)),
    ("connect_four", (817, 573)),
    ("breakthrough", (1811, 1405)),
];

/// Sheets of the field, from small to hard, where they are to be had.
const CORPUS: &[&str] = &[
    "base_connectFour",
    "rep_breakthrough",
    "rep_knightThrough",
    "rep_quarto",
    "rep_reversi",
    "rep_checkers",
    "rep_hex",
    "rep_skirmish",
];

/// Two-input gates as built, and after all passes.
type Counts = (usize, usize);

criterion_group!(benches, games, corpus);
criterion_main!(benches);

fn games(criterion: &mut Criterion) {
    for &(name, expected) in GAMES {
        let rules = ground(&root().join(format!("games/{name}.kif")));
        let found = counts(&circuits(&rules));
        assert_eq!(found, expected, "the counts of {name} (found, written down)");
        measure(criterion, name, &rules);
    }
}

fn corpus(criterion: &mut Criterion) {
    let Some(shared) = shared::shared().filter(|_| !is_trial()) else { return };
    for name in CORPUS {
        let rules = ground(&shared.join(format!("corpus/{name}.kif")));
        let (built, optimized) = counts(&circuits(&rules));
        note(&format!("{name}: {built} two-input gates, {optimized} after all passes"));
        measure(criterion, name, &rules);
    }
}

/// Measures building, and each pass on what the passes before it left.
fn measure(criterion: &mut Criterion, name: &str, rules: &GroundRules) {
    let circuits = circuits(rules);
    let sizes: Vec<usize> = circuits.iter().map(Circuit::two_input_gates).collect();
    let mut group = criterion.benchmark_group(name);
    // Hard sheets take seconds; ten runs of each say enough.
    group.sample_size(10).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(2));
    group.bench_function(BenchmarkId::from_parameter("build"), |bencher| {
        bencher.iter(|| {
            let circuit = build(black_box(rules)).expect("a circuit");
            assert_eq!(circuit.two_input_gates(), sizes[0], "the gates of {name}");
            circuit
        });
    });
    for (at, pass) in Pass::ALL.iter().enumerate() {
        group.bench_function(BenchmarkId::from_parameter(pass.name()), |bencher| {
            bencher.iter(|| {
                let (circuit, stats) = pass.run(black_box(&circuits[at]), &Params::default());
                assert_eq!(stats.after.two_input_gates, sizes[at + 1], "the gates of {name}");
                circuit
            });
        });
    }
    group.finish();
}

/// The circuit as built, and after each pass.
fn circuits(rules: &GroundRules) -> Vec<Circuit> {
    let mut circuits = vec![build(rules).expect("a circuit")];
    for pass in Pass::ALL {
        let (circuit, _) = pass.run(&circuits[circuits.len() - 1], &Params::default());
        circuits.push(circuit);
    }
    circuits
}

fn counts(circuits: &[Circuit]) -> Counts {
    (circuits[0].two_input_gates(), circuits[circuits.len() - 1].two_input_gates())
}

/// Whether the benchmarks are only tried out: then the hard sheets are left out.
fn is_trial() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn ground(path: &PathBuf) -> GroundRules {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = Source::from_bytes(path.display().to_string(), &bytes);
    let rules = reference::load(source).unwrap_or_else(|error| panic!("{error}"));
    let grounding = ground_within(&rules, &PipelineBounds::default(), Control::default());
    grounding.unwrap_or_else(|error| panic!("{}: {error}", path.display())).rules
}

#[expect(clippy::print_stderr, reason = "a benchmark talks to whoever runs it")]
fn note(text: &str) {
    eprintln!("{text}");
}
