//! `ludens solve`: what it prints, and what it says about sheets that are no puzzles.

use super::sheets;
use crate::support::{files, path, run, run_json, run_well};

#[test]
fn a_line_is_printed_with_its_score_and_proof() {
    let folder = files(&[("hanoi.kif", &sheets::hanoi(3, 7))]);
    let sheet = path(&folder, "hanoi.kif");
    let text = run_well(&["solve", &sheet, "--threads", "1", "--figures"]);
    assert!(text.starts_with("hanoi: 30, proven to be the highest score by "), "{text}");
    assert!(text.contains("\n7 moves, found by "), "{text}");
    assert!(text.contains("\n   1  (move 1 3)\n"), "{text}");
    assert!(text.contains("a line has at most 7 moves"), "{text}");
    let (code, report) = run_json(&["solve", &sheet, "--json"]);
    assert_eq!((code, &report["game"], &report["score"]), (0, &"hanoi".into(), &30.into()));
    assert_eq!(report["moves"].as_array().map(Vec::len), Some(7));
}

#[test]
fn what_cannot_be_solved_is_explained() {
    let growing = "(role a) (init (s 0)) (legal a go) (<= (next (s (f ?x))) (true (s ?x)))
        (<= terminal (true (s 1))) (goal a 100)";
    let no_goal = "(role a) (init (s 0)) (legal a go) (next (s 1)) (<= terminal (true (s 1)))
        (goal a none)";
    let folder = files(&[("growing.kif", growing), ("no_goal.kif", no_goal)]);
    for (sheet, words) in [
        (path(&folder, "no_goal.kif"), "no goal that is a number"),
        (path(&folder, "growing.kif"), "builds terms without end"),
    ] {
        let (code, out, error) = run(&["solve", &sheet, "--time", "5"]);
        assert_eq!((code, out.as_str()), (1, ""), "{sheet}: {error}");
        assert!(error.contains(words) && !error.contains("panicked"), "{sheet}: {error}");
    }
    let (code, _, error) = run(&["solve", "hanoi", "--methods", "magic"]);
    assert_eq!(code, 1);
    assert!(error.contains("no method \"magic\"; the methods are breadth-first"), "{error}");
}
