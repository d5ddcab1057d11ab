//! How long ten thousand playouts take, counted together, on one thread and the fastest back end;
//! and what weights of so many bits cost, all of them equal, in steps of breakthrough.
//!
//! Every run checks its answer against the first one. `ludens bench` measures any sheet, in more
//! detail.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ludens::library::find;
use ludens::pipeline::{PipelineOptions, circuit_within};
use propnet::gdl::Source;
use propnet::lanes::{Code, PerWidth, Playouts, Setup, Totals, Word};
use propnet::program::{Program, StepOptions};
use propnet::reference;

/// Our games, from short to long playouts.
const GAMES: &[&str] = &[
    "rock_paper_scissors",
    "tic_tac_toe",
    "connect_four",
    "quarto",
    "battle",
    "knightthrough",
    "pentago",
    "othello",
    "eight_puzzle",
    "breakthrough",
    "checkers",
    "chess",
];

/// Playouts of a run.
const PLAYOUTS: u64 = 10_000;

criterion_group!(benches, games, weights);
criterion_main!(benches);

fn games(criterion: &mut Criterion) {
    let setup = Setup::default();
    for name in GAMES {
        let game = Game::new(name, setup);
        let first = setup.width().dispatch(Play(&game));
        assert_eq!(first.playouts, PLAYOUTS, "the playouts of {name}");
        let mut group = criterion.benchmark_group("playouts");
        group.throughput(Throughput::Elements(PLAYOUTS));
        group.sample_size(20).warm_up_time(Duration::from_millis(500));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| {
                let totals = setup.width().dispatch(Play(black_box(&game)));
                assert_eq!(totals, first, "the totals of {name}");
            });
        });
        group.finish();
    }
}

fn weights(criterion: &mut Criterion) {
    let setup = Setup::default();
    let mut group = criterion.benchmark_group("weights");
    group.sample_size(20).warm_up_time(Duration::from_millis(500));
    for bits in [None, Some(4), Some(8), Some(12), Some(16)] {
        let options = StepOptions { weights: bits, restart: true, ..StepOptions::default() };
        let game = Game::with_options("breakthrough", setup, &options);
        let first = setup.width().dispatch(Play(&game));
        group.throughput(Throughput::Elements(first.steps));
        let name = bits.map_or("none".to_string(), |bits| format!("{bits} bits"));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| {
                let totals = setup.width().dispatch(Play(black_box(&game)));
                assert_eq!(totals, first, "the totals with weights of {bits:?} bits");
            });
        });
    }
    group.finish();
}

struct Game {
    program: Arc<Program>,
    code: Arc<Code>,
}

impl Game {
    fn new(name: &str, setup: Setup) -> Self {
        let options = StepOptions { restart: true, ..StepOptions::default() };
        Game::with_options(name, setup, &options)
    }

    fn with_options(name: &str, setup: Setup, options: &StepOptions) -> Self {
        let entry = find(name).expect("a game that comes with the program");
        let rules = reference::load(Source::from_text(entry.name, entry.text))
            .unwrap_or_else(|error| panic!("{error}"));
        let circuit = circuit_within(&rules, &PipelineOptions::default()).expect("a circuit");
        let program = Arc::new(Program::with_options(&circuit, setup.mapping(), options));
        let code = Arc::new(Code::new(&program, setup.backend()).expect("code"));
        Game { program, code }
    }
}

struct Play<'a>(&'a Game);

impl PerWidth for Play<'_> {
    type Output = Totals;

    fn run<W: Word>(self) -> Totals {
        let Game { program, code } = self.0;
        let lanes = Playouts::<W>::new(program, code, &program.initial, 1, &(0..PLAYOUTS));
        let mut lanes = lanes.expect("its own state");
        if let Some(bits) = program.step.options.weights {
            for role in 0..program.names.roles().len() {
                for chosen in program.names.moves(role) {
                    lanes.set_weight(role, chosen, (1 << bits) - 1).expect("its own move");
                }
            }
        }
        lanes.run(u64::MAX);
        lanes.totals().clone()
    }
}
