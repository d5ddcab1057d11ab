//! The commands as a user meets them: output, exit codes, complaints.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{self, NO_GOAL, SMALL, STUCK, files, ludens, path, run, run_json, run_well};

#[test]
fn check_shows_findings_and_counts_them() {
    let sheets =
        files(&[("good.kif", SMALL), ("bad.kif", "(role a)\n(<= (legal a ?x) (p ?y))\n)")]);
    let (good, bad) = (path(&sheets, "good.kif"), path(&sheets, "bad.kif"));
    let out = run_well(&["check", &good]);
    assert!(out.contains("good.kif: can be played: 14 rules, 0 errors"), "{out}");

    let (code, out, err) = run(&["check", &good, &bad]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("error[surplus-parenthesis]"), "{out}");
    assert!(out.contains("bad.kif:3:1"), "{out}");
    assert!(out.contains("bad.kif: cannot be played: "), "{out}");
}

#[test]
fn check_as_json() {
    let sheets = files(&[("good.kif", SMALL), ("bad.kif", "(role a)\n)")]);
    let (code, document) =
        run_json(&["check", "--json", &path(&sheets, "good.kif"), &path(&sheets, "bad.kif")]);
    assert_eq!(code, 1);
    assert_eq!(
        document["summary"],
        serde_json::json!({"sheets": 2, "with_errors": 1, "with_warnings": 0})
    );
    let reports = &document["sheets"];
    assert_eq!(reports[0]["errors"], 0);
    assert_eq!(reports[0]["rules"], 14);
    assert_eq!(reports[1]["file"], path(&sheets, "bad.kif"));
    let finding = &reports[1]["findings"][0];
    assert_eq!(
        (&finding["severity"], &finding["code"]),
        (&"error".into(), &"surplus-parenthesis".into())
    );
    assert_eq!((&finding["line"], &finding["column"]), (&2.into(), &1.into()));
    assert!(finding["message"].is_string() && finding["help"].is_string());
    assert!(finding["moves"].is_null());
    assert_eq!(finding["related"], serde_json::json!([]));
}

#[test]
fn strict_check_fails_on_warnings() {
    // A relation that nothing uses is worth a warning.
    let sheets = files(&[("odd.kif", &format!("{SMALL} (idle 1)"))]);
    let odd = path(&sheets, "odd.kif");
    let out = run_well(&["check", &odd]);
    assert!(out.contains("warning["), "{out}");
    assert_eq!(run(&["check", "--strict", &odd]).0, 1);
}

#[test]
fn our_games_have_nothing_wrong_with_them() {
    for sheet in support::small_games() {
        run_well(&["check", "--strict", &sheet.display().to_string()]);
    }
}

#[test]
fn show_prints_rules_that_read_the_same() {
    let sheets = files(&[("s.kif", SMALL)]);
    let once = run_well(&["show", &path(&sheets, "s.kif"), "rules"]);
    let again = ludens().args(["show", "-", "rules"]).write_stdin(once.clone()).output();
    assert_eq!(String::from_utf8_lossy(&again.expect("output").stdout), once);
    assert!(once.contains("(legal ?r (Say ?n))"), "the spelling stays: {once}");
    let (code, rules) = run_json(&["show", &path(&sheets, "s.kif"), "rules", "--json"]);
    assert_eq!((code, &rules[0]["head"]), (0, &"(role a)".into()));
    assert_eq!((&rules[0]["line"], &rules[0]["column"]), (&2.into(), &5.into()));
}

#[test]
fn show_tells_when_playouts_are_cut() {
    let text = run_well(&["show", "breakthrough", "cutoffs", "--samples", "50", "--seed", "3"]);
    assert!(text.contains("samples            50\nstability          0.0\n"), "{text}");
    assert!(text.contains("cutoff             by terminal interval, scored as draws\n"), "{text}");
    let (code, found) = run_json(&["show", "tic_tac_toe", "cutoffs", "--json"]);
    assert_eq!((code, &found["kind"], &found["samples"]), (0, &"inactive".into(), &100.into()));
    assert_eq!((&found["first_terminal"], &found["last_terminal"]), (&5.into(), &9.into()));
    assert!(found["reason"].as_str().is_some_and(|reason| reason.contains("4 moves apart")));
    let (code, _, err) = run(&["show", "tic_tac_toe", "rules", "--samples", "7"]);
    assert!(code == 1 && err.contains("ludens show tic_tac_toe cutoffs --samples 100"), "{err}");
}

#[test]
fn a_dash_is_standard_input() {
    for args in [vec!["check", "-"], vec!["perft", "-", "--depth", "1"], vec!["play", "-"]] {
        let assert = ludens().args(args).write_stdin(SMALL).assert();
        assert.success().stderr("");
    }
    let output = ludens().args(["trace", "-"]).write_stdin(SMALL).output().expect("output");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with(r#"{"game":"stdin","roles""#));
}

#[test]
fn perft_counts_every_level_and_stops_when_all_is_counted() {
    let sheets = files(&[("s.kif", SMALL)]);
    let sheet = path(&sheets, "s.kif");
    let (code, counts) = run_json(&["perft", &sheet, "--depth", "1000000000", "--json"]);
    assert_eq!(
        (code, &counts["stopped"], &counts["max_depth"]),
        (0, &"exhausted".into(), &2.into())
    );
    let expected = serde_json::json!([
        {"d": 1, "paths": 4, "states": 4, "terminal_paths": 0, "terminal_states": 0,
         "goal_sums": [0, 0], "goal_errors": [0, 0]},
        {"d": 2, "paths": 4, "states": 1, "terminal_paths": 4, "terminal_states": 1,
         "goal_sums": [400, 160], "goal_errors": [0, 0]},
    ]);
    assert_eq!(counts["levels"], expected);
    let table = run_well(&["perft", &sheet, "--depth", "2"]);
    assert!(table.lines().nth(2).is_some_and(|line| line.ends_with("400 160")), "{table}");
    let (_, counts) = run_json(&["perft", &sheet, "--depth", "1", "--json"]);
    assert_eq!((&counts["stopped"], &counts["max_depth"]), (&"depth".into(), &1.into()));
}

#[test]
fn perft_holds_no_more_states_than_allowed() {
    let few = ["perft", "tic_tac_toe", "--depth", "5", "--states", "100", "--json"];
    for engine in ["reference", "lanes"] {
        let (code, out, err) = run(&[&few[..], &["--engine", engine]].concat());
        assert_eq!(code, 1);
        assert!(
            err.contains("after 3 joint moves there are more than 100 distinct states"),
            "{err}"
        );
        let counts: serde_json::Value = serde_json::from_str(&out).expect("what was counted");
        assert_eq!((&counts["max_depth"], &counts["stopped"]), (&2.into(), &"error".into()));
    }
}

#[test]
fn perft_divides_by_the_first_joint_move() {
    let sheets = files(&[("s.kif", SMALL)]);
    let sheet = path(&sheets, "s.kif");
    let (code, divided) = run_json(&["perft", &sheet, "--depth", "2", "--divide", "--json"]);
    assert_eq!((code, &divided["paths"]), (0, &4.into()));
    let branches = divided["divide"].as_array().expect("branches");
    assert_eq!(branches.len(), 4);
    assert!(branches.iter().all(|branch| branch["level"]["paths"] == 1));
    let table = run_well(&["perft", &sheet, "--depth", "3", "--divide"]);
    assert!(table.contains("((say 0) up)") && table.contains("0 sequences of 3"), "{table}");
}

#[test]
fn perft_counts_goals_that_are_missing() {
    let sheets = files(&[("s.kif", NO_GOAL)]);
    let (code, counts) = run_json(&["perft", &path(&sheets, "s.kif"), "--depth", "5", "--json"]);
    assert_eq!(code, 0);
    assert_eq!(counts["levels"][0]["goal_sums"], serde_json::json!([null, null]));
    assert_eq!(counts["levels"][0]["goal_errors"], serde_json::json!([2, 2]));
    let table = run_well(&["perft", &path(&sheets, "s.kif"), "--depth", "5"]);
    assert!(table.contains("- -"), "{table}");
    assert!(
        table.contains("depth 1: role a has no integer goal value, or several, in 2 terminal"),
        "{table}"
    );
}

#[test]
fn perft_counts_as_far_as_numbers_go() {
    let endless = "(role a) (init s) (legal a l) (legal a r) (<= (next s) (true s))
        (<= terminal (true never)) (goal a 0)";
    let sheets = files(&[("s.kif", endless)]);
    let (code, out, err) = run(&["perft", &path(&sheets, "s.kif"), "--depth", "1000000000"]);
    assert_eq!(code, 1);
    assert!(out.contains(&(1u128 << 127).to_string()), "{out}");
    assert!(err.contains("after 128 joint moves: the counts do not fit into 128 bits"), "{err}");
}

#[test]
fn perft_starts_from_moves_and_states() {
    let sheets = files(&[
        ("s.kif", SMALL),
        ("moves.txt", "; the opening\n((SAY 0) *)\n"),
        ("state.txt", "(true (n 1))\n(side a)\n"),
        ("state.json", r#"["(n 1)", "(side a)"]"#),
    ]);
    let sheet = path(&sheets, "s.kif");
    for start in [
        ["--moves", "((say 0) up)"],
        ["--moves", &path(&sheets, "moves.txt")],
        ["--state", &path(&sheets, "state.txt")],
        ["--state", &path(&sheets, "state.json")],
    ] {
        let (code, counts) =
            run_json(&[&["perft", &sheet, "--depth", "9", "--json"][..], &start].concat());
        assert_eq!((code, &counts["max_depth"]), (0, &1.into()), "{start:?}");
        assert_eq!(counts["levels"][0]["paths"], 1, "{start:?}");
    }
}

#[test]
fn perft_in_lanes_prints_the_same() {
    let sheets = files(&[("small.kif", SMALL), ("stuck.kif", STUCK), ("no_goal.kif", NO_GOAL)]);
    let mut commands = Vec::new();
    for name in ["small.kif", "stuck.kif", "no_goal.kif"] {
        let sheet = path(&sheets, name);
        let perft = |more: &[&str]| {
            let perft = ["perft", &sheet, "--depth", "3"];
            perft.iter().chain(more).map(|arg| arg.to_string()).collect::<Vec<String>>()
        };
        commands.extend([perft(&[]), perft(&["--json"]), perft(&["--divide"])]);
        if name == "small.kif" {
            commands.push(perft(&["--moves", "((say 0) up)"]));
        }
    }
    let engines: [&[&str]; 4] = [
        &["--engine", "scalar"],
        &["--engine", "lanes"],
        &["--engine", "lanes", "--lanes", "512", "--backend", "portable"],
        &["--engine", "lanes", "--lanes", "2048"],
    ];
    for command in commands {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        // The circuit has the same tables of moves, and so the same order of branches.
        let expected = run(&[&command[..], &["--engine", "circuit"]].concat());
        for engine in engines {
            assert_eq!(run(&[&command[..], engine].concat()), expected, "{command:?} {engine:?}");
        }
    }
}

#[test]
fn perft_counts_the_same_whoever_counts() {
    // Two tokens of one colour are in no game, so a circuit of the sheet as it is may be wrong there.
    let state = "(cell 1 1 red) (cell 2 1 red) (control red)";
    let files = files(&[("state.txt", state)]);
    let state = path(&files, "state.txt");
    let starts: [&[&str]; 3] = [&[], &["--state", &state], &["--divide"]];
    for start in starts {
        let perft = ["perft", "connect_four", "--depth", "6", "--json"];
        let perft = [&perft[..], start].concat();
        let counts = run_json(&perft);
        assert_eq!(counts, run_json(&[&perft[..], &["--engine", "auto"]].concat()), "{start:?}");
        let reference = [&perft[..], &["--engine", "reference"]].concat();
        assert_eq!(counts, run_json(&reference), "{start:?}");
    }
}

#[test]
fn lanes_that_cannot_be_had_are_refused() {
    let sheets = files(&[("s.kif", SMALL)]);
    let sheet = path(&sheets, "s.kif");
    let perft = |more: &[&str]| {
        run(&[&["perft", &sheet, "--depth", "1", "--engine", "lanes"][..], more].concat())
    };
    for (lanes, backend) in [("64", "avx2"), ("512", "avx2"), ("256", "avx512"), ("2048", "avx512")]
    {
        let (code, out, err) = perft(&["--lanes", lanes, "--backend", backend]);
        assert_eq!((code, out.as_str()), (1, ""));
        let no_fit = format!(" lanes and not on {lanes}; portable works on any width");
        let missing = format!("this processor does not have {backend}; portable works everywhere");
        assert!(err.contains(&no_fit) || err.contains(&missing), "{err}");
    }
    let (code, _, err) = perft(&["--lanes", "100"]);
    assert_eq!(code, 2);
    assert!(err.contains("it is one of 64, 256, 512, 2048, auto"), "{err}");
    assert_eq!(perft(&["--backend", "abacus"]).0, 2);
}

#[test]
fn bad_starts_are_refused_with_their_place() {
    let sheets = files(&[
        ("s.kif", SMALL),
        ("state.txt", "(n 1)\n((side) a"),
        ("unknown.txt", "(n 1)\n(nowhere ?x)"),
    ]);
    let sheet = path(&sheets, "s.kif");
    let cases: [(&[&str], &str); 8] = [
        (&["--moves", "(up)"], "--moves: line 1, column 1: (up) has 1 moves"),
        (&["--moves", "up"], "--moves: line 1, column 1: up is not a joint move"),
        (&["--moves", "(up up) (up (say 0))"], "--moves: line 1, column 9: "),
        (&["--moves", "(up up) (up up) (up up)"], "the game is over after 2 steps"),
        (&["--moves", "((up up)"], "never closed"),
        (&["--state", "no such file"], "cannot read no such file"),
        (&["--state", &path(&sheets, "state.txt")], "state.txt: line 2, column 1: "),
        (&["--state", &path(&sheets, "unknown.txt")], "unknown.txt: line 2, column 1: "),
    ];
    for (args, complaint) in cases {
        for command in [
            &["perft", &sheet, "--depth", "3"][..],
            &["trace", &sheet],
            &["play", &sheet, "--quiet"],
        ] {
            let (code, _, err) = run(&[command, args].concat());
            assert_eq!(code, 1, "{command:?} {args:?}");
            assert!(err.starts_with("ludens: ") && err.contains(complaint), "{args:?}: {err}");
        }
    }
}

#[test]
fn play_draws_boards_and_scores() {
    let sheet = support::root().join("games/tic_tac_toe.kif").display().to_string();
    let out = run_well(&["play", &sheet, "--players", "first,first"]);
    assert!(out.contains("step 1: ") && out.contains("    1 2 3\n"), "{out}");
    assert!(out.contains("1 | "), "{out}");
    assert!(out.contains("the game is over after "), "{out}");
    // However few steps are played, the board is whole, also where empty cells have no sentence.
    let out = run_well(&["play", "connect_four", "--max-steps", "0"]);
    assert!(out.contains("6 | . . . . . . .\n") && out.contains("    1 2 3 4 5 6 7\n"), "{out}");
    let out = run_well(&["play", "tic_tac_toe", "--players", "first,first"]);
    let quiet = run_well(&["play", &sheet, "--players", "first,first", "--quiet"]);
    assert!(out.ends_with(&quiet) && quiet.lines().count() == 3, "{quiet}");
    assert_eq!(
        run_well(&["play", &sheet, "--seed", "5"]),
        run_well(&["play", &sheet, "--seed", "5"])
    );
}

#[test]
fn every_game_of_ours_is_played_to_its_end() {
    for sheet in support::small_games() {
        let (code, played) = run_json(&["play", &sheet.display().to_string(), "--json"]);
        assert_eq!((code, &played["isCompleted"]), (0, &true.into()), "{}", sheet.display());
        assert!(played["goalValues"].as_array().is_some_and(|goals| !goals.is_empty()));
    }
}

#[test]
fn play_says_how_far_it_went_and_what_is_wrong() {
    let sheets = files(&[("s.kif", SMALL), ("stuck.kif", STUCK), ("goal.kif", NO_GOAL)]);
    let small = path(&sheets, "s.kif");
    let out = run_well(&["play", &small, "--max-steps", "1"]);
    assert!(out.contains("stopped after 1 step; the game is not over"), "{out}");

    let (code, _, err) = run(&["play", &small, "--players", "random"]);
    assert_eq!(code, 1);
    assert!(err.contains("names 1 player, but the game has 2 roles: a, b"), "{err}");

    let (code, out, err) = run(&["play", &path(&sheets, "stuck.kif")]);
    assert_eq!(code, 1);
    assert!(out.contains("step 1"), "{out}");
    assert!(err.contains("role b has no legal move"), "{err}");

    let (code, out, _) = run(&["play", &path(&sheets, "goal.kif")]);
    assert_eq!(code, 1);
    assert!(out.contains("role a has no goal value") && out.contains("1, 2"), "{out}");
}

#[test]
fn trace_records_errors_and_caps() {
    let sheets = files(&[("s.kif", SMALL), ("stuck.kif", STUCK), ("goal.kif", NO_GOAL)]);
    let (code, trace) = run_json(&["trace", &path(&sheets, "stuck.kif")]);
    assert_eq!(code, 1);
    assert_eq!(trace["error"], "role b has no legal move in a state that is not terminal");
    let playout = &trace["playouts"][0];
    assert_eq!((&playout["error"], &playout["terminal"]), (&true.into(), &false.into()));

    let (code, trace) = run_json(&["trace", &path(&sheets, "goal.kif")]);
    assert_eq!((code, &trace["playouts"][0]["goals"]), (0, &serde_json::json!([null, null])));

    let (code, trace) = run_json(&["trace", &path(&sheets, "s.kif"), "--max-steps", "0"]);
    let playout = &trace["playouts"][0];
    assert_eq!((code, &playout["capped"]), (0, &true.into()));
    assert!(playout.get("goals").is_none());
    assert_eq!(trace["init"], serde_json::json!(["(n 0)", "(side a)"]));
}

#[test]
fn wrong_usage_exits_with_two() {
    let wrong: [&[&str]; 11] = [
        &[],
        &["dance"],
        &["check"],
        &["perft", "s.kif"],
        &["perft", "s.kif", "--depth", "0"],
        &["perft", "s.kif", "--depth", "1000000000000000000000000"],
        &["perft", "s.kif", "--depth", "2", "--engine", "steam"],
        &["verify", "s.kif"],
        &["verify", "--corpus", "here"],
        &["show", "s.kif", "everything"],
        &["play", "s.kif", "--players", "genius"],
    ];
    for args in wrong {
        assert_eq!(run(args).0, 2, "{args:?}");
    }
}

#[test]
fn sheets_that_cannot_be_read_or_played_are_complained_about() {
    let sheets = files(&[("bad.kif", "(role a"), ("empty.kif", "")]);
    let (code, out, err) = run(&["play", "no/such/sheet.kif"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("ludens: cannot read no/such/sheet.kif: "), "{err}");
    for name in ["bad.kif", "empty.kif"] {
        for command in ["play", "trace", "show"] {
            let (code, _, err) = run(&[command, &path(&sheets, name)]);
            assert_eq!(code, 1, "{command} {name}");
            assert!(err.contains("cannot be played:\nerror["), "{command} {name}: {err}");
        }
    }
    let directory = sheets.path().display().to_string();
    assert_eq!(run(&["check", &directory]).0, 1);
    let none = files(&[]);
    let (code, _, err) = run(&["check", &none.path().display().to_string()]);
    assert!(code == 1 && err.contains("there is no sheet NAME.kif in "), "{err}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in [
        &["check", "-"][..],
        &["show", "-"],
        &["trace", "-"],
        &["perft", "-", "--depth", "2"],
        &["play", "-"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // Nobody reads by the time the program has its sheet.
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("standard input");
        stdin.write_all(SMALL.as_bytes()).expect("the sheet is written");
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{args:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
    }
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run_well(&["completions", shell]);
        for word in ["perft", "strategies", "fail-below"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "cmd"]).0, 2);
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = files(&[]);
    let pages = path(&folder, "share/man1");
    let written = run_well(&["man", &pages]);
    let help = run_well(&["--help"]);
    let (_, commands) = help.split_once("Commands:\n").expect("commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 12, "{help}");
    for name in &names {
        let file = format!("{pages}/ludens-{name}.1");
        assert!(written.lines().any(|line| line == file), "{name}: {written}");
        let page = std::fs::read_to_string(&file).expect("a page");
        assert!(page.contains(&format!(".TH ludens-{name} 1")), "{page}");
    }
    assert_eq!(written.lines().count(), names.len() + 1, "{written}");
    assert!(run_well(&["man"]).contains(".TH ludens 1"));
    let (code, _, err) = run(&["man", &format!("{pages}/ludens.1/below")]);
    assert!(code == 1 && err.contains("cannot write to "), "{err}");
}

#[test]
fn every_command_explains_itself() {
    for command in [
        "check",
        "show",
        "play",
        "match",
        "strategies",
        "perft",
        "trace",
        "verify",
        "ground",
        "bench",
        "completions",
        "man",
    ] {
        let help = run_well(&[command, "--help"]);
        assert!(help.contains("Example"), "{command}: {help}");
    }
}
