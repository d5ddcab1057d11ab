//! Circuits: what they answer, and how `ludens show` tells about them.

use rayon::prelude::*;
use serde_json::Value;

use crate::support::{self, SMALL, alike, files, path, run, run_json, run_well};

#[test]
fn random_games_of_ours_are_answered_alike() {
    support::small_games().par_iter().for_each(|sheet| alike::check(sheet, 5, 1000));
}

/// A counter, a constant, and fluents that are only for show.
const TINY: &str = "
    (role r)
    (init (n 0)) (init (begun 0)) (init always)
    (succ 0 1) (succ 1 2)
    (<= (legal r go) (not (true (n 2))))
    (<= (legal r stay) (true (n 0)))
    (<= (next (n ?y)) (does r go) (true (n ?x)) (succ ?x ?y))
    (<= (next (n 0)) (does r stay))
    (<= (next always) (true always))
    (<= (next (seen ?x)) (true (n ?x)))
    (<= terminal (true (n 2)))
    (<= (goal r 100) (true (n 2)))
    (<= (goal r 0) (not (true (n 2))))";

#[test]
fn a_circuit_is_shown_line_by_line() {
    let sheets = files(&[("s.kif", TINY)]);
    let args = ["show", &path(&sheets, "s.kif"), "circuit", "--passes", "none"];
    let out = run_well(&args);
    assert_eq!(out, EXPECTED.trim_start());
    assert_eq!(run_well(&args), out);
    // A loop that is repeated is a block of its own.
    let hex = support::root().join("games/hex_small.kif").display().to_string();
    let out = run_well(&["show", &hex, "circuit", "--passes", "none"]);
    let block = out.split("repeat until nothing changes, at most 20 times\n").nth(1);
    let block = block.expect("a block").lines().take_while(|line| line.starts_with("    n"));
    assert_eq!(block.filter(|line| line.contains(" <- ")).count(), 20, "{out}");
}

const EXPECTED: &str = "
(init (n 0))
(init (begun 0))
n10 = (true (n 1)) & (does r go)
n11 = (true (n 0)) & (does r go)
(legal r go) = !(true (n 2))
(legal r stay) = (true (n 0))
terminal = (true (n 2))
(goal r 0) = !(true (n 2))
(goal r 100) = (true (n 2))
(next (n 0)) = (does r stay)
(next (n 1)) = n11
(next (n 2)) = n10
(true always) = true
(next (begun 0)) = false
(next (seen 0)) = (true (n 0))
(next (seen 1)) = (true (n 1))
(next (seen 2)) = (true (n 2))
";

#[test]
fn every_port_has_a_line() {
    for sheet in support::small_games() {
        let sheet = sheet.display().to_string();
        let text = run_well(&["show", &sheet, "circuit"]);
        let (_, network) = run_json(&["show", &sheet, "circuit", "--json"]);
        let has = |line: String| {
            let found = text.lines().any(|found| found.starts_with(&line));
            assert!(found, "{sheet}: {line}");
        };
        let texts = |item: &Value, keys: &[&str]| -> Vec<String> {
            keys.iter().map(|key| item[*key].as_str().expect("a text").to_string()).collect()
        };
        for item in network["moves"].as_array().expect("moves") {
            has(format!("(legal {}) = ", texts(item, &["role", "move"]).join(" ")));
        }
        for item in network["goals"].as_array().expect("goals") {
            has(format!("(goal {}) = ", texts(item, &["role", "value"]).join(" ")));
        }
        for item in network["fluents"].as_array().expect("fluents") {
            let word = if item["kind"] == "follows" { "true" } else { "next" };
            has(format!("({word} {}) = ", texts(item, &["fluent"]).join(" ")));
        }
        for item in network["gates"].as_array().expect("gates") {
            has(format!("{} = ", texts(item, &["gate"]).join(" ")));
        }
        has("terminal = ".to_string());
    }
}

fn numbers(items: &Value, key: &str) -> u64 {
    items.as_array().expect("a list").iter().map(|item| item[key].as_u64().expect("a number")).sum()
}

#[test]
fn figures_add_up() {
    for sheet in support::small_games() {
        for passes in ["none", "all"] {
            let sheet = sheet.display().to_string();
            let (code, report) =
                run_json(&["show", &sheet, "circuit", "--stats", "--json", "--passes", passes]);
            assert_eq!(code, 0);
            let stats = &report["stats"];
            let gates = stats["gates"].as_u64().expect("gates");
            let dead = stats["dead"].as_u64().expect("dead gates");
            assert_eq!(numbers(&stats["cones"], "added"), gates - dead, "{sheet}");
            let classic = ["and", "or"].map(|kind| stats["classic"][kind].as_u64());
            assert_eq!(classic.iter().flatten().sum::<u64>(), gates - dead, "{sheet}");
            assert_eq!(numbers(&stats["fan_in"], "count"), gates, "{sheet}");
            assert_eq!(numbers(&stats["fan_out"], "count"), gates, "{sheet}");
            let possible = numbers(&stats["moves"], "possible");
            assert_eq!(report["after"]["moves"].as_u64(), Some(possible), "{sheet}");
            for key in ["gates", "two_input_gates", "depth"] {
                assert_eq!(stats[key], report["after"][key], "{sheet}: {key}");
            }
            // Each pass begins where the one before ended.
            let mut last = &report["before"];
            for pass in report["passes"].as_array().expect("passes") {
                assert_eq!(&pass["before"], last, "{sheet}: {pass}");
                last = &pass["after"];
            }
            assert_eq!(last, &report["after"]);
            let [before, after] =
                ["before", "after"].map(|key| report[key]["two_input_gates"].as_u64());
            assert!(before >= after, "{sheet}: {before:?} two-input gates became {after:?}");
        }
    }
}

#[test]
fn figures_for_a_reader_name_passes_cones_and_loops() {
    let hex = support::root().join("games/hex_small.kif").display().to_string();
    let out = run_well(&["show", &hex, "circuit", "--stats", "--passes", "dead,dead"]);
    let lines = |start: &str| out.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!([lines("built "), lines("dead "), lines("together ")], [1, 2, 1], "{out}");
    for cone in ["legal ", "terminal ", "next ", "goal ", "observed "] {
        assert_eq!(lines(cone), 1, "{out}");
    }
    assert!(out.contains("\nmoves of white: 26, 26 may be legal, 25 are read\n"), "{out}");
    assert!(out.contains("\n2 loops of 20 sentences: "), "{out}");
}

#[test]
fn a_folder_is_surveyed() {
    let folder = files(&[("a.kif", SMALL), ("b.kif", TINY)]);
    let folder_path = folder.path().display().to_string();
    let args = ["show", &folder_path, "circuit", "--stats"];
    let out = run_well(&args);
    assert!(out.contains("circuits of 2 of 2 sheets: "), "{out}");
    assert!(out.lines().any(|line| line.starts_with("pass dead ")), "{out}");

    std::fs::write(folder.path().join("c.kif"), "(role").expect("a file is written");
    let (code, document) = run_json(&[&args[..], &["--json", "--passes", "dead"]].concat());
    assert_eq!((code, &document["passes"]), (1, &"dead".into()));
    let sheets = document["sheets"].as_array().expect("sheets");
    let results: Vec<&Value> = sheets.iter().map(|sheet| &sheet["result"]).collect();
    assert_eq!(results, ["grounded", "grounded", "unplayable"]);
    let summary = &document["summary"];
    assert_eq!((&summary["sheets"], &summary["circuits"]), (&3.into(), &2.into()));
    assert_eq!(summary["each_pass"][0]["pass"], "dead");
    let gates: u64 = sheets.iter().filter_map(|sheet| sheet["after"]["gates"].as_u64()).sum();
    assert_eq!(summary["gates_after"].as_u64(), Some(gates));
}

#[test]
fn what_cannot_be_shown_is_said() {
    let sheets =
        files(&[("s.kif", SMALL), ("bad.kif", "(role"), ("boom.kif", &support::explosion())]);
    let [sheet, bad, boom] = ["s.kif", "bad.kif", "boom.kif"].map(|name| path(&sheets, name));
    let folder = sheets.path().display().to_string();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["show", &sheet, "rules", "--stats"], 1, "--stats is only for circuits: "),
        (&["show", &folder, "circuit"], 1, "is a folder; --stats covers all its sheets"),
        (&["show", &sheet, "circuit", "--passes", "deaf"], 2, "there is no pass deaf"),
        (&["show", &boom, "circuit", "--memory", "1"], 1, "has no circuit: grounding "),
    ];
    for (args, expected, words) in cases {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (*expected, ""), "{args:?}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
    let (code, out, _) = run(&["show", &bad, "circuit", "--stats"]);
    assert_eq!(code, 1);
    assert!(out.contains("bad.kif: cannot be played"), "{out}");
    let (code, out, _) = run(&["show", &boom, "circuit", "--stats", "--memory", "1"]);
    assert_eq!(code, 1);
    assert!(out.contains("boom.kif: has no circuit: grounding "), "{out}");
}
