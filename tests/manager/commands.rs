//! `ludens match`, `ludens play` and `ludens strategies` as a user meets them.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::fake::{Act, Fake};
use crate::support::{SMALL, STUCK, files, ludens, path, run, run_json, run_well};

#[test]
fn a_match_is_told_step_by_step() {
    let folder = files(&[("s.kif", SMALL)]);
    let sheet = path(&folder, "s.kif");
    let out = run_well(&["match", &sheet, "--players", "first,first"]);
    assert_eq!(
        out,
        "10 s to start, 5 s for each move\n\
         step 1: a (Say 0), b (Say 0)\n\
         step 2: a up, b up\n\
         the game is over after 2 steps\n  a  100  first\n  b   40  first\n"
    );
    let quiet = run_well(&["match", &sheet, "--players", "first,first", "--quiet"]);
    assert!(out.ends_with(&quiet) && quiet.lines().count() == 3, "{quiet}");
    let reports = ["match", &sheet, "--players", "uct,first", "--simulations", "9", "--reports"];
    let out = run_well(&reports);
    assert!(out.contains("a: uct: ") && out.contains(" simulations in "), "{out}");
}

#[test]
fn a_player_that_is_not_ready_is_told() {
    let folder = files(&[("s.kif", SMALL)]);
    let fake = Fake::new(|_| Act::Say("busy"));
    let players = format!("first, {}", fake.address);
    let out = run_well(&["match", &path(&folder, "s.kif"), "--players", &players]);
    assert!(out.contains("each move\nb is not ready: the answer is busy\nstep 1: "), "{out}");
    assert!(out.ends_with(&format!("  b   40  {}, 3 errors\n", fake.address)), "{out}");
}

#[test]
fn what_a_player_says_about_its_refusal_is_told() {
    let folder = files(&[("s.kif", SMALL)]);
    let records = path(&folder, "records");
    let fake = Fake::new(|_| {
        let body = format!("error: no\n\tsuch \u{1b}[31mgame{}", "!".repeat(1 << 20));
        let head = format!("HTTP/1.1 400 Bad Request\r\nContent-Length: {}\r\n\r\n", body.len());
        Act::Raw([head, body].concat().into_bytes())
    });
    let players = format!("first,{}", fake.address);
    let sheet = path(&folder, "s.kif");
    let out = run_well(&["match", &sheet, "--players", &players, "--out", &records]);
    let told = format!("HTTP status 400: error: no such [31mgame{}...", "!".repeat(177));
    assert!(out.contains(&format!("b is not ready: {told}\n")), "{out}");
    assert!(out.contains(&format!("a up, b up\n  b: {told}; up was chosen at random\n")), "{out}");
    let files = fs::read_dir(&records).expect("a folder");
    let read = |path: &Path| fs::read_to_string(path).expect("a record");
    for path in files.map(|file| file.expect("a file").path()) {
        match path.extension().and_then(OsStr::to_str) {
            Some("log") => assert!(read(&path).contains(&format!(" b: {told}\n")), "{path:?}"),
            Some("json") => {
                let record: Value = serde_json::from_str(&read(&path)).expect("JSON");
                assert_eq!(
                    record["errors"],
                    serde_json::json!([["", "CE"], ["", "CE"], ["", "CE"]])
                );
            }
            _ => {}
        }
    }
}

#[test]
fn a_player_that_cannot_be_reached_is_told() {
    let folder = files(&[("s.kif", SMALL)]);
    let fake = Fake::playing(|| Act::HangUp);
    let players = format!("first,{}", fake.address);
    let out = run_well(&["match", &path(&folder, "s.kif"), "--players", &players]);
    assert!(out.contains("\n  b: no connection, or a broken one: "), "{out}");
}

#[test]
fn players_are_named_in_any_letter_case() {
    let folder = files(&[("s.kif", SMALL)]);
    let sheet = path(&folder, "s.kif");
    let play = |players: &str| {
        let (_, record) =
            run_json(&["match", &sheet, "--players", players, "--simulations", "9", "--json"]);
        record["moves"].clone()
    };
    assert_eq!(play("UCT:threads=1, Random"), play("uct:threads=1,random"));
}

#[test]
fn in_several_rounds_everybody_gets_each_role() {
    let folder = files(&[("s.kif", SMALL)]);
    let (sheet, records) = (path(&folder, "s.kif"), path(&folder, "records"));
    let rounds = ["match", &sheet, "--players", "first,random", "-n", "3"];
    let out = run_well(&[&rounds[..], &["--out", &records]].concat());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "match 1: a first 100, b random 40; 2 steps, 0 errors");
    assert_eq!(lines[1], "match 2: a random 100, b first 40; 2 steps, 0 errors");
    let cells = |at: usize| lines[at].split_whitespace().collect::<Vec<_>>();
    assert_eq!(cells(3).join(" "), "player matches won % 95 % points 95 % errors", "{out}");
    // Role a has 100 points and wins; role b has 40.
    assert_eq!(cells(4)[..3], ["first", "3", "66.7"], "{out}");
    assert_eq!((cells(4)[4], cells(5)[4]), ("80.0", "60.0"), "{out}");
    assert_eq!((cells(4)[6], lines.len()), ("0", 6), "{out}");
    // Three files for each of three matches.
    assert_eq!(fs::read_dir(&records).expect("a folder").count(), 9);

    let (code, document) = run_json(&[&rounds[..], &["--json"]].concat());
    let list = &document["matches"];
    let players: Vec<&Value> = (0..3).map(|round| &list[round]["playerNamesFromHost"][0]).collect();
    let first = &document["summary"]["players"][0];
    assert_eq!((&first["player"], &first["mean_goal"]), (&"first".into(), &80.0.into()));
    assert!(first["points"]["low"].as_f64() < Some(80.0), "{first}");
    assert_eq!(document["summary"]["counted"], 3);
    assert_eq!(
        (code, players),
        (0, ["first", "random", "first"].map(|x| x.into()).each_ref().to_vec())
    );
}

#[test]
fn intervals_do_not_close_where_everything_is_won() {
    let folder = files(&[("s.kif", &SMALL.replace("(goal b 40)", "(goal b 0)"))]);
    // Nobody moves on in a game for one role.
    let alone = files(&[(
        "s.kif",
        "(role a) (init s) (legal a go) (<= (next e) (does a go))
        (<= terminal (true e)) (goal a 100)",
    )]);
    let estimates = |sheet: &str, players: &str| {
        let args = ["match", sheet, "--players", players, "-n", "10", "--json"];
        let (code, document) = run_json(&args);
        assert_eq!(code, 0);
        document["summary"]["players"][0].clone()
    };
    let player = estimates(&path(&alone, "s.kif"), "first");
    assert_eq!((&player["won"], &player["points"]["high"]), (&Value::Null, &100.0.into()));
    // The bootstrap's interval of ten equal scores.
    let low = player["points"]["low"].as_f64().expect("a number");
    assert!((low - 70.0).abs() < 1e-6, "{low}");
    let player = estimates(&path(&folder, "s.kif"), "first,first");
    assert_eq!(player["won"]["mean"], 50.0);
}

#[test]
fn matches_at_once_come_out_the_same() {
    let play = |more: &[&str]| {
        let rounds = ["match", "tic_tac_toe", "--players", "uct,mast", "--simulations", "60"];
        run_well(&[&rounds[..], &["--rounds", "6", "--seed", "4"], more].concat())
    };
    let one = play(&["-j", "1"]);
    assert_eq!(one.lines().count(), 9, "{one}");
    assert_eq!(play(&["-j", "3"]), one);
    assert_eq!(play(&["--jobs", "6"]), one);
    assert_eq!(play(&[]), one);
    let folder = files(&[]);
    play(&["-j", "4", "--out", &path(&folder, "records")]);
    assert_eq!(fs::read_dir(path(&folder, "records")).expect("a folder").count(), 18);
}

#[test]
fn a_match_as_json_is_its_record() {
    let sheet = "tic_tac_toe";
    let play = |seed: &str| {
        let players = "uct:threads=1,mast:threads=1:c=20";
        let (code, record) = run_json(&[
            "match",
            sheet,
            "--players",
            players,
            "--simulations",
            "200",
            "--seed",
            seed,
            "--json",
        ]);
        assert_eq!((code, &record["isCompleted"]), (0, &true.into()));
        assert_eq!(record["playerNamesFromHost"][1], "mast:threads=1:c=20");
        record["moves"].clone()
    };
    assert_eq!(play("3"), play("3"));
}

#[test]
fn chance_is_the_same_whatever_the_engine() {
    let moves = |engine: &str| {
        let (code, record) = run_json(&["play", "connect_four", "--engine", engine, "--json"]);
        assert_eq!(code, 0);
        record["moves"].clone()
    };
    assert_eq!(moves("reference"), moves("lanes"));
}

#[test]
fn a_match_can_start_anywhere() {
    let state = "(cell 1 1 x) (cell 1 2 x) (cell 2 1 o) (cell 2 2 o) (control x)";
    let folder = files(&[("state.txt", state)]);
    let state = path(&folder, "state.txt");
    // Whoever is on the move wins at once, if it sees where it is.
    let fast = ["match", "tic_tac_toe", "--players", "uct,uct", "--simulations", "500", "--json"];
    let (code, record) = run_json(&[&fast[..], &["--state", &state]].concat());
    assert_eq!((code, &record["moves"][0][0]), (0, &"(mark 1 3)".into()));
    assert_eq!(record["goalValues"], serde_json::json!([100, 0]));
    let moves = "((mark 1 1) noop) (noop (mark 2 1)) ((mark 1 2) noop) (noop (mark 3 3))";
    let (code, record) = run_json(&[&fast[..], &["--moves", moves]].concat());
    assert_eq!((code, &record["moves"][0][0]), (0, &"(mark 1 3)".into()));

    // Scripted moves are drawn too, and steps are counted from the first.
    let out = run_well(&["play", "tic_tac_toe", "--moves", moves, "--players", "uct,random"]);
    assert!(out.contains("step 4: x noop, o (mark 3 3)"), "{out}");
    assert!(out.contains("step 5: x (mark 1 3), o noop"), "{out}");
    assert!(out.contains("the game is over after 5 steps"), "{out}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = files(&[("s.kif", SMALL), ("stuck.kif", STUCK)]);
    let sheet = path(&folder, "s.kif");
    let refused = |args: &[&str], wanted: i32, complaint: &str| {
        let (code, _, err) = run(args);
        assert_eq!(code, wanted, "{args:?}: {err}");
        assert!(err.contains(complaint), "{args:?}: {err}");
    };
    refused(&["match", &sheet, "--players", "uct"], 1, "names 1 player, but the game has 2 roles");
    refused(&["match", &sheet, "--players", "uct,genius"], 2, "there is no player genius");
    refused(&["match", &sheet, "--players", "uct:c=x,uct"], 2, "expected a number from 0");
    refused(&["match", &sheet, "--players", "uct,https://a"], 2, "the protocol of players is http");
    let fraction = ["match", &sheet, "--players", "uct,http://localhost:1", "--play-clock", "0.5"];
    refused(&fraction, 1, "whole seconds");
    refused(&["match", &sheet, "--players", "first,first", "-n", "0"], 2, "rounds");
    refused(&["match", &sheet, "--players", "first,first", "-j", "0"], 2, "jobs");
    let people = ["match", &sheet, "--players", "human,first", "-n", "2", "-j", "2"];
    refused(&people, 1, "people play one match at a time");
    let rounds = ["match", &sheet, "--players", "first,first", "--rounds", "1.5"];
    refused(&rounds, 2, "1.5 is not a whole number");
    let stuck = path(&folder, "stuck.kif");
    let error = "stuck, step 2: role b has no legal move";
    refused(&["match", &stuck, "--players", "random,random"], 1, error);
    refused(&["match", &stuck, "--players", "random,random", "--json"], 1, error);
    for jobs in ["1", "2"] {
        let rounds = ["match", &stuck, "--players", "random,random", "-n", "9", "-j", jobs];
        refused(&rounds, 1, error);
    }
    let beside = path(&folder, "s.kif/records");
    refused(&["match", &sheet, "--players", "first,first", "--out", &beside], 1, "cannot write to");
    // That comes before anything that takes long.
    let never = ["match", &sheet, "--players", "human,first", "--out", &sheet];
    refused(&never, 1, "cannot write to");
    let both = ["play", &sheet, "--players", "first,first", "--strategy", "uct"];
    refused(&both, 1, "leave out --strategy");
    let input =
        ludens().args(["play", "-", "--players", "human,first"]).write_stdin(SMALL).output();
    let err = String::from_utf8_lossy(&input.expect("output").stderr).into_owned();
    assert!(err.contains("the rules come from standard input"), "{err}");
}

#[test]
fn people_play_in_the_terminal() {
    let typed = "mark 1 1\nmark 9 9\n(MARK 1 2)\nmark 1 3\n";
    let play = ["play", "tic_tac_toe", "--players", "human,first", "--moves", "(* noop)"];
    let moves = "((mark 3 3) noop) (noop (mark 3 1))";
    let play = [&play[..5], &[moves]].concat();
    let output = ludens().args(&play).write_stdin(typed).output().expect("output");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.contains("step 3: x (mark 1 1), o noop"), "{out}");
    assert!(err.contains("x, your move") && err.contains("mark 9 9 is not legal here"), "{err}");
    let left = ludens().args(&play).write_stdin("q\n").output().expect("output");
    assert!(left.status.success());
    assert!(String::from_utf8_lossy(&left.stdout).ends_with("x left after 2 steps\n"));
}

#[test]
fn what_is_typed_ahead_is_for_the_next_match() {
    let folder = files(&[("s.kif", SMALL)]);
    let rounds =
        ["match", &path(&folder, "s.kif"), "--players", "human,first", "-n", "2", "--json"];
    let output = ludens().args(rounds).write_stdin("up\nup\n").output().expect("output");
    let records: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let first = |round: usize| records["matches"][round]["moves"][0].clone();
    assert_eq!(first(0), serde_json::json!(["up", "(Say 0)"]));
    assert_eq!(first(1), serde_json::json!(["(Say 0)", "up"]));
}

#[test]
fn players_are_auto_where_none_are_named() {
    let (code, record) = run_json(&["match", "tic_tac_toe", "--simulations", "3000", "--json"]);
    assert_eq!((code, &record["playerNamesFromHost"][0]), (0, &"auto".into()), "{record}");
    let choice = &record["reports"][0][0]["choice"];
    assert_eq!(choice["base"], "uct+solver", "{record}");
    assert!(choice["evidence"].as_array().is_some_and(|all| !all.is_empty()), "{choice}");
    assert_eq!(choice["scheme"], record["reports"][0][0]["strategy"]);
}

#[test]
fn strategies_are_listed() {
    let out = run_well(&["strategies"]);
    assert!(out.contains("\n  mast ") && out.contains("a number from 0 to 1000000; 40 by default"));
    let (code, list) = run_json(&["strategies", "--json"]);
    assert_eq!((code, &list["strategies"][0]["name"]), (0, &"uct".into()));
    let parameters = list["parameters"].as_array().expect("parameters");
    let c = parameters.iter().find(|parameter| parameter["name"] == "c").expect("c");
    assert_eq!((&c["default"], &c["values"]), (&"40".into(), &"a number from 0 to 1000000".into()));
}

#[test]
fn strategies_are_chosen_by_name_value_and_file() {
    let folder = files(&[
        ("s.kif", SMALL),
        ("mast.toml", "strategy = \"mast\"\nthreads = 1\n"),
        ("mast.json", r#"{"strategy": "mast", "threads": 1}"#),
        ("bad.toml", "strategy = \"mast\"\ntauu = 1\n"),
        ("broken.toml", "strategy ="),
    ]);
    let sheet = path(&folder, "s.kif");
    let play = |more: &[&str]| {
        let play = ["play", &sheet, "--simulations", "20", "--json"];
        let (code, out, err) = run(&[&play[..], more].concat());
        let record: Value = serde_json::from_str(&out).unwrap_or_default();
        (code, record["reports"][0][0]["strategy"].clone(), err)
    };
    for file in ["mast.toml", "mast.json"] {
        assert_eq!(play(&["--config", &path(&folder, file)]).1, "mast");
    }
    let usual = play(&["--set", "threads=1"]).1;
    assert_eq!(usual, "uct+solver", "auto, which finds no time for contests");
    let toml = path(&folder, "mast.toml");
    assert_eq!(play(&["--config", &toml, "--strategy", "mc"]).1, "mc");
    assert_eq!(play(&["--strategy", "mc", "--set", "strategy=uct", "--set", "c=1"]).1, "uct");
    for (args, complaint) in [
        (["--strategy", "utc"], "there is no strategy utc; did you mean uct?"),
        (["--set", "tua=1"], "there is no parameter tua; did you mean tau?"),
        (["--config", &path(&folder, "bad.toml")], "there is no parameter tauu; did you mean tau?"),
        (["--config", &path(&folder, "broken.toml")], "broken.toml: not settings in TOML: "),
        (["--config", "nowhere.toml"], "cannot read nowhere.toml"),
    ] {
        let (code, _, err) = play(&args);
        assert!(code == 1 && err.contains(complaint), "{args:?}: {err}");
    }
}
