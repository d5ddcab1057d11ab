//! Playouts in great numbers, and the benchmark: the same figures however they are played.

use std::fs;
use std::time::Duration;

use ludens::playouts::{Codes, PlayoutBudget, PlayoutPlan, PlayoutsError, Statistics, play};
use propnet::game::{ForeignError, Game};
use propnet::lanes::{Backend, Setup, Totals, Width};
use propnet::machine::Level;
use propnet::reference::Reasoner;
use serde_json::Value;

use crate::support::playing::{played, program};
use crate::support::{
    self, SMALL, STUCK, files, load, ludens, path, root, run, run_json, run_well,
};

/// A game without end.
const ENDLESS: &str = "
    (role a)
    (init (at 0))
    (legal a stay) (legal a go)
    (<= (next (at 1)) (does a go))
    (<= (next (at 0)) (does a stay))
    (<= terminal (true never))
    (<= (goal a 50) (true (at ?n)))";

/// So many playouts: a multiple of no width, and more than one portion of every thread.
const COUNT: u64 = 9_001;

/// All widths and back ends that this processor has.
fn setups() -> Vec<Setup> {
    let portable = Width::ALL.iter().map(|&width| (Some(width), Backend::Portable));
    let compiled = [Level::Avx2, Level::Avx512].map(|level| (None, Backend::Machine(level)));
    portable
        .chain(compiled)
        .filter_map(|(width, backend)| Setup::new(width, Some(backend)).ok())
        .collect()
}

#[test]
fn totals_are_the_same_for_all_threads_widths_and_back_ends() {
    for name in ["tic_tac_toe", "rock_paper_scissors", "hex_small"] {
        let rules = support::load(&support::root().join(format!("games/{name}.kif")));
        let mut first: Option<Totals> = None;
        for setup in setups() {
            let program = program(&rules, setup);
            let codes = Codes::ready(&program, setup.backend()).expect("code");
            for threads in [1, 2, 3] {
                let budget = PlayoutBudget::Playouts(COUNT);
                let totals = played(&program, &codes, (setup, threads), budget).totals;
                assert_eq!(totals.playouts, COUNT);
                let first = first.get_or_insert_with(|| totals.clone());
                assert_eq!(*first, totals, "{name}, {setup}, {threads} threads");
            }
        }
    }
}

#[test]
fn a_budget_of_time_loses_no_playout() {
    let rules = support::load(&support::root().join("games/tic_tac_toe.kif"));
    let setup = Setup::SCALAR;
    let program = program(&rules, setup);
    let codes = Codes::ready(&program, setup.backend()).expect("code");
    let budget = PlayoutBudget::Time(Duration::from_millis(30));
    let totals = played(&program, &codes, (setup, 2), budget).totals;
    assert!(totals.playouts > 0);
    // The jobs are the first ones, so a run over as many gives the same.
    let again =
        played(&program, &codes, (setup, 1), PlayoutBudget::Playouts(totals.playouts)).totals;
    assert_eq!(again, totals);
    let statistics = Statistics::new(&program, &totals);
    assert_eq!(statistics.lengths.counts.iter().sum::<u64>(), totals.playouts);
}

#[test]
fn playouts_as_json() {
    let games = support::root().join("games/tic_tac_toe.kif").display().to_string();
    let args = ["playouts", &games, "-n", "5000", "--json", "--seed", "3"];
    let (code, found) = run_json(&args);
    assert_eq!(code, 0);
    assert_eq!((&found["game"], &found["playouts"]), (&"tic_tac_toe".into(), &5000.into()));
    assert_eq!((&found["stuck"], &found["cut"]), (&0.into(), &0.into()));
    for role in found["goals"].as_array().expect("roles") {
        let shares = role["distribution"].as_array().expect("a distribution");
        let values: Vec<&str> =
            shares.iter().map(|share| share["value"].as_str().expect("a value")).collect();
        assert_eq!(values, ["0", "50", "100"]);
        let playouts = shares.iter().map(|share| share["playouts"].as_u64().expect("a count"));
        assert_eq!(playouts.sum::<u64>(), 5000);
        assert!(role["standard_error"].as_f64().is_some_and(|error| error > 0.1 && error < 2.0));
        assert_eq!(role["missing"], 0);
    }
    let x = found["goals"][0]["mean"].as_f64().expect("a mean");
    assert!((62.0..68.0).contains(&x), "the first player wins more often: {x}");
    let lengths = &found["lengths"];
    assert_eq!((&lengths["min"], &lengths["max"]), (&5.into(), &9.into()));
    assert!(lengths["mean"].as_f64().is_some_and(|mean| (7.4..7.8).contains(&mean)));
    for key in ["seconds", "cpu_seconds", "playouts_per_second", "playouts_per_cpu_second"] {
        assert!(found[key].as_f64().is_some_and(|number| number > 0.0), "{key}");
    }
    // Whatever plays, the figures are the same.
    let other = ["--threads", "3", "--lanes", "64", "--backend", "portable"];
    let (_, again) = run_json(&[&args[..], &other[..]].concat());
    for key in ["goals", "lengths", "steps"] {
        assert_eq!(found[key], again[key], "{key}");
    }
}

#[test]
fn playouts_for_a_reader() {
    let games = support::root().join("games/tic_tac_toe.kif").display().to_string();
    let out = run_well(&["playouts", &games, "-n", "2000"]);
    assert!(out.starts_with("tic_tac_toe: 2000 playouts, seed 0\n"), "{out}");
    assert!(out.contains("length: mean 7.") && out.contains("from 5 to 9"), "{out}");
    assert!(out.lines().filter(|line| line.contains('#')).count() == 5, "{out}");
    assert!(out.contains("per CPU second"), "{out}");
    assert!(!out.contains("stuck") && !out.contains("cut:"), "{out}");
}

#[test]
fn moves_are_made_before_playouts() {
    let sheets = files(&[("s.kif", SMALL)]);
    let sheet = path(&sheets, "s.kif");
    let length = |moves: &str| {
        let (code, found) = run_json(&["playouts", &sheet, "-n", "10", "--json", "--moves", moves]);
        assert_eq!(code, 0);
        found["lengths"]["max"].as_u64()
    };
    assert_eq!(length(""), Some(2));
    assert_eq!(length("(up *)"), Some(1));
    // In a state in which the game is over, playouts make no move.
    assert_eq!(length("(up up) (up up)"), Some(0));
    let (code, _, err) = run(&["playouts", &sheet, "--moves", "(down up)"]);
    assert_eq!(code, 1);
    assert!(err.contains("down"), "{err}");
}

#[test]
fn playouts_that_do_not_end_are_counted_apart() {
    let sheets = files(&[("stuck.kif", STUCK), ("endless.kif", ENDLESS)]);
    let (stuck, endless) = (path(&sheets, "stuck.kif"), path(&sheets, "endless.kif"));
    let (_, found) = run_json(&["playouts", &stuck, "-n", "100", "--json"]);
    assert_eq!((&found["stuck"], &found["cut"]), (&100.into(), &0.into()));
    assert_eq!(found["goals"][0]["mean"], Value::Null);
    let (_, found) = run_json(&["playouts", &endless, "-n", "100", "--json", "--limit", "37"]);
    assert_eq!((&found["stuck"], &found["cut"]), (&0.into(), &100.into()));
    assert_eq!((&found["lengths"]["min"], &found["steps"]), (&37.into(), &3700.into()));
    assert!(run_well(&["playouts", &stuck, "-n", "1"]).contains("stuck: 1 playout:"));
    let out = run_well(&["playouts", &endless, "-n", "9", "--limit", "5"]);
    assert!(out.contains("cut: 9 playouts after 5 joint moves"), "{out}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let sheets = files(&[("bad.kif", "(role a)\n)"), ("s.kif", SMALL)]);
    let (bad, good) = (path(&sheets, "bad.kif"), path(&sheets, "s.kif"));
    assert_eq!(run(&["playouts", &bad]).0, 1);
    assert_eq!(run(&["playouts", &path(&sheets, "none.kif")]).0, 1);
    assert_eq!(run(&["playouts", &good, "--backend", "quantum"]).0, 2);
    assert_eq!(run(&["playouts", &good, "--lanes", "65"]).0, 2);
    assert_eq!(run(&["playouts", &good, "-n", "0"]).0, 2);
    assert_eq!(run(&["playouts", &good, "--lanes", "64", "--backend", "avx2"]).0, 1);
}

#[test]
fn bench_as_json_saved_and_compared() {
    let sheets = files(&[("good.kif", SMALL), ("bad.kif", "(role a)\n)"), ("end.kif", ENDLESS)]);
    let saved = path(&sheets, "saved.json");
    let good = path(&sheets, "good.kif");
    let short = ["--seconds", "0.02", "--threads", "1", "--limit", "100"];
    let mut args = vec!["bench", "--json", "--save", &saved];
    let folder = sheets.path().display().to_string();
    args.push(&folder);
    let (code, found) = run_json(&[&args[..], &short[..]].concat());
    assert_eq!(code, 1, "a bad sheet is told by the exit code");
    assert_eq!(found["threads"], 1);
    let named = |name: &str| {
        let mut sheets = found["sheets"].as_array().expect("sheets").iter();
        sheets.find(|sheet| sheet["sheet"] == name).expect("the sheet").clone()
    };
    assert!(named("bad")["error"].is_string() && named("bad")["gates"].is_null());
    let figures = named("good");
    for key in [
        "lookup_tables",
        "data_bytes",
        "playouts_per_second",
        "playouts_per_cpu_second",
        "job_playouts_per_second",
        "job_playouts_per_cpu_second",
        "steps_per_second",
        "steps_per_cpu_second",
        "scalar_steps_per_cpu_second",
        "times_scalar",
    ] {
        assert!(figures[key].as_f64().is_some_and(|number| number > 0.0), "{key}: {figures}");
    }
    for key in ["parse", "ground", "build", "passes", "map", "compile"] {
        assert!(figures["make_seconds"][key].is_f64(), "{key}");
    }
    let split = &figures["lane_step_nanoseconds"];
    for key in ["total", "state", "choice", "next", "goal", "refill"] {
        assert!(split[key].as_f64().is_some_and(|number| number >= 0.0), "{key}");
    }
    let length = |figures: &Value| figures["mean_length"].as_f64().expect("a length");
    assert!((1.5..2.5).contains(&length(&figures)) && figures["limit"].is_null(), "{figures}");
    assert_eq!(figures["mean_goals"], serde_json::json!([100.0, 40.0]));
    // Playouts that never end are cut, which is said.
    let endless = named("end");
    assert!((75.0..125.0).contains(&length(&endless)) && endless["limit"] == 100, "{endless}");
    assert_eq!(endless["cut"], endless["playouts"]);

    let text = fs::read_to_string(&saved).expect("the file was written");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), found);
    let compare = ["bench", &good, "--compare", &saved];
    let (code, again) = run_json(&[&compare[..], &short[..], &["--json"]].concat());
    assert_eq!(code, 0);
    assert!(again["sheets"][0]["ratio"].as_f64().is_some_and(|ratio| ratio > 0.0));
    let out = run_well(&[&compare[..], &short[..]].concat());
    assert!(out.contains("x before") && out.contains("compile s"), "{out}");

    assert!(again["version"].is_string() && again["machine"]["cores"].is_u64(), "{again}");
    assert!(again.get("differences").is_none(), "nothing but the speed differs: {again}");
    let (ratio, range) = (&again["sheets"][0]["ratio"], &again["sheets"][0]["ratio_range"]);
    assert!(range[0].as_f64() <= range[1].as_f64() && ratio.is_f64(), "{range}");
    let spread = &again["sheets"][0]["playouts_per_cpu_second_spread"];
    assert!(spread["runs"] == 5 && spread["min"].as_f64() <= spread["max"].as_f64(), "{spread}");

    let (code, _, err) = run(&["bench", &good, "--compare", &good]);
    assert_eq!(code, 1);
    assert!(err.contains("was not written by bench --save"), "{err}");
    let (code, out, _) = run(&[&["bench", &path(&sheets, "bad.kif")][..], &short[..]].concat());
    assert_eq!(code, 1);
    assert!(out.contains("bad") && out.contains("error: "), "{out}");
}

#[test]
fn a_comparison_can_fail() {
    let sheets = files(&[("good.kif", SMALL), ("other.kif", STUCK)]);
    let (good, saved) = (path(&sheets, "good.kif"), path(&sheets, "saved.json"));
    let short = ["--seconds", "0.02", "--threads", "1", "--lanes", "64", "--backend", "portable"];
    run_well(&[&["bench", &good, "--save", &saved], &short[..]].concat());
    let compare = |sheet: &str, least: &str, more: &[&str]| {
        let args = ["bench", sheet, "--compare", &saved, "--fail-below", least];
        run(&[&args[..], &short[..4], more].concat())
    };
    let same = ["--lanes", "64", "--backend", "portable"];
    let (code, out, _) = compare(&good, "1e-6", &same);
    assert!(code == 0 && !out.contains("note: ") && !out.contains("below"), "{out}");
    let (code, out, _) = compare(&good, "1e6", &same);
    assert!(code == 1 && out.contains("below 1000000 times as fast as before: good "), "{out}");
    // Another width is told, since it is no fault of the program.
    let (_, out, _) = compare(&good, "1e-6", &["--lanes", "512", "--backend", "portable"]);
    assert!(out.contains("note: lanes: 64 in the saved run, 512 in this one\n"), "{out}");
    let text = fs::read_to_string(&saved).expect("the file");
    fs::write(&saved, text.replace("\"portable\"", "\"avx2\"")).expect("written");
    let (_, out, _) = compare(&good, "1e-6", &same);
    assert!(out.contains("note: back end: avx2 in the saved run, portable in this one\n"), "{out}");
    // Where nothing is compared nothing can have passed.
    let (code, _, err) = compare(&path(&sheets, "other.kif"), "0.5", &same);
    assert!(code == 1 && err.contains("no sheet was compared"), "{err}");
    assert_eq!(compare(&good, "much", &same).0, 2);
    assert_eq!(run(&["bench", &good, "--fail-below", "0.9"]).0, 2, "there is nothing to compare");
}

#[test]
fn counts_are_typed_in_several_ways() {
    let sheets = files(&[("s.kif", SMALL)]);
    let sheet = path(&sheets, "s.kif");
    for number in ["1e3", "1_000", "1.0e3"] {
        let (code, found) = run_json(&["playouts", &sheet, "-n", number, "--json"]);
        assert_eq!((code, &found["playouts"]), (0, &1000.into()), "{number}");
    }
    for (number, complaint) in [
        ("1.5", "1.5 is not a whole number"),
        ("-3", "a count cannot be negative"),
        ("1e30", "1e30 is too large"),
        ("many", "\"many\" is not a count"),
    ] {
        let (code, _, err) = run(&["playouts", &sheet, "-n", number]);
        assert!(code == 2 && err.contains(complaint), "{number}: {err}");
    }
    let simulations = ["match", &sheet, "--players", "uct,first", "--simulations", "1e1"];
    run_well(&simulations);
    run_well(&["perft", &sheet, "--depth", "2", "--states", "1e3"]);
    assert_eq!(run(&["perft", &sheet, "--depth", "1e1"]).0, 2, "a depth is a plain number");
}

#[test]
fn the_signature_is_the_same_wherever_it_is_made() {
    let signature = |args: &[&str]| {
        let mut command = ludens();
        command.args([&["bench", "--signature"], args].concat());
        let output = command.output().expect("it starts");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        text.trim().parse::<u64>().expect("a number")
    };
    let all = signature(&[]);
    assert_eq!(all, signature(&["--threads", "3", "--backend", "portable", "--lanes", "64"]));
    let one = "tic_tac_toe";
    let first = signature(&[one]);
    assert_ne!(first, all);
    assert_ne!(first, signature(&[one, "--seed", "1"]));
    for setup in setups() {
        let (lanes, backend) = (setup.width().lanes().to_string(), setup.backend().name());
        for threads in ["1", "2"] {
            let args = [one, "--lanes", &lanes, "--backend", backend, "--threads", threads];
            assert_eq!(first, signature(&args), "{args:?}");
        }
    }
}

#[test]
fn a_state_of_another_engine_is_refused() {
    let setup = Setup::default();
    let rules = load(&root().join("games/tic_tac_toe.kif"));
    let program = program(&rules, setup);
    let codes = Codes::ready(&program, setup.backend()).expect("code");
    let state = Reasoner::new(&rules).initial_state().expect("a state");
    let plan = PlayoutPlan {
        program: &program,
        codes: &codes,
        state: &state,
        seed: 1,
        budget: PlayoutBudget::Playouts(1),
        limit: 500,
        weights: &[],
        threads: 1,
        width: setup.width(),
    };
    let refused = play(&plan, &|_| true);
    assert!(matches!(refused, Err(PlayoutsError::Foreign(ForeignError::State))));
}
