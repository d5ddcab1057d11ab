//! How long ten thousand playouts take, counted together, on one thread and the fastest back end;
//! what weights of so many bits cost, all of them equal, in steps of breakthrough; and what weights
//! in contexts cost there, with 64 lanes for each job.
//!
//! Every run checks its answer against the first one. `ludens bench` measures any sheet, in more
//! detail.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ludens::library::find;
use ludens::pipeline::{PipelineOptions, circuit_within};
use propnet::game::Move;
use propnet::gdl::Source;
use propnet::lanes::{
    Code, Condition, ContextualValue, Job, Jobs, PerWidth, Playouts, Setup, Totals, ValueInContext,
    ValueTable, Word,
};
use propnet::program::{Program, Sampling, StepOptions};
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

/// Playouts of a job.
const LANES_OF_A_JOB: usize = 64;

criterion_group!(benches, games, weights, contexts);
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

/// What the weights of moves depend on.
const POLICIES: &[&str] = &["uniform", "weights", "one_fluent", "two_fluents", "last_move"];

fn contexts(criterion: &mut Criterion) {
    let setup = Setup::default();
    let mut group = criterion.benchmark_group("contexts");
    group.sample_size(20).warm_up_time(Duration::from_millis(500));
    for &policy in POLICIES {
        let uniform = StepOptions { forced: true, limit_bits: 8, ..StepOptions::default() };
        let weighted = StepOptions { weights: Some(12), record: true, ..uniform };
        let options = if policy == "uniform" { uniform } else { weighted };
        let game = Game::with_options("breakthrough", setup, &options);
        let first = setup.width().dispatch(PlayJobs(&game, policy));
        group.throughput(Throughput::Elements(first));
        group.bench_function(BenchmarkId::from_parameter(policy), |bencher| {
            bencher.iter(|| {
                let steps = setup.width().dispatch(PlayJobs(black_box(&game), policy));
                assert_eq!(steps, first, "the steps of {policy}");
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

/// Jobs whose moves are chosen by a policy; says how many steps they took.
struct PlayJobs<'a>(&'a Game, &'a str);

impl PerWidth for PlayJobs<'_> {
    type Output = u64;

    fn run<W: Word>(self) -> u64 {
        let PlayJobs(Game { program, code }, policy) = self;
        let mut jobs = Jobs::<W>::new(program, code, 1);
        if policy != "uniform" {
            let value = |at: usize| ContextualValue {
                base: 1000,
                contexts: contexts_of(program, policy, at),
            };
            let names = &program.names;
            let moves =
                |role: usize| (0..names.move_count(role)).map(|at| value(at + role)).collect();
            let part = (0..names.roles().len()).map(moves).collect();
            let table = ValueTable { sampling: Sampling::Gibbs, parts: vec![part] };
            jobs.set_values(&table).expect("values that the program can have");
        }
        let state = Arc::new(program.initial.clone());
        for tag in 0..PLAYOUTS / LANES_OF_A_JOB as u64 {
            let number = tag * LANES_OF_A_JOB as u64;
            let job = Job { count: LANES_OF_A_JOB, ..Job::new(tag, number, &state) };
            jobs.push(job).expect("a job that the program can do");
        }
        jobs.finish();
        jobs.outcomes().iter().map(|outcome| outcome.count as u64 * (outcome.length + 1)).sum()
    }
}

/// The contexts of a move: 16 fluents as PAST has them, 4 pairs as FAST, or 8 moves as n-grams.
fn contexts_of(program: &Program, policy: &str, at: usize) -> Vec<ValueInContext> {
    let names = &program.names;
    let known: Vec<usize> =
        (0..names.fluent_count()).filter(|&fluent| program.is_in_playouts(fluent)).collect();
    let fluent = |step: usize| Condition::Fluent(known[(at * 31 + step * 17) % known.len()]);
    let made = |step: usize| {
        let number = (at * 31 + step * 17) % names.move_count(step % 2);
        let chosen = Move::new(names.table(), number as u32);
        Condition::Made { role: step % 2, chosen, steps_ago: 1 }
    };
    let (count, conditions): (usize, &dyn Fn(usize) -> Vec<Condition>) = match policy {
        "one_fluent" => (16, &|step| vec![fluent(step)]),
        "two_fluents" => (4, &|step| vec![fluent(step), fluent(step + 5)]),
        "last_move" => (8, &|step| vec![made(step)]),
        _ => (0, &|_| Vec::new()),
    };
    let context = |step: usize| ValueInContext {
        conditions: conditions(step).into(),
        value: 1100 - 5 * step as u16,
    };
    (0..count).map(context).collect()
}
