//! What the suites share: the program, the places of sheets, and small sheets of their own.

// Each suite is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod alike;
pub(crate) mod playing;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assert_cmd::Command;
use ludens::bench::SIGNATURE_GAMES;
use ludens::draw::Knowledge;
use ludens::perft::Level;
use ludens::pipeline::{
    Control, Engine, Made, PipelineBounds, PipelineOptions, Stages, ground_within,
};
use ludens::run;
use ludens::trace::{Trace, record};
use propnet::circuit::optimize::Pass;
use propnet::game::Game;
use propnet::gdl::{Rules, Source};
use propnet::ground::GroundGame;
use propnet::lanes::{Backend, Setup, Width};
use propnet::reference;
use serde_json::Value;
use tempfile::TempDir;

/// Two roles, two steps, four joint moves at the start.
pub(crate) const SMALL: &str = "
    (role a) (role b)
    (init (n 0)) (init (side a))
    (succ 0 1) (succ 1 2)
    (<= (legal ?r up) (role ?r))
    (<= (legal ?r (Say ?n)) (role ?r) (true (n ?n)) (succ ?n 1))
    (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
    (<= (next (said ?r)) (does ?r (say ?x)))
    (<= terminal (true (n 2)))
    (<= (goal a 100) (true (n 2)))
    (<= (goal a 0) (not (true (n 2))))
    (goal b 40)";

/// Role b cannot move after one step.
pub(crate) const STUCK: &str = "
    (role a) (role b)
    (init fresh)
    (legal a go)
    (<= (legal b go) (true fresh))
    (<= (next used) (does a go))
    (<= terminal (true never))
    (goal a 1) (goal b 1)";

/// Role a has no goal at the end, role b two.
pub(crate) const NO_GOAL: &str = "
    (role a) (role b)
    (init fresh)
    (legal a go) (legal b go) (legal b wait)
    (<= (next used) (does b go))
    (<= (next waited) (does b wait))
    (<= terminal (not (true fresh)))
    (<= (goal a 7) (true fresh))
    (goal b 1) (goal b 2)";

/// No playout ends, unless role a wins at once by one of ten moves.
pub(crate) const ENDLESS: &str = "
    (role a) (role b)
    (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 1)
    (turn 1) (turn 2) (turn 3) (turn 4) (turn 5) (turn 6) (turn 7) (turn 8) (turn 9)
    (<= (legal a (Turn ?x)) (turn ?x))
    (<= (legal a Win) (true (n 0)))
    (legal b Wait)
    (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
    (<= (next won) (does a win))
    (<= terminal (true won))
    (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
    (goal b 0)";

/// A small game with 60^8 moves, which no machine holds. They are legal in no state that can be
/// reached, but only who plays can tell. The rule to blame is in line 3, column 5.
pub(crate) fn explosion() -> String {
    without_circuit(SMALL)
}

/// The rules of a game with role a, and rules beside that no machine can ground.
pub(crate) fn without_circuit(rules: &str) -> String {
    let values: Vec<String> = (0..60).map(|value| format!("(d {value})")).collect();
    let variables: Vec<String> = (0..8).map(|at| format!("?v{at}")).collect();
    let conditions: Vec<String> = variables.iter().map(|name| format!("(d {name})")).collect();
    format!(
        "{}
    (<= (next armed) (true (n 1)) (true (n 2)))
    (<= (legal a (pick {}))
        (true armed) {})
    {rules}",
        values.join(" "),
        variables.join(" "),
        conditions.join(" "),
    )
}

/// The program.
pub(crate) fn ludens() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ludens"))
}

/// Runs the program and gives its exit code, output and complaints.
pub(crate) fn run(args: &[&str]) -> (i32, String, String) {
    let output = ludens().args(args).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// Runs the program, which must succeed, and gives its output.
pub(crate) fn run_well(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}\n{out}");
    out
}

/// Runs the program, which must print one JSON document, and gives it with the exit code.
pub(crate) fn run_json(args: &[&str]) -> (i32, Value) {
    let (code, out, err) = run(args);
    let value = serde_json::from_str(&out);
    (code, value.unwrap_or_else(|error| panic!("{args:?}: {error}\n{out}\n{err}")))
}

/// A directory with these files.
pub(crate) fn files(contents: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in contents {
        fs::write(directory.path().join(name), content).expect("a file is written");
    }
    directory
}

/// The path of a file in a directory, as an argument.
pub(crate) fn path(directory: &TempDir, name: &str) -> String {
    directory.path().join(name).display().to_string()
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sheets of our own, by name.
pub(crate) fn games() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("games")).expect("the directory games");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut sheets: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "kif")).collect();
    sheets.sort();
    assert!(!sheets.is_empty(), "games/ has sheets");
    sheets
}

/// Small sheets of our own, for the suites that do much with each. `tests/games` has them all.
pub(crate) fn small_games() -> Vec<PathBuf> {
    let path = |name: &&str| root().join(format!("games/{name}.kif"));
    SIGNATURE_GAMES.iter().map(path).collect()
}

/// A folder with these sheets and nothing else.
pub(crate) fn folder_of(sheets: &[PathBuf]) -> TempDir {
    let directory = files(&[]);
    for sheet in sheets {
        let file = directory.path().join(sheet.file_name().unwrap_or_default());
        fs::copy(sheet, file).expect("a sheet is copied");
    }
    directory
}

/// Tells whoever runs the tests something that is no failure. Written past the test harness, which
/// keeps the words of tests that pass to itself.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Reads a sheet that must be playable.
pub(crate) fn load(path: &Path) -> Rules {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = Source::from_bytes(path.display().to_string(), &bytes);
    reference::load(source).unwrap_or_else(|error| panic!("{error}"))
}

/// A game, and all that is known of it.
pub(crate) fn known(path: &Path) -> (Box<dyn Game>, Knowledge) {
    let rules = load(path);
    let ground = ground_within(&rules, &PipelineBounds::default(), Control::default());
    let ground = ground.expect("ground rules").rules;
    let ground = Arc::new(ground);
    let mut game = GroundGame::new(ground.clone());
    let mut knowledge = Knowledge::new(&rules, game.roles());
    knowledge.learn_ground(&ground);
    knowledge.learn_play(&mut game, &run::Setup::default(), &mut || true);
    (Box::new(game), knowledge)
}

/// An engine in one of the ways it is made.
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    pub(crate) engine: Engine,
    passes: &'static [Pass],
    /// Nothing for the best.
    lanes: (Option<Width>, Option<Backend>),
}

const BEST: (Option<Width>, Option<Backend>) = (None, None);

/// What every suite over engines runs on: all of them, with passes off and on.
pub(crate) const VARIANTS: &[Variant] = &[
    Variant { name: "reference", engine: Engine::Reference, passes: &[], lanes: BEST },
    Variant { name: "ground", engine: Engine::Ground, passes: &[], lanes: BEST },
    Variant { name: "circuit, no passes", engine: Engine::Circuit, passes: &[], lanes: BEST },
    Variant {
        name: "circuit, all passes",
        engine: Engine::Circuit,
        passes: Pass::ALL,
        lanes: BEST,
    },
    Variant { name: "scalar", engine: Engine::Scalar, passes: Pass::ALL, lanes: BEST },
    Variant {
        name: "512 lanes, portable",
        engine: Engine::Lanes,
        passes: Pass::ALL,
        lanes: (Some(Width::Lanes512), Some(Backend::Portable)),
    },
    Variant { name: "lanes, the best", engine: Engine::Lanes, passes: Pass::ALL, lanes: BEST },
];

impl Variant {
    pub(crate) fn options(&self) -> PipelineOptions {
        let lanes = Setup::new(self.lanes.0, self.lanes.1).expect("it works on any processor");
        PipelineOptions { passes: self.passes.to_vec(), lanes, ..PipelineOptions::default() }
    }

    /// A game of a sheet that the engine must be able to play.
    pub(crate) fn start(&self, stages: &Stages) -> Box<dyn Game> {
        self.make(stages).game
    }

    pub(crate) fn make(&self, stages: &Stages) -> Made {
        let made = stages.make(self.engine, &self.options());
        made.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

/// A game of rules that the engine must be able to play.
pub(crate) fn start(engine: Engine, rules: &Rules) -> Box<dyn Game> {
    let game = engine.start(rules, &PipelineOptions::default());
    game.unwrap_or_else(|error| panic!("{}: {error}", rules.source.name()))
}

/// A trace of one random playout.
pub(crate) fn trace_of(path: &Path, seed: u64) -> Trace {
    let rules = load(path);
    let mut game = start(Engine::Reference, &rules);
    let setup = run::Setup { seed, ..run::Setup::default() };
    record(&mut *game, &name_of(path), &setup, 1000)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The name of a sheet.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The levels of a file of counts, by sheet.
pub(crate) fn counts(path: &Path) -> Vec<(String, Vec<Level>)> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let counts: std::collections::BTreeMap<String, Counts> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    counts.into_iter().map(|(name, counts)| (name, counts.levels)).collect()
}

#[derive(serde::Deserialize)]
struct Counts {
    levels: Vec<Level>,
}
