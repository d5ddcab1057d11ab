//! States as pictures on the command line, and records stepped through.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::run_well;

#[test]
fn a_state_is_drawn_as_text_and_as_svg() {
    let text = run_well(&["show", "tic_tac_toe", "state", "--moves", "((mark 2 2) noop)"]);
    assert!(text.contains("2 | . x ."), "{text}");
    let svg = run_well(&["show", "tic_tac_toe", "state", "--svg", "--moves", "((mark 2 2) noop)"]);
    let document = roxmltree::Document::parse(&svg).expect("sound XML");
    let last = document
        .descendants()
        .filter(|node| node.attribute("class").is_some_and(|class| class.contains("last")));
    assert_eq!(last.count(), 1);
    let json = run_well(&["show", "tic_tac_toe", "state", "--json"]);
    let sentences: Vec<String> = serde_json::from_str(&json).expect("JSON");
    assert!(sentences.contains(&"(control x)".to_string()));
}

#[test]
fn a_match_is_drawn_state_by_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("pictures");
    let to = to.to_str().expect("a path");
    run_well(&["play", "tic_tac_toe", "--players", "first,first", "--quiet", "--svg", to]);
    let count = fs::read_dir(to).expect("a folder").count();
    assert!(count > 5, "{count} pictures");
    for number in 0..count {
        let svg = fs::read_to_string(format!("{to}/{number:03}.svg")).expect("a picture");
        roxmltree::Document::parse(&svg).expect("sound XML");
    }
}

#[test]
fn a_record_is_stepped_through_forward_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.json");
    let record =
        r#"{"game": "tic_tac_toe", "moves": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]}"#;
    fs::write(&file, record).expect("written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(["replay", "--interactive"])
        .arg(&file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(b"n\n\nb\n9\n0\nq\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let places: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix('[')?.split(" of").next()).collect();
    assert_eq!(places, ["0", "1", "2", "1", "1", "0"], "{text}");
    assert!(text.contains("a number: that state"), "{text}");
    assert!(output.status.success());
}

#[test]
fn a_run_of_ground_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.json");
    run_well(&["ground", "tic_tac_toe", "--save", file.to_str().expect("a path")]);
    let text = fs::read_to_string(&file).expect("a run");
    let run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(run["sheets"][0]["sheet"], "tic_tac_toe");
    assert!(run["sheets"][0]["stages"].is_array() && run["machine"]["cores"].is_number());
}
