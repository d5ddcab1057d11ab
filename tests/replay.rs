//! Records of matches in use: `replay`, `play --moves RECORD`, `verify --record`.

use std::fs;
use std::path::Path;

use ludens::record::{Head, MatchRecord, Recorder, pgn, read_record};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{self, SMALL, files, path, run, run_json, run_well};

/// A folder with a match of tic-tac-toe in every form, and its record.
fn recorded() -> (TempDir, MatchRecord) {
    let folder = files(&[]);
    let out = path(&folder, "out");
    let play = ["match", "tic_tac_toe", "--players", "first,first", "--out", &out, "-q"];
    run_well(&play);
    let is_json = |path: &Path| path.extension().is_some_and(|end| end == "json");
    let written = fs::read_dir(&out).expect("a folder").map(|entry| entry.expect("a file").path());
    let written = written.into_iter().find(|path| is_json(path)).expect("a record");
    let text = fs::read(&written).expect("a record");
    let record = read_record(&text).expect("a record");
    fs::write(folder.path().join("m.json"), &text).expect("written");
    fs::write(folder.path().join("m.pgn"), pgn(&record)).expect("written");
    // The same match, if it had been killed after its second step.
    let cut = MatchRecord {
        is_completed: false,
        goal_values: Vec::new(),
        states: record.states[..3].to_vec(),
        moves: record.moves[..2].to_vec(),
        ..record.clone()
    };
    let mut recorder = Recorder::create(&folder.path().join("cut"), "m").expect("a recorder");
    recorder.save(&cut).expect("a journal");
    (folder, record)
}

#[test]
fn a_record_is_shown_step_by_step() {
    let (folder, record) = recorded();
    let steps = record.moves.len();
    let whole = run_well(&["replay", &path(&folder, "m.json")]);
    let line = |at: usize| {
        let moves = &record.moves[at];
        format!("step {}: x {}, o {}\n", at + 1, moves[0], moves[1])
    };
    for at in 0..steps {
        assert!(whole.contains(&line(at)), "{}\n{whole}", line(at));
    }
    assert_eq!(whole.matches("3 | ").count(), steps + 1, "a board for each state\n{whole}");
    let end = format!("the game is over after {steps} steps\n  x  ");
    assert!(whole.contains(&end), "{whole}");
    // A part of it, which has no end.
    let part = run_well(&["replay", &path(&folder, "m.json"), "--from", "2", "--to", "3"]);
    assert!(part.contains(&line(1)) && part.contains(&line(2)) && !part.contains(&line(3)));
    assert!(!part.contains("over"), "{part}");
    let one = run_well(&["replay", &path(&folder, "m.json"), "--step", "0"]);
    assert!(!one.contains("step") && one.matches("3 | ").count() == 1, "{one}");
}

#[test]
fn every_form_of_a_record_is_shown() {
    let (folder, record) = recorded();
    let steps = |args: &[&str]| {
        let (code, document) = run_json(&[&["replay"], args, &["--json"]].concat());
        assert_eq!(code, 0, "{document}");
        document
    };
    let whole = steps(&[&path(&folder, "m.json")]);
    assert_eq!(whole["goals"], json!(record.goal_values));
    assert_eq!(whole["steps"].as_array().map(Vec::len), Some(record.states.len()));
    let written = steps(&[&path(&folder, "m.pgn")]);
    assert_eq!((&written["steps"], &written["goals"]), (&whole["steps"], &whole["goals"]));
    let cut = steps(&[&path(&folder, "cut/m.part")]);
    assert_eq!(
        cut["steps"].as_array().map(Vec::as_slice),
        whole["steps"].as_array().map(|all| &all[..3])
    );
    assert_eq!((&cut["terminal"], &cut["goals"]), (&json!(false), &Value::Null));
    // As other servers write it: other keys, other spaces, no rules.
    let spaced = |text: &String| text.replace('(', "( ").replace(')', " )");
    let moves: Vec<Vec<String>> =
        record.moves.iter().map(|moves| moves.iter().map(spaced).collect()).collect();
    let mut other = json!({
        "matchId": "base.1", "randomToken": "t", "previewClock": -1, "isCompleted": true,
        "gameMetaURL": "http://games.ggp.org/base/games/ticTacToe/v0/",
        "states": record.states.iter().map(spaced).collect::<Vec<_>>(),
        "moves": moves, "goalValues": record.goal_values,
    });
    let file = path(&folder, "other.json");
    fs::write(&file, other.to_string()).expect("written");
    assert_eq!(steps(&[&file])["steps"], whole["steps"]);
    run_well(&["verify", "--record", &file]);
    // Nobody knows that game, unless its rules are named.
    other["gameMetaURL"] = json!("http://games.ggp.org/base/games/nobodyKnows/v0/");
    fs::write(&file, other.to_string()).expect("written");
    let (code, _, err) = run(&["replay", &file]);
    assert_eq!(code, 1);
    assert!(
        err.contains(
            "nobodyKnows/v0/ does not come with the program; name the rules with --sheet SHEET"
        ),
        "{err}"
    );
    assert_eq!(steps(&[&file, "--sheet", "tic_tac_toe"])["steps"], whole["steps"]);
    run_well(&["verify", "tic_tac_toe", "--record", &file]);
}

#[test]
fn what_cannot_be_shown_is_said_plainly() {
    let (folder, record) = recorded();
    let steps = record.moves.len();
    let refused = |args: &[&str], said: &str| {
        let (code, out, err) = run(args);
        assert_eq!(code, 1, "{args:?}: {out}{err}");
        assert!(err.contains(said), "{args:?}: {err}");
        out
    };
    let (whole, bad) = (path(&folder, "m.json"), path(&folder, "bad.json"));
    let last = format!("the match has only {steps} steps");
    refused(&["replay", &whole, "--step", "99"], &last);
    refused(&["replay", &whole, "--from", "3", "--to", "2"], "--from 3 is after --to 2");
    refused(&["replay", &path(&folder, "none.json")], "cannot read ");
    refused(&["replay", &whole, "--sheet", "connect_four"], "cannot be replayed by these rules");
    fs::write(&bad, "((mark 1 1) noop)").expect("written");
    refused(&["replay", &bad], "bad.json: not the record of a match");
    // What can be shown is shown before the move that cannot be made.
    let mut wrong = record.clone();
    wrong.moves[1] = wrong.moves[0].clone();
    fs::write(&bad, serde_json::to_string(&wrong).expect("JSON")).expect("written");
    let shown = refused(&["replay", &bad], "bad.json: step 2: ");
    assert!(shown.contains("step 1: x ") && !shown.contains("ends after"), "{shown}");
    let standard = ["replay", "-", "--sheet", "-"];
    let text = fs::read(&whole).expect("a record");
    support::ludens().args(["replay", "-"]).write_stdin(text.clone()).assert().success();
    support::ludens().args(standard).write_stdin(text).assert().code(1);
}

#[test]
fn a_game_goes_on_where_a_record_ends() {
    let (folder, record) = recorded();
    for (file, made) in [("cut/m.part", 2), ("m.pgn", record.moves.len())] {
        let file = path(&folder, file);
        let play = ["play", "tic_tac_toe", "--moves", &file, "--players", "first,first"];
        let out = run_well(&play);
        let steps = record.moves.len();
        assert!(out.contains(&format!("the game is over after {steps} steps")), "{out}");
        let (_, played) = run_json(&[&play[..], &["--json"]].concat());
        assert_eq!(played["moves"], json!(record.moves[made..]), "{file}");
        assert_eq!(played["states"][0], record.states[made], "{file}");
    }
    // A match that began in the middle of a game is gone on with from there.
    let (_, second) = run_json(&[
        "match",
        "tic_tac_toe",
        "--moves",
        &path(&folder, "cut/m.part"),
        "--players",
        "first,first",
        "--max-steps",
        "3",
        "--json",
    ]);
    assert_eq!(second["moves"].as_array().map(Vec::len), Some(1));
    fs::write(path(&folder, "second.json"), second.to_string()).expect("written");
    let moves = path(&folder, "second.json");
    let (_, third) =
        run_json(&["play", "tic_tac_toe", "--moves", &moves, "--players", "first,first", "--json"]);
    assert_eq!(third["states"][0], record.states[3]);
    run_well(&["verify", "--record", &moves]);
}

#[test]
fn a_record_is_compared_with_every_engine() {
    let (folder, record) = recorded();
    for file in ["m.json", "m.pgn", "cut/m.part"] {
        for engine in ["reference", "ground", "circuit", "lanes"] {
            let file = path(&folder, file);
            let out = run_well(&["verify", "--record", &file, "--engine", engine]);
            assert!(out.contains(": agrees after "), "{out}");
        }
    }
    let last = record.states.len() - 1;
    let cases: &[(&str, Value, &str)] = &[
        ("/roles/0", json!("y"), "the roles in their order\n    expected: y o"),
        ("/states/0", json!("((control o))"), "step 0, the state\n    missing:  (control o)\n"),
        ("/states/2", record.states[1].clone().into(), "step 2, the state\n    missing: "),
        (
            "/moves/1/1",
            json!("(mark 1 1)"),
            "step 1, the joint move\n    expected: (noop (mark 1 1))",
        ),
        ("/moves/1/1", json!("jump"), "step 1, the joint move\n"),
        ("/moves/1", json!(["noop"]), "a joint move needs 2 moves"),
        ("/goalValues/0", json!(7), "role x, the goal\n    expected: 7"),
        ("/goalValues/0", Value::Null, "role x, the goal\n    expected: no proper value"),
        ("/states/1", json!("(a b) c"), "state 1: (a b) c is not a list of sentences"),
    ];
    let bad = path(&folder, "bad.json");
    for (place, value, said) in cases {
        let mut changed = serde_json::to_value(&record).expect("JSON");
        *changed.pointer_mut(place).expect("a place") = value.clone();
        fs::write(&bad, changed.to_string()).expect("written");
        let (code, out, _) = run(&["verify", "--record", &bad]);
        assert_eq!(code, 1, "{place}: {out}");
        assert!(out.contains(said), "{place}: {out}");
    }
    // A match that is said to be over and is not, and one that went on when it was.
    let mut early = record.clone();
    early.moves.truncate(2);
    early.states.truncate(3);
    fs::write(&bad, serde_json::to_string(&early).expect("JSON")).expect("written");
    let (code, result) = run_json(&["verify", "--record", &bad, "--json"]);
    assert_eq!((code, &result["status"]), (1, &json!("differ")));
    assert_eq!(result["difference"]["what"], "whether the game is over");
    let mut late = record.clone();
    late.moves.push(late.moves[0].clone());
    fs::write(&bad, serde_json::to_string(&late).expect("JSON")).expect("written");
    let (_, result) = run_json(&["verify", "--record", &bad, "--json"]);
    assert_eq!(result["difference"]["what"], "whether the game is over");
    assert_eq!(result["difference"]["step"], last);
}

#[test]
fn records_of_other_servers_may_have_odd_goals_but_no_states_from_nowhere() {
    let (folder, record) = recorded();
    let (file, record) = (path(&folder, "odd.json"), serde_json::to_value(&record).expect("JSON"));
    let mut odd = record.clone();
    odd["goalValues"] = json!([100.0, 3_000_000_000u64]);
    odd["reports"] = Value::Null;
    odd["errors"][1][0] = json!("IL \u{202e}\u{1b}[31m");
    fs::write(&file, odd.to_string()).expect("written");
    let (_, shown, _) = run(&["replay", &file]);
    assert!(shown.contains("step 1:") && shown.contains("is not legal"), "{shown}");
    assert!(!shown.contains(['\u{202e}', '\u{1b}']), "{shown:?}");
    let mut extra = record;
    extra["states"].as_array_mut().expect("states").push(json!("((bogus state))"));
    fs::write(&file, extra.to_string()).expect("written");
    let (code, ..) = run(&["verify", "--record", &file]);
    assert_ne!(code, 0);
}

#[test]
fn the_arguments_of_verify_are_one_question() {
    for args in [
        &["verify"][..],
        &["verify", "tic_tac_toe"],
        &["verify", "--record", "a", "--trace", "b"],
        &["verify", "--corpus", "a", "--traces", "b", "--record", "c"],
        &["verify", "--record", "a", "--resume", "c"],
        &["replay"],
        &["replay", "a", "--step", "1", "--from", "1"],
    ] {
        assert_eq!(run(args).0, 2, "{args:?}");
    }
}

#[test]
fn a_record_of_nothing_can_be_read() {
    // A match that was killed before its first state.
    let folder = files(&[]);
    let head = Head { match_id: "m".into(), sheet: SMALL.into(), ..Head::default() };
    let mut recorder = Recorder::create(folder.path(), "m").expect("a recorder");
    recorder.save(&MatchRecord::new(head, 7)).expect("a journal");
    let out = run_well(&["replay", &path(&folder, "m.part")]);
    assert!(out.ends_with("the record ends after 0 steps; the game is not over\n"), "{out}");
}
