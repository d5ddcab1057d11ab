//! `ludens check` over folders and in colour, and what it finds that only play can show.

use crate::support::{SMALL, STUCK, files, path, run, run_json, run_well};

#[test]
fn check_takes_folders_and_sums_up() {
    let odd = format!("{SMALL} (idle 1)");
    let sheets = files(&[("a.kif", SMALL), ("b.kif", &odd), ("c.kif", "(role a)\n)"), ("d", ")")]);
    let folder = sheets.path().display().to_string();
    let (code, out, err) = run(&["check", &folder]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("b.kif: can be played: "), "{out}");
    assert!(out.ends_with("\n3 sheets: 1 with errors, 1 with warnings\n"), "{out}");
    let (code, document) = run_json(&["check", "--json", &folder]);
    assert_eq!((code, &document["sheets"][2]["errors"]), (1, &1.into()));
    assert_eq!(document["summary"]["sheets"], 3);
    // One sheet needs no summary.
    let out = run_well(&["check", &path(&sheets, "b.kif")]);
    assert!(out.ends_with("0 errors, 1 warning\n"), "{out}");
}

#[test]
fn check_uses_colours_where_they_are_wanted() {
    let sheets = files(&[("odd.kif", &format!("{SMALL} (idle 1)"))]);
    let odd = path(&sheets, "odd.kif");
    let plain = run_well(&["check", &odd]);
    assert_eq!(run_well(&["check", "--color", "never", &odd]), plain);
    let coloured = run_well(&["check", "--color", "always", &odd]);
    assert!(coloured.contains("\u{1b}[1m\u{1b}[33mwarning[unused]\u{1b}[0m"), "{coloured:?}");
    // The same text, but for the colours.
    let mut stripped = String::new();
    for part in coloured.split('\u{1b}') {
        stripped.push_str(
            part.strip_prefix('[')
                .map_or(part, |rest| rest.split_once('m').map_or(rest, |(_, text)| text)),
        );
    }
    assert_eq!(stripped, plain);
    assert_eq!(run(&["check", "--color", "pink", &odd]).0, 2);
}

/// What leads to a finding can be played.
#[test]
fn the_moves_of_a_finding_lead_there() {
    let sheets = files(&[("stuck.kif", STUCK)]);
    let stuck = path(&sheets, "stuck.kif");
    let (_, document) = run_json(&["check", "--json", &stuck]);
    let findings = document["sheets"][0]["findings"].as_array().expect("findings");
    let halt = findings.iter().find(|finding| finding["code"] == "play-fails").expect("a halt");
    assert_eq!(halt["moves"], serde_json::json!([["go", "go"]]));
    let out = run_well(&["check", &stuck]);
    let shown = out.lines().find_map(|line| line.trim().strip_prefix("= moves: "));
    let (code, _, err) = run(&["play", &stuck, "--moves", shown.expect("moves"), "-q"]);
    assert_eq!(code, 1);
    assert!(err.contains("step 2: role b has no legal move"), "{err}");
}

/// Engines would play different games, so none plays.
#[test]
fn what_depends_on_moves_is_refused_by_every_engine() {
    let sheet = "(role p) (init s) (legal p m)
        (<= (legal p n) (was p)) (<= (was ?p) (does ?p ?x))
        (<= (next t) (does p m)) (<= (next u) (does p n))
        (<= terminal (not (true s))) (<= (goal p 0) (true t)) (<= (goal p 100) (true u))";
    let sheets = files(&[("d.kif", sheet)]);
    let path = path(&sheets, "d.kif");
    for engine in ["reference", "ground", "circuit", "lanes"] {
        let (code, out, err) = run(&["perft", &path, "--depth", "1", "--engine", engine]);
        assert_eq!((code, out.as_str()), (1, ""), "{engine}");
        assert!(
            err.contains("error[dependence]: `legal` depends on `does` through `was`"),
            "{err}"
        );
        assert!(err.contains("^ `was` depends on `does`\n"), "{err}");
    }
}

/// A goal that is no integer is one thing on every engine: none.
#[test]
fn a_goal_that_is_no_integer_is_the_same_on_every_engine() {
    let sheet = "(role a) (init s) (legal a m) (<= (next t) (does a m)) (<= terminal (true t))
        (goal a x)";
    let sheets = files(&[("g.kif", sheet)]);
    let path = path(&sheets, "g.kif");
    let check = run_well(&["check", &path]);
    assert!(check.contains("warning[goal-value]: goal value `x` is no integer"), "{check}");
    assert!(check.contains("role a has the goal value x, which is not an integer"), "{check}");
    assert!(check.contains("= moves: (m)\n"), "{check}");
    for engine in ["reference", "ground", "circuit", "lanes"] {
        let engine = ["--engine", engine];
        let (code, out, _) =
            run(&[&["play", &path, "-q", "--players", "random"], &engine[..]].concat());
        assert_eq!(code, 1);
        assert!(out.contains("role a has the goal value x, which is not an integer"), "{out}");
        let table = run(&[&["perft", &path, "--depth", "1"], &engine[..]].concat()).1;
        assert!(table.contains("role a has no integer goal value, or several, in 1"), "{table}");
    }
}

/// Marks that turn text round, and escape sequences, are shown and not obeyed.
#[test]
fn nothing_in_a_sheet_commands_the_terminal() {
    let sheets = files(&[
        (
            "mark.kif",
            "(role a) ; \u{202e}\u{1b}[2J\u{2066}\n(<= (legal a ?x\u{202e}) (p)) ; \u{200f}",
        ),
        ("moves", "((go\u{202e}))"),
        ("good.kif", SMALL),
    ]);
    let (mark, moves) = (path(&sheets, "mark.kif"), path(&sheets, "moves"));
    for args in [
        &["check", &mark][..],
        &["check", "--json", &mark],
        &["play", &mark],
        &["play", &path(&sheets, "good.kif"), "--moves", &moves],
        &["play", "no\u{202e}\u{1b}sheet"],
    ] {
        let (code, out, err) = run(args);
        assert_eq!(code, 1, "{args:?}");
        let hidden = |c: char| c != '\n' && propnet::gdl::is_hidden(c);
        assert!(!out.contains(hidden) && !err.contains(hidden), "{args:?}: {out:?} {err:?}");
        assert!(format!("{out}{err}").contains("202"), "{args:?}: {out} {err}");
    }
}
