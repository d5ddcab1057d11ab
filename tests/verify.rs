//! `ludens verify`: round trips, every kind of difference, and continuing from a record.

use std::fs;
use std::path::Path;

use ludens::pipeline::Stages;
use ludens::trace::{hash_lines, legal_lines};
use ludens::verify::{EXCUSED, Verdict, replay};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{self, NO_GOAL, SMALL, STUCK, files, path, run, run_json, run_well};

#[test]
fn what_is_traced_is_verified() {
    let sheets = files(&[
        ("small.kif", SMALL),
        ("stuck.kif", STUCK),
        ("goal.kif", NO_GOAL),
        ("state.txt", "(n 1)"),
    ]);
    let mut cases: Vec<(String, Vec<String>)> = vec![
        (path(&sheets, "small.kif"), vec![]),
        (path(&sheets, "small.kif"), vec!["--max-steps".into(), "1".into()]),
        (path(&sheets, "small.kif"), vec!["--state".into(), path(&sheets, "state.txt")]),
        (path(&sheets, "small.kif"), vec!["--moves".into(), "((say 0) *)".into()]),
        (path(&sheets, "stuck.kif"), vec![]),
        (path(&sheets, "goal.kif"), vec![]),
    ];
    cases.extend(support::small_games().iter().map(|sheet| (sheet.display().to_string(), vec![])));
    for (sheet, options) in cases {
        let mut args = vec!["trace", &sheet, "--seed", "3"];
        args.extend(options.iter().map(String::as_str));
        let (_, trace, _) = run(&args);
        let file = path(&sheets, "trace.json");
        fs::write(&file, trace).expect("the trace is written");
        let out = run_well(&["verify", &sheet, "--trace", &file]);
        assert!(out.contains(": agrees after "), "{out}");
    }
}

/// A game of one step that ends with this goal.
fn ends_with(goal: &str) -> String {
    format!(
        "(role a) (init s) (legal a m) (<= (next t) (does a m)) (<= terminal (true t))
        (goal a {goal})"
    )
}

#[test]
fn what_is_a_goal_is_the_same_for_all() {
    for (goal, value) in [
        ("7", Some(7)),
        ("007", Some(7)),
        ("-5", Some(-5)),
        ("2147483647", Some(i32::MAX)),
        ("2147483648", None),
        ("3000000000", None),
        ("99999999999999999999", None),
        ("+5", None),
        ("1.5", None),
        ("x", None),
        ("(f 1)", None),
    ] {
        let sheets = files(&[("s.kif", &ends_with(goal))]);
        let sheet = sheets.path().join("s.kif");
        let trace = support::trace_of(&sheet, 0);
        assert_eq!(trace.playouts[0].goals, Some(vec![value]), "{goal}");
        let rules = support::load(&sheet);
        let stages = Stages::new(rules.clone());
        for variant in support::VARIANTS {
            let outcome = replay(&mut *variant.start(&stages), &trace, None);
            assert_eq!(outcome.verdict, Verdict::Agree, "{goal}, {}", variant.name);
        }
        let sheet = sheet.display().to_string();
        for engine in ["reference", "ground", "circuit", "lanes"] {
            let (code, levels) =
                run_json(&["perft", &sheet, "--depth", "1", "--engine", engine, "--json"]);
            let sums = levels.pointer("/levels/0/goal_sums/0").unwrap_or(&Value::Null);
            assert_eq!((code, sums), (0, &json!(value)), "{goal}, {engine}: {levels}");
        }
        let (_, playouts) = run_json(&["playouts", &sheet, "-n", "4", "--json"]);
        let mean = playouts.pointer("/goals/0/mean").and_then(Value::as_f64);
        assert_eq!(mean, value.map(f64::from), "{goal}: {playouts}");
        // And for records.
        let (_, record) = run_json(&["match", &sheet, "--players", "first", "--json"]);
        assert_eq!(record["goalValues"], json!([value]), "{goal}");
        fs::write(path(&sheets, "r.json"), record.to_string()).expect("a record");
        run_well(&["verify", "--record", &path(&sheets, "r.json")]);
    }
}

#[test]
fn a_trace_without_goals_at_its_end_is_compared() {
    // The trace says that the rules gave no answer, but they do.
    let sheet = "(role a) (init s) (legal a m) (<= (next t) (does a m)) (<= terminal (true t))
        (goal a 1)";
    let sheets = files(&[("s.kif", sheet)]);
    let trace = json!({"playouts": [{"steps": [{"moves": ["m"]}], "error": true}]});
    let file = path(&sheets, "t.json");
    fs::write(&file, trace.to_string()).expect("a trace");
    let (code, out, _) = run(&["verify", &path(&sheets, "s.kif"), "--trace", &file]);
    assert_eq!(code, 1);
    assert!(out.contains("found:    the game is over, and every goal can be asked for"), "{out}");
}

#[test]
fn the_sheet_may_come_from_standard_input() {
    let sheets = files(&[("s.kif", SMALL)]);
    let trace = run_well(&["trace", &path(&sheets, "s.kif")]);
    fs::write(path(&sheets, "t.json"), trace).expect("the trace is written");
    let verify = |file: &str| {
        let args = ["verify", "-", "--trace", &path(&sheets, file)];
        support::ludens().args(args).write_stdin(SMALL).assert()
    };
    verify("t.json").success();
    verify("no.json").code(1);
}

/// A trace of a whole game, its second playout in the form of hashes.
fn trace() -> Value {
    let sheet = support::root().join("games/tic_tac_toe.kif");
    let whole = support::trace_of(&sheet, 1);
    let mut hashed = whole.playouts[0].clone();
    for step in &mut hashed.steps {
        step.hash = step.state.take().map(|state| hash_lines(&state));
        if let Some(legals) = step.legals.take() {
            step.nlegals = Some(legals.iter().map(Vec::len).collect());
            step.lhash = Some(hash_lines(&legal_lines(&legals)));
        }
    }
    hashed.final_hash = hashed.final_state.take().map(|state| hash_lines(&state));
    let mut both = whole.clone();
    both.playouts.push(hashed);
    serde_json::to_value(both).expect("a trace is JSON")
}

fn verify(directory: &TempDir, trace: &Value, options: &[&str]) -> (i32, String) {
    let sheet = support::root().join("games/tic_tac_toe.kif").display().to_string();
    let file = path(directory, "t.json");
    fs::write(&file, trace.to_string()).expect("the trace is written");
    let (code, out, err) = run(&[&["verify", &sheet, "--trace", &file], options].concat());
    assert_eq!(err, "");
    (code, out)
}

#[test]
fn every_kind_of_difference_is_found() {
    let directory = files(&[]);
    let (code, out) = verify(&directory, &trace(), &[]);
    assert_eq!(code, 0, "{out}");
    // Where in the trace something is put in the place of what is there, and what is said of it.
    let cases: &[(&str, Value, &str)] = &[
        (
            "/roles",
            json!(["o", "x"]),
            "the roles in their order\n    expected: o x\n    found:    x o",
        ),
        ("/init", json!([]), "the initial state\n    too much: (control x)"),
        (
            "/playouts/0/steps/1/state/0",
            json!("(gone 1)"),
            "playout 0, step 1, the state\n    missing:  (gone 1)\n    too much: (c",
        ),
        (
            "/playouts/0/steps/2/legals/1",
            json!(["noop", "wait"]),
            "playout 0, step 2, role o, the legal moves\n    missing:  wait",
        ),
        ("/playouts/0/steps/2/legals/1", json!([]), "role o, the legal moves\n    too much: noop"),
        ("/playouts/0/steps/0/legals", json!([["noop"]]), "the number of roles with legal moves"),
        (
            "/playouts/0/steps/0/moves/1",
            json!("(mark 1 1)"),
            "the move (mark 1 1) of role o is not legal",
        ),
        ("/playouts/0/steps/0/moves", json!(["noop"]), "a joint move needs 2 moves"),
        ("/playouts/0/final_state/0", json!("(gone 1)"), "the final state"),
        (
            "/playouts/0/terminal",
            json!(false),
            "whether the game is over\n    expected: not over\n    found:    over",
        ),
        ("/playouts/0/goals/0", json!(1), "role x, the goal\n    expected: 1\n"),
        ("/playouts/0/goals/1", json!(null), "role o, the goal\n    expected: no proper value"),
        ("/playouts/0/goals", json!([]), "the number of goals"),
        ("/playouts/0/start", json!(["(control o)"]), "playout 0, step 0, the state"),
        ("/playouts/0/error", json!(true), "the rules' answer"),
        (
            "/playouts/1/steps/3/hash",
            json!("0000000000000000"),
            "playout 1, step 3, the hash of the state",
        ),
        (
            "/playouts/1/steps/3/nlegals/0",
            json!(77),
            "role x, the number of legal moves\n    expected: 77",
        ),
        ("/playouts/1/steps/3/lhash", json!("0"), "the hash of the legal moves"),
        ("/playouts/1/final_hash", json!("0"), "the hash of the final state"),
        ("/playouts/1/goals/0", json!(1), "playout 1, step"),
        ("/playouts/1/wrong", json!(1), "cannot be read: unknown field `wrong`"),
        ("/playouts", json!({}), "cannot be read: "),
    ];
    for (place, value, expected) in cases {
        let mut tampered = trace();
        put(&mut tampered, place, value.clone());
        let (code, out) = verify(&directory, &tampered, &[]);
        assert_eq!(code, 1, "{place}: {out}");
        assert!(out.contains(expected), "{place}: {out}");
    }
}

/// Replaces or adds what stands at a place.
fn put(trace: &mut Value, place: &str, value: Value) {
    let (parent, key) = place.rsplit_once('/').expect("a place has a parent");
    match trace.pointer_mut(parent).expect("the parent is there") {
        Value::Object(map) => {
            map.insert(key.to_string(), value);
        }
        Value::Array(items) => items[key.parse::<usize>().expect("an index")] = value,
        other => panic!("{place} is in {other}"),
    }
}

#[test]
fn a_step_behind_the_end_is_found() {
    let mut trace = trace();
    let steps = trace.pointer_mut("/playouts/0/steps").and_then(Value::as_array_mut);
    steps.expect("steps").push(json!({"moves": ["noop", "noop"]}));
    let (code, out) = verify(&files(&[]), &trace, &[]);
    assert_eq!(code, 1);
    assert!(out.contains("whether the game is over\n    expected: not over"), "{out}");
}

#[test]
fn what_is_not_claimed_is_not_compared() {
    let directory = files(&[]);
    let moves = |trace: &Value| -> Vec<Value> {
        let steps = trace.pointer("/playouts/0/steps").and_then(Value::as_array).expect("steps");
        steps.iter().map(|step| json!({"moves": step["moves"]})).collect()
    };
    let steps = moves(&trace());
    let (code, out) = verify(&directory, &json!({"playouts": [{"steps": steps}]}), &[]);
    assert_eq!(code, 0, "{out}");
    // Only that the game is not over before each step.
    assert!(out.contains(&format!("after {} comparisons", steps.len())), "{out}");

    // A capped playout says nothing about its end.
    let capped = json!({"playouts": [{"steps": steps, "capped": true, "terminal": false}]});
    assert_eq!(verify(&directory, &capped, &[]).0, 0);

    for nothing in [json!({}), json!({"playouts": []}), json!({"playouts": [{"steps": []}]})] {
        let (code, out) = verify(&directory, &nothing, &[]);
        assert_eq!(code, 1);
        assert!(out.contains("failed after 0 comparisons") && out.contains("nothing was compared"));
    }
}

#[test]
fn steps_bound_what_is_replayed() {
    let directory = files(&[]);
    let mut tampered = trace();
    put(&mut tampered, "/playouts/0/steps/3/state", json!([]));
    put(&mut tampered, "/playouts/0/goals", json!([1, 1]));
    assert_eq!(verify(&directory, &tampered, &[]).0, 1);
    let (code, out) = verify(&directory, &tampered, &["--steps", "3"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains(", 6 steps"), "{out}");
}

/// A corpus of three sheets with traces and one without.
fn corpus() -> TempDir {
    let corpus = files(&[("a.kif", SMALL), ("b.kif", NO_GOAL), ("c.kif", STUCK), ("d.kif", SMALL)]);
    for name in ["a", "b", "c"] {
        let trace = support::trace_of(&corpus.path().join(format!("{name}.kif")), 2);
        write(&corpus.path().join(format!("{name}.json")), &json!(trace));
    }
    corpus
}

fn write(path: &Path, value: &Value) {
    fs::write(path, value.to_string()).expect("a file is written");
}

fn verify_corpus(corpus: &TempDir, options: &[&str]) -> (i32, Value) {
    let directory = corpus.path().display().to_string();
    let args = ["verify", "--corpus", &directory, "--traces", &directory, "--json"];
    run_json(&[&args, options].concat())
}

#[test]
fn a_corpus_is_summed_up() {
    let corpus = corpus();
    let (code, summary) = verify_corpus(&corpus, &[]);
    assert_eq!(code, 0, "{summary}");
    assert_eq!((&summary["sheets"], &summary["agree"]), (&3.into(), &3.into()));
    assert_eq!((&summary["without_trace"], &summary["engine"]), (&1.into(), &"reference".into()));
    assert!(summary["comparisons"].as_u64().is_some_and(|number| number > 10));

    fs::write(corpus.path().join("b.kif"), "(role").expect("a file is written");
    let file = corpus.path().join("a.json");
    let mut trace: Value =
        serde_json::from_slice(&fs::read(&file).expect("a trace")).expect("a trace is JSON");
    put(&mut trace, "/init/0", json!("(n 9)"));
    write(&file, &trace);
    let (code, summary) = verify_corpus(&corpus, &[]);
    assert_eq!(code, 1);
    let counts = ["agree", "differ", "failed"].map(|key| summary[key].as_u64());
    assert_eq!(counts, [Some(1), Some(1), Some(1)]);
    let problems = summary["problems"].as_array().expect("problems");
    assert_eq!((&problems[0]["sheet"], &problems[0]["status"]), (&"a".into(), &"differ".into()));
    assert_eq!(problems[0]["difference"]["missing"], json!(["(n 9)"]));
    assert_eq!((&problems[1]["sheet"], &problems[1]["status"]), (&"b".into(), &"failed".into()));

    let directory = corpus.path().display().to_string();
    let (code, out, err) = run(&["verify", "--corpus", &directory, "--traces", &directory]);
    assert_eq!((code, err.as_str()), (1, ""), "no progress where there is no terminal");
    assert!(out.contains("3 sheets: 1 agree, 1 differ, 1 failed; "), "{out}");
}

#[test]
fn a_record_is_continued() {
    let corpus = corpus();
    let record = path(&corpus, "record.jsonl");
    let options = ["--resume", record.as_str()];
    let lines = || fs::read_to_string(&record).expect("a record").lines().count();
    let from_record = |summary: &Value| summary["from_record"].as_u64();

    let (_, first) = verify_corpus(&corpus, &options);
    assert_eq!((from_record(&first), lines()), (Some(0), 3));
    let (code, second) = verify_corpus(&corpus, &options);
    assert_eq!((code, from_record(&second), lines()), (0, Some(3), 3));
    assert_eq!(first["comparisons"], second["comparisons"]);

    // A run that was stopped within a line: that sheet is done again, on a line of its own.
    let text = fs::read_to_string(&record).expect("a record");
    fs::write(&record, &text[..text.len() - 20]).expect("the record is cut");
    let (code, third) = verify_corpus(&corpus, &options);
    assert_eq!((code, from_record(&third), lines()), (0, Some(2), 4));
    assert_eq!(from_record(&verify_corpus(&corpus, &options).1), Some(3));

    // Other passes are another question, to an engine that has them.
    let circuit = |passes: &str| {
        let options = ["--resume", &record, "--engine", "circuit", "--passes", passes];
        let (code, summary) = verify_corpus(&corpus, &options);
        assert_eq!((code, &summary["engine"]), (0, &"circuit".into()));
        (summary["passes"].clone(), from_record(&summary))
    };
    assert_eq!(circuit("none"), ("none".into(), Some(0)));
    assert_eq!(circuit("dead"), ("dead".into(), Some(0)));
    assert_eq!(circuit("none"), ("none".into(), Some(3)));
    let reference = ["--resume", &record, "--passes", "none"];
    assert_eq!(from_record(&verify_corpus(&corpus, &reference).1), Some(3));

    // So are other lanes.
    let lanes = |width: &str| {
        let lanes = ["--engine", "lanes", "--lanes", width, "--backend", "portable"];
        let (code, summary) = verify_corpus(&corpus, &[&options[..], &lanes].concat());
        assert_eq!((code, &summary["engine"]), (0, &"lanes".into()));
        (summary["lanes"].clone(), from_record(&summary))
    };
    assert_eq!(lanes("64"), ("64 portable".into(), Some(0)));
    assert_eq!(lanes("2048"), ("2048 portable".into(), Some(0)));
    assert_eq!(lanes("64"), ("64 portable".into(), Some(3)));

    // Another bound or another content is another question.
    let (_, bounded) = verify_corpus(&corpus, &["--resume", &record, "--steps", "1"]);
    assert_eq!(from_record(&bounded), Some(0));
    fs::write(corpus.path().join("a.kif"), format!("{SMALL} ; changed")).expect("written");
    assert_eq!(from_record(&verify_corpus(&corpus, &options).1), Some(2));
}

#[test]
fn passes_are_known_by_name() {
    let (code, _, err) = run(&["verify", "s.kif", "--trace", "t.json", "--passes", "dead,deaf"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("there is no pass deaf; there are none, fast, all, and lists of "),
        "{err}"
    );
}

#[test]
fn excused_sheets_are_reported_as_such() {
    let (name, reason) = EXCUSED[0];
    let corpus = files(&[(&format!("{name}.kif"), SMALL)]);
    let trace = corpus.path().join(format!("{name}.json"));
    write(&trace, &json!(support::trace_of(&corpus.path().join(format!("{name}.kif")), 0)));
    let (code, summary) = verify_corpus(&corpus, &[]);
    assert_eq!((code, &summary["needless_excuses"]), (0, &json!([name])));

    write(&trace, &json!({"roles": ["b", "a"]}));
    let (code, summary) = verify_corpus(&corpus, &[]);
    assert_eq!((code, &summary["differ"]), (0, &1.into()));
    assert_eq!(summary["problems"][0]["excuse"], reason);
}

#[test]
fn a_corpus_without_traces_is_a_failure() {
    let corpus = files(&[("a.kif", SMALL)]);
    let directory = corpus.path().display().to_string();
    let (code, _, err) = run(&["verify", "--corpus", &directory, "--traces", &directory]);
    assert_eq!(code, 1);
    assert!(err.contains("no sheet NAME.kif in "), "{err}");
    assert_eq!(run(&["verify", "--corpus", "not/there", "--traces", &directory]).0, 1);
}
