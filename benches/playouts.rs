//! How long ten thousand playouts take, counted together, on one thread and the fastest back end.
//!
//! Every run checks its answer against the first one. `ludens bench` measures any sheet, in more
//! detail.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ludens::circuit::circuit_within;
use ludens::engine::EngineOptions;
use ludens::library::find;
use propnet::gdl::Source;
use propnet::lanes::{Code, PerWidth, Playouts, Setup, Totals, Word};
use propnet::program::Program;
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

criterion_group!(benches, games);
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

struct Game {
    program: Arc<Program>,
    code: Arc<Code>,
}

impl Game {
    fn new(name: &str, setup: Setup) -> Self {
        let entry = find(name).expect("a game that comes with the program");
        let rules = reference::load(Source::from_text(entry.name, entry.text))
            .unwrap_or_else(|error| panic!("{error}"));
        let circuit = circuit_within(&rules, &EngineOptions::default()).expect("a circuit");
        let program = Arc::new(Program::new(&circuit, setup.mapping()));
        let code = Arc::new(Code::new(&program, setup.backend()).expect("code"));
        Game { program, code }
    }
}

struct Play<'a>(&'a Game);

impl PerWidth for Play<'_> {
    type Output = Totals;

    fn run<W: Word>(self) -> Totals {
        let Game { program, code } = self.0;
        let mut lanes = Playouts::<W>::new(program, code, &program.initial, 1, &(0..PLAYOUTS));
        lanes.run(u64::MAX);
        lanes.totals().clone()
    }
}
