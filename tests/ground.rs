//! `ludens ground`, `ludens show ground` and the engine `ground`: figures, limits, round trips.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{self, SMALL, STUCK, files, path, run, run_json, run_well};

/// Not a second more than a slow machine needs: a limit must be reported promptly.
const PROMPTLY: Duration = Duration::from_secs(30);

/// A folder with a few sheets.
fn games() -> TempDir {
    support::folder_of(&support::small_games())
}

fn text(folder: &TempDir) -> String {
    folder.path().display().to_string()
}

fn game(name: &str) -> String {
    support::root().join(format!("games/{name}.kif")).display().to_string()
}

#[test]
fn one_sheet_is_shown_stage_by_stage() {
    let out = run_well(&["ground", &game("tic_tac_toe")]);
    assert!(out.contains("tic_tac_toe.kif: grounded in "), "{out}");
    let stages = ["parse", "normalize", "split", "statics", "fixpoint", "emit", "sharpen"];
    let found: Vec<&str> = out
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|word| stages.contains(word))
        .collect();
    assert_eq!(found, stages, "{out}");
    let line = |name: &str| out.lines().find(|line| line.starts_with(name)).expect("a line");
    let numbers = |name: &str| line(name).split_whitespace().skip(1).count();
    assert_eq!((numbers("before "), numbers("after ")), (5, 5), "{out}");
    let (_, heaviest) = out.split_once("rules with the most instances\n").expect("rules");
    assert_eq!(heaviest.lines().count(), 10, "{out}");
    assert!(heaviest.contains("(<= (next (cell ?c ?r ?p))"), "{out}");
}

#[test]
fn json_has_every_figure() {
    let (code, document) = run_json(&["ground", "--json", "--memory", "64", &game("hex_small")]);
    assert_eq!((code, &document["limits"]["bytes"]), (0, &(64u64 << 20).into()));
    assert_eq!(document["limits"]["seconds"], 60.0);
    let sheet = &document["sheets"][0];
    assert_eq!((&sheet["result"], &sheet["message"]), (&"grounded".into(), &Value::Null));
    let stages = sheet["stages"].as_array().expect("stages");
    assert_eq!(stages.len(), 7);
    for stage in stages {
        assert!(stage["stage"].is_string() && stage["seconds"].is_number());
        assert!(stage["cpu_seconds"].is_number(), "{stage}");
        for key in ["runs", "rules", "facts", "ground_rules", "literals", "counted_bytes"] {
            assert!(stage[key].is_u64(), "{key} in {stage}");
        }
        assert_eq!(stage["peak_bytes"].is_u64(), cfg!(target_os = "linux"), "{stage}");
    }
    for key in ["rules", "literals", "atoms", "fluents", "moves"] {
        let (before, after) = (sheet["before"][key].as_u64(), sheet["after"][key].as_u64());
        assert!(before.is_some() && after.is_some() && after <= before, "{key} in {sheet}");
    }
    assert_eq!(sheet["after"]["moves"], 52);
    assert!(sheet["sharpening"]["rounds"].as_u64().is_some_and(|rounds| rounds > 0));
    let heaviest = sheet["heaviest"].as_array().expect("rules");
    assert!(!heaviest.is_empty() && heaviest.len() <= 10);
    let shares: f64 = heaviest.iter().filter_map(|rule| rule["share"].as_f64()).sum();
    assert!(shares > 0.5 && shares < 1.000_001, "{shares}");
    assert!(heaviest[0]["line"].is_u64() && heaviest[0]["column"].is_u64());
    assert!(heaviest[0]["text"].as_str().is_some_and(|text| text.starts_with("(<= (")));
    assert!(heaviest[0]["relation"].is_string() && heaviest[0]["instances"].is_u64());
    assert_eq!(
        (&document["summary"]["sheets"], &document["summary"]["grounded"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn a_folder_is_a_table_with_a_summary() {
    let folder = games();
    let names: Vec<String> =
        support::small_games().iter().map(|path| support::name_of(path)).collect();
    for options in [&[][..], &["--threads", "3"]] {
        let out = run_well(&[&["ground", &text(&folder)], options].concat());
        let mut lines = out.lines();
        let header: Vec<&str> = lines.next().expect("a header").split_whitespace().collect();
        let columns = "sheet seconds CPU s spread facts instances rules literals fluents moves \
                       counted MB peak MB result";
        assert_eq!(header.join(" "), columns);
        for name in &names {
            let cells: Vec<&str> = lines.next().expect("a row").split_whitespace().collect();
            assert_eq!(
                (cells[0], cells[12], cells.len()),
                (name.as_str(), "grounded", 13),
                "{out}"
            );
            assert_eq!(cells[3], "-", "one run has no spread: {out}");
            assert_eq!(cells[11] != "-", cfg!(target_os = "linux"), "{out}");
        }
        assert!(out.contains(&format!("grounded {0} of {0} sheets\n", names.len())), "{out}");
        assert!(out.contains("\nseconds: p50 0.") && out.contains(", p99 "), "{out}");
        assert!(out.contains("\nCPU seconds: p50 0."), "{out}");
    }
}

#[test]
fn sheets_and_folders_make_one_document() {
    let sheets = files(&[("a.kif", SMALL), ("b.kif", "(role"), ("c.txt", "no sheet")]);
    let folder = sheets.path().display().to_string();
    let (code, document) = run_json(&["ground", "--json", &folder, &game("tic_tac_toe")]);
    assert_eq!(code, 1, "a sheet that is none is a failure");
    let found = document["sheets"].as_array().expect("sheets").iter();
    let results: Vec<&str> = found.filter_map(|sheet| sheet["result"].as_str()).collect();
    assert_eq!(results, ["grounded", "unplayable", "grounded"]);
    assert_eq!(document["sheets"][0]["sheet"], path(&sheets, "a.kif"));
    let first = &document["sheets"][0]["stages"][0];
    assert_eq!(first["peak_bytes"].is_u64(), cfg!(target_os = "linux"), "{first}");
    let summary = &document["summary"];
    assert_eq!((&summary["sheets"], &summary["grounded"]), (&3.into(), &2.into()));
    assert_eq!(summary["results"]["unplayable"], 1);
    for key in ["p50", "p90", "p95", "p99", "max", "sum"] {
        assert!(summary["seconds"][key].is_number(), "{key}");
    }
    let (code, out, _) = run(&["ground", &folder]);
    assert_eq!(code, 1);
    assert!(out.contains("grounded 1 of 2 sheets; 1 cannot be played\n"), "{out}");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let sheets = files(&[("bad.kif", "(role"), ("none.txt", "")]);
    let (code, out, _) = run(&["ground", &path(&sheets, "bad.kif")]);
    assert_eq!(code, 1);
    assert!(out.contains("error[") && out.contains("bad.kif: cannot be played"), "{out}");
    assert_eq!(run(&["ground", &path(&sheets, "gone.kif")]).0, 1);
    let empty = files(&[("none.txt", "")]);
    let (code, _, err) = run(&["ground", &empty.path().display().to_string()]);
    assert_eq!(code, 1);
    assert!(err.contains("there is no sheet NAME.kif in "), "{err}");
    for wrong in [["--time", "-1"], ["--time", "soon"], ["--memory", "0"], ["--threads", "0"]] {
        assert_eq!(run(&["ground", &game("tic_tac_toe"), wrong[0], wrong[1]]).0, 2, "{wrong:?}");
    }
    assert_eq!(run(&["ground"]).0, 2);
}

#[test]
fn a_sheet_without_bounds_fails_promptly_and_names_its_rule() {
    let sheets = files(&[("boom.kif", &support::explosion())]);
    let boom = path(&sheets, "boom.kif");
    let cases = [
        (["--memory", "1", "--time", "60"], "memory", "the limit of 1048576 bytes"),
        (["--time", "0.3", "--memory", "100000"], "time", "the limit of 0.3 s"),
    ];
    for (options, result, limit) in cases {
        let begun = Instant::now();
        let (code, out, err) = run(&[&["ground", &boom], &options[..]].concat());
        assert!(begun.elapsed() < PROMPTLY, "{result} took {:?}", begun.elapsed());
        assert_eq!((code, err.as_str()), (1, ""));
        assert!(out.contains("boom.kif: not grounded after ") && out.contains(limit), "{out}");
        assert!(
            out.contains("line 3, column 5: the rule for legal pick, which had made "),
            "{out}"
        );
        assert!(out.lines().any(|line| line.starts_with("unfinished ")), "{out}");

        let (code, document) = run_json(&[&["ground", "--json", &boom], &options[..]].concat());
        let sheet = &document["sheets"][0];
        assert_eq!((code, &sheet["result"]), (1, &result.into()));
        assert_eq!((&sheet["growth"]["line"], &sheet["growth"]["column"]), (&3.into(), &5.into()));
        assert_eq!(sheet["growth"]["relation"], "legal pick");
        assert!(sheet["growth"]["instances"].as_u64().is_some_and(|number| number > 1000));
        assert!(sheet["after"].is_null() && sheet["message"].is_string());
    }
    let (code, out, _) = run(&["ground", "--memory", "1", &boom, &game("tic_tac_toe")]);
    assert_eq!(code, 1);
    assert!(out.contains("grounded 1 of 2 sheets; 1 over the limit of memory\n"), "{out}");
    assert!(out.contains("boom.kif: grounding needs more than the limit of 1048576 bytes; "));
}

#[test]
fn the_machine_and_the_version_are_told() {
    let (_, document) = run_json(&["ground", "--json", &game("tic_tac_toe")]);
    assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
    let machine = &document["machine"];
    assert!(machine["cores"].as_u64().is_some_and(|cores| cores > 0), "{machine}");
    assert!(machine["os"].is_string() && machine["arch"].is_string(), "{machine}");
    assert!(machine.get("cpu").is_some(), "{machine}");
    let sheet = &document["sheets"][0];
    assert!(sheet["cpu_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{sheet}");
    assert!(sheet["repeated"].is_null(), "{sheet}");
}

#[test]
fn several_runs_have_a_median_and_a_spread() {
    let sheets = files(&[("a.kif", SMALL), ("b.kif", SMALL)]);
    let folder = text(&sheets);
    for one_or_two in [path(&sheets, "a.kif"), folder.clone()] {
        let (_, document) = run_json(&["ground", "--json", "--repeat", "5", &one_or_two]);
        assert_eq!(document["repeat"], 5);
        for key in ["seconds", "cpu_seconds"] {
            let sheet = &document["sheets"][0];
            let spread = &sheet["repeated"][key];
            let of = |name: &str| spread[name].as_f64().expect("a number");
            assert_eq!(
                (&spread["runs"], of("median")),
                (&5.into(), sheet[key].as_f64().expect("s"))
            );
            assert!(of("min") <= of("median") && of("median") <= of("max"), "{spread}");
        }
    }
    let out = run_well(&["ground", "--repeat", "3", &path(&sheets, "a.kif")]);
    assert!(out.contains("\nmedians of 3 runs: 0."), "{out}");
    let out = run_well(&["ground", "--repeat", "3", &folder]);
    let spread = out.lines().nth(1).and_then(|line| line.split_whitespace().nth(3));
    assert!(spread.is_some_and(|spread| spread.ends_with('%')), "{out}");
}

#[test]
fn sheets_as_comma_separated_values() {
    let sheets = files(&[("a.kif", SMALL), ("bad.kif", "(role a)\n)"), ("c,d.kif", SMALL)]);
    let (code, out, err) = run(&["ground", "--csv", &text(&sheets)]);
    assert_eq!((code, err.as_str()), (1, ""));
    let mut lines = csv::Reader::from_reader(out.as_bytes());
    let names: Vec<String> = lines.headers().expect("names").iter().map(String::from).collect();
    let at = |name: &str| names.iter().position(|known| known == name).expect("a column");
    let rows: Vec<csv::StringRecord> = lines.records().map(|row| row.expect("a row")).collect();
    let column = |name: &str| rows.iter().map(|row| row[at(name)].to_string()).collect::<Vec<_>>();
    assert_eq!(column("result"), ["grounded", "unplayable", "grounded"]);
    assert_eq!(column("sheet")[2], path(&sheets, "c,d.kif"));
    assert_eq!((column("rules")[0].as_str(), column("rules")[1].as_str()), ("12", ""));
    assert!(column("message")[1].contains("error[surplus-parenthesis]"));
    assert!(column("cpu_seconds").iter().all(|seconds| seconds.parse::<f64>().is_ok()));
    assert_eq!(run(&["ground", "--csv", "--json", &text(&sheets)]).0, 2);
    let one = run_well(&["ground", "--csv", "--repeat", "2", &path(&sheets, "a.kif")]);
    assert_eq!(one.lines().count(), 2, "{one}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells the peak of memory")]
fn a_sheet_that_ran_out_has_a_peak_of_its_own() {
    let sheets = files(&[("a_boom.kif", &support::explosion()), ("b.kif", SMALL)]);
    for limit in [["--memory", "200", "--time", "60"], ["--time", "0.5", "--memory", "100000"]] {
        let folder = text(&sheets);
        let (code, document) = run_json(&[&["ground", "--json", &folder][..], &limit].concat());
        assert_eq!(code, 1);
        let peak = |at: usize| document["sheets"][at]["peak_bytes"].as_u64().expect("a peak");
        assert_ne!(document["sheets"][0]["result"], "grounded");
        // The small sheet comes after the large one, and has nothing of its memory.
        assert!(peak(0) > peak(1) + (4 << 20), "{} and {}", peak(0), peak(1));
        let counted = &document["sheets"][0]["counted_bytes"];
        match limit[0] {
            "--memory" => assert_eq!(*counted, 200u64 << 20),
            _ => assert!(counted.is_null(), "{counted}"),
        }
    }
}

#[test]
fn commands_about_the_stage_report_the_limit() {
    let sheets = files(&[("boom.kif", &support::explosion())]);
    let (code, out, err) = run(&["show", &path(&sheets, "boom.kif"), "ground", "--memory", "1"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("boom.kif cannot be grounded: grounding needs more than "), "{err}");
    assert!(err.contains("line 3, column 5"), "{err}");
}

#[test]
fn commands_that_play_fall_back_with_a_notice() {
    let sheets = files(&[("boom.kif", &support::explosion())]);
    let sheet = path(&sheets, "boom.kif");
    let commands: [&[&str]; 3] =
        [&["play", &sheet, "-q"], &["perft", &sheet, "--depth", "2"], &["trace", &sheet]];
    for command in commands {
        let reference = run_well(command);
        let bounded = [command, &["--engine", "ground", "--memory", "1"]].concat();
        let (code, out, err) = run(&bounded);
        assert_eq!((code, &out), (0, &reference), "{err}");
        assert!(err.starts_with("ludens: notice: ") && err.contains("boom.kif"), "{err}");
        assert!(err.contains("1048576 bytes") && err.contains("reference reasoner"), "{err}");
    }
    run_well(&["play", &game("connect_four"), "--engine", "ground"]);
}

#[test]
fn verification_does_not_fall_back() {
    let directory = files(&[("boom.kif", &support::explosion())]);
    let (sheet, trace) = (path(&directory, "boom.kif"), path(&directory, "boom.json"));
    fs::write(&trace, run_well(&["trace", &sheet])).expect("the trace is written");
    let verify = ["verify", &sheet, "--trace", &trace];
    assert!(run_well(&verify).contains(": agrees after "));
    let limited = ["--engine", "ground", "--memory", "1"];
    let (code, out, err) = run(&[&verify[..], &limited].concat());
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("failed after 0 comparisons"), "{out}");
    assert!(out.contains("the sheet cannot be grounded: grounding needs more than "), "{out}");

    // With other bounds the sheet might be grounded, so a record does not answer for it.
    let (folder, record) = (directory.path().display().to_string(), path(&directory, "r.jsonl"));
    let corpus = ["verify", "--corpus", &folder, "--traces", &folder, "--resume", &record];
    for _ in 0..2 {
        let (code, summary) = run_json(&[&corpus[..], &limited, &["--json"]].concat());
        assert_eq!((code, &summary["failed"], &summary["from_record"]), (1, &1.into(), &0.into()));
        assert_eq!(summary["problems"][0]["limited"], true);
    }
}

/// A sheet's ground rules as a sheet.
fn ground_text(directory: &TempDir, sheet: &str) -> String {
    let text = run_well(&["show", sheet, "ground"]);
    let file = path(directory, "ground.kif");
    fs::write(&file, &text).expect("the ground rules are written");
    file
}

#[test]
fn ground_rules_are_a_sheet_of_the_same_game() {
    let directory = files(&[("small.kif", SMALL), ("stuck.kif", STUCK)]);
    let mut sheets: Vec<String> =
        support::small_games().iter().map(|path| path.display().to_string()).collect();
    sheets.extend([path(&directory, "small.kif"), path(&directory, "stuck.kif")]);
    for sheet in sheets {
        let ground = ground_text(&directory, &sheet);
        assert!(!fs::read_to_string(&ground).expect("text").contains('?'), "no variable is left");
        let trace = path(&directory, "trace.json");
        for seed in ["1", "2"] {
            fs::write(&trace, run(&["trace", &sheet, "--seed", seed]).1).expect("written");
            for engine in ["reference", "ground"] {
                let args = ["verify", &ground, "--trace", &trace, "--engine", engine];
                let out = run_well(&args);
                assert!(out.contains(": agrees after "), "{sheet}: {out}");
            }
        }
        if !sheet.ends_with("stuck.kif") {
            let count = |file: &str, engine: &str| {
                let args = ["perft", file, "--depth", "3", "--json", "--engine", engine];
                run_json(&args).1["levels"].clone()
            };
            let expected = count(&sheet, "reference");
            assert_eq!(count(&sheet, "ground"), expected, "{sheet}");
            assert_eq!(count(&ground, "ground"), expected, "{sheet}, grounded twice");
        }
    }
}

#[test]
fn the_same_sheet_gives_the_same_text_in_every_way() {
    let directory = files(&[]);
    let file = path(&directory, "out.kif");
    for sheet in support::small_games() {
        let sheet = sheet.display().to_string();
        let text = run_well(&["show", &sheet, "ground"]);
        assert_eq!(run_well(&["show", &sheet, "ground"]), text, "{sheet}");
        let out = run_well(&["ground", &sheet, "--out", &file]);
        assert!(out.contains(": grounded in "), "{out}");
        assert_eq!(fs::read_to_string(&file).expect("the file"), text, "{sheet}");
        let (code, rules) = run_json(&["show", &sheet, "ground", "--json"]);
        let rules = rules.as_array().expect("rules");
        assert_eq!((code, rules.len()), (0, text.lines().count()));
        assert_eq!((&rules[1]["line"], &rules[1]["column"]), (&2.into(), &1.into()));
    }
}

#[test]
fn out_takes_one_sheet() {
    let directory = files(&[]);
    let file = path(&directory, "out.kif");
    let folder = games();
    let (code, _, err) = run(&["ground", &text(&folder), "--out", &file]);
    assert_eq!(code, 1);
    assert!(err.contains("--out takes the rules of one sheet, but there are 7"), "{err}");
    assert!(fs::metadata(&file).is_err());
    let nowhere = path(&directory, "no/out.kif");
    assert_eq!(run(&["ground", &game("tic_tac_toe"), "--out", &nowhere]).0, 1);
}
