//! `ludens solve` for several roles: what it prints, when it ends, and what it says about bad input.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::sheets;
use crate::support::{files, path, run, run_json, run_well};

#[test]
fn a_position_is_printed_with_its_value_and_a_move_for_each_role() {
    for variant in ["auto", "induction", "alpha-beta", "e-uct", "s-uct"] {
        let text = run_well(&["solve", "tic_tac_toe", "--variant", variant]);
        let by = if variant == "auto" { "induction" } else { variant };
        assert!(text.starts_with(&format!("tic_tac_toe: solved by {by}\n")), "{text}");
        assert!(text.contains("\n  x  50  (mark "), "{text}");
        assert!(text.contains("\n  o  50  noop\n"), "{text}");
        assert!(text.contains("the goals of all roles add up to 100 at every end"), "{text}");
    }
    let text = run_well(&["solve", "tic_tac_toe"]);
    assert!(text.contains("\n5478 states, "), "{text}");
}

#[test]
fn a_position_after_moves_is_solved() {
    // A corner, and a reply that loses.
    let moves = "((mark 1 1) noop) (noop (mark 2 1))";
    for variant in ["induction", "alpha-beta"] {
        let args = ["solve", "tic_tac_toe", "--moves", moves, "--variant", variant, "--json"];
        let (code, found) = run_json(&args);
        assert_eq!((code, &found["is_solved"]), (0, &true.into()), "{found}");
        assert_eq!(
            (&found["roles"][0]["lower"], &found["roles"][1]["upper"]),
            (&100.0.into(), &0.0.into())
        );
    }
    let end =
        "((mark 1 1) noop) (noop (mark 2 1)) ((mark 1 2) noop) (noop (mark 2 2)) ((mark 1 3) noop)";
    let text = run_well(&["solve", "tic_tac_toe", "--moves", end]);
    assert!(text.starts_with("tic_tac_toe: solved by rules\n  x  100\n  o  0\n"), "{text}");
}

#[test]
fn a_state_that_is_given_is_solved() {
    let folder = files(&[("state.txt", "(cell 1 1 x) (cell 2 2 x) (cell 1 2 o) (control x)")]);
    let state = path(&folder, "state.txt");
    let (code, found) = run_json(&["solve", "tic_tac_toe", "--state", &state, "--json"]);
    assert_eq!((code, &found["roles"][0]["lower"]), (0, &100.0.into()), "{found}");
}

#[test]
fn simultaneous_moves_have_mixed_strategies() {
    let folder = files(&[("matrix.kif", &sheets::biased_scissors())]);
    let sheet = path(&folder, "matrix.kif");
    for variant in ["induction", "alpha-beta", "e-uct", "s-uct"] {
        let (code, found) = run_json(&["solve", &sheet, "--variant", variant, "--json"]);
        assert_eq!((code, &found["is_solved"]), (0, &true.into()), "{found}");
        for role in 0..2 {
            let value = found["roles"][role]["lower"].as_f64().expect("a number");
            assert!((value - 50.0).abs() < 1e-3, "{found}");
            let strategy = found["roles"][role]["strategy"].as_array().expect("a list");
            let share = |name: &str| {
                let found = strategy.iter().find(|share| share["move"] == name);
                found.and_then(|share| share["probability"].as_f64()).unwrap_or(0.0)
            };
            for (name, expected) in [("rock", 0.0625), ("paper", 0.625), ("scissors", 0.3125)] {
                assert!((share(name) - expected).abs() < 1e-9, "{name}: {found}");
            }
        }
    }
    let text = run_well(&["solve", &sheet]);
    assert!(text.contains("paper 0.6250"), "{text}");
}

#[test]
fn three_roles_have_bounds() {
    let folder = files(&[("three.kif", &sheets::three_in_turn())]);
    let sheet = path(&folder, "three.kif");
    let text = run_well(&["solve", &sheet]);
    assert!(text.starts_with("three: bounds by induction, all that can be proven\n"), "{text}");
    assert!(text.contains("\n  a  10 to 60  (take 1)\n"), "{text}");
    let (_, found) = run_json(&["solve", &sheet, "--variant", "alpha-beta", "--json"]);
    assert_eq!((&found["roles"][0]["lower"], &found["is_complete"]), (&10.0.into(), &true.into()));
}

#[test]
fn when_time_is_up_what_is_known_is_printed() {
    for variant in ["induction", "alpha-beta", "e-uct"] {
        let args = ["solve", "connect_four", "--search-time", "0.3", "--variant", variant];
        let text = run_well(&args);
        assert!(text.starts_with("connect_four: not solved, bounds by "), "{text}");
        assert!(text.contains("\n  red     0 to 100"), "{text}");
    }
}

#[test]
fn an_interrupt_prints_what_is_known() {
    // The signal must not come before the search has begun.
    for wait in [1, 3, 10, 30] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
        command.args(["solve", "connect_four", "--search-time", "600", "--variant", "alpha-beta"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("a process");
        sleep(Duration::from_secs(wait));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout);
        if text.starts_with("connect_four: not solved, bounds by alpha-beta so far\n") {
            return assert_eq!(output.status.code(), Some(0));
        }
    }
    panic!("it was always too soon");
}

#[test]
fn bad_input_is_explained() {
    let folder = files(&[
        ("stuck.kif", crate::support::STUCK),
        (
            "no_goal.kif",
            "(role a) (role b) (init s) (legal a go) (legal b go) (next t) (<= terminal (true t)) (goal a 1) (goal b none)",
        ),
        ("no_end.kif", &sheets::end_without_goal()),
    ]);
    for (args, words) in [
        (vec!["tic_tac_toe", "--moves", "((mark 9 9) noop)"], "mark 9 9"),
        (vec!["no_such_game"], "no_such_game"),
        (vec!["tic_tac_toe", "--methods", "sat"], "for games for one role, but tic_tac_toe has 2"),
        (
            vec![
                "connect_four",
                "--variant",
                "induction",
                "--search-memory",
                "8",
                "--search-time",
                "600",
            ],
            "more than 8 MB",
        ),
    ] {
        let (code, out, error) = run(&[vec!["solve"], args].concat());
        assert_eq!((code, out.as_str()), (1, ""), "{error}");
        assert!(error.contains(words) && !error.contains("panicked"), "{error}");
    }
    for (name, words) in [
        ("no_goal.kif", "gives b no goal that is a number"),
        ("no_end.kif", "does not give b exactly one goal"),
    ] {
        let (code, out, error) = run(&["solve", &path(&folder, name)]);
        assert_eq!((code, out.as_str()), (1, ""), "{error}");
        assert!(error.contains(words) && !error.contains("panicked"), "{name}: {error}");
    }
    let (code, _, error) = run(&["solve", &path(&folder, "stuck.kif"), "--variant", "induction"]);
    assert!(code == 1 && error.contains("no legal move"), "{error}");
    let (code, _, error) = run(&["solve", "tic_tac_toe", "--variant", "magic"]);
    assert!(code == 2 && error.contains("induction"), "{error}");
}
