//! How long grounding takes, stage by stage, over sheets from small to hard.
//!
//! Every run checks its answer: ours against the counts written down here, those beside the
//! repository against their first run. `ludens ground FOLDER` measures whole collections.

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../propnet/tests/common/shared.rs"]
mod shared;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ludens::pipeline::{Control, StageClock};
use propnet::gdl::{Rules, Source};
use propnet::ground::{Limits, Options, Stage, ground};
use propnet::reference;

/// Sheets of ours: rule instances before sharpening, rules and literals behind it.
const GAMES: &[(&str, Counts)] = &[
    ("tic_tac_toe", (120, 111, 161)),
    ("rock_paper_scissors", (94, 76, 130)),
    ("three_player_tic_tac_toe", (532, 300, 495)),
    ("eight_puzzle", (371, 371, 829)),
    ("hex_small", (457, 413, 653)),
    ("connect_four", (4554, 460, 1007)),
    ("breakthrough", (1647, 1647, 2391)),
];

/// Sheets of the field, from small to hard, where they are to be had.
const CORPUS: &[&str] = &[
    "base_ticTacToe",
    "base_connectFour",
    "rep_breakthrough",
    "rep_checkers",
    "rep_quarto",
    "rep_hex",
    "rep_skirmish",
    "rep_amazons",
];

const STAGES: [Stage; 6] =
    [Stage::Normalize, Stage::Split, Stage::Statics, Stage::Fixpoint, Stage::Emit, Stage::Sharpen];

/// A sample takes no longer, or one run. Criterion asks for as many runs as would fill its time if
/// the stage were all there is; the runs made stand for the rest.
const SAMPLE: Duration = Duration::from_millis(100);

/// Rule instances before sharpening, rules behind it, their body literals.
type Counts = (u64, u64, u64);

criterion_group!(benches, games, corpus);
criterion_main!(benches);

fn games(criterion: &mut Criterion) {
    for &(name, expected) in GAMES {
        let rules = load(&root().join(format!("games/{name}.kif")));
        let found = run(&rules).counts;
        assert_eq!(found, expected, "the counts of {name} (found, written down)");
        measure(criterion, name, &rules, expected);
    }
}

fn corpus(criterion: &mut Criterion) {
    let Some(shared) = shared::shared().filter(|_| !is_trial()) else { return };
    for name in CORPUS {
        let rules = load(&shared.join(format!("corpus/{name}.kif")));
        let first = run(&rules);
        note(&format!("{name}: {:?} instances, rules, literals", first.counts));
        measure(criterion, name, &rules, first.counts);
    }
}

fn measure(criterion: &mut Criterion, name: &str, rules: &Rules, expected: Counts) {
    let mut group = criterion.benchmark_group(name);
    // Hard sheets take seconds; ten runs of each say enough.
    group.sample_size(10).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(2));
    let stages = STAGES.map(|stage| (stage.name(), Some(stage)));
    for (label, stage) in stages.into_iter().chain([("total", None)]) {
        group.bench_function(BenchmarkId::from_parameter(label), |bencher| {
            bencher.iter_custom(|runs| {
                let (begun, mut done, mut sum) = (Instant::now(), 0, 0.0);
                while done == 0 || (done < runs && begun.elapsed() < SAMPLE) {
                    let run = run(black_box(rules));
                    assert_eq!(run.counts, expected, "the counts of {name}");
                    sum += run.seconds(stage);
                    done += 1;
                }
                Duration::from_secs_f64(sum * runs as f64 / done as f64)
            });
        });
    }
    group.finish();
}

/// One grounding, measured.
struct Run {
    counts: Counts,
    clock: StageClock<'static>,
}

fn run(rules: &Rules) -> Run {
    let mut clock = StageClock::new(Control::default().within(Duration::MAX));
    let grounding = ground(rules, &Options::default(), Limits::default(), &mut clock);
    let grounding = grounding.unwrap_or_else(|error| panic!("{}: {error}", rules.source.name()));
    let size = |stage: Stage| {
        let mut stages = clock.stages().iter();
        stages.find(|figures| figures.stage == stage.name()).map_or(0, |found| found.ground_rules)
    };
    let literals = black_box(grounding).rules.rules.literal_count() as u64;
    Run { counts: (size(Stage::Fixpoint), size(Stage::Sharpen), literals), clock }
}

impl Run {
    /// The time of a stage, or of all.
    fn seconds(&self, stage: Option<Stage>) -> f64 {
        let asked = |name: &str| stage.is_none_or(|stage| stage.name() == name);
        let stages = self.clock.stages().iter();
        stages.filter(|figures| asked(&figures.stage)).map(|figures| figures.seconds).sum()
    }
}

/// Whether the benchmarks are only tried out: then the hard sheets are left out.
fn is_trial() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn load(path: &PathBuf) -> Rules {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = Source::from_bytes(path.display().to_string(), &bytes);
    reference::load(source).unwrap_or_else(|error| panic!("{error}"))
}

#[expect(clippy::print_stderr, reason = "a benchmark talks to whoever runs it")]
fn note(text: &str) {
    eprintln!("{text}");
}
