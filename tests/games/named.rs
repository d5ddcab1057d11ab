//! The program knows the sheets by name, wherever it is started.

use std::fs;

use crate::support::{self, files, ludens, run, run_json, run_well};

#[test]
fn games_are_listed_with_all_sheets() {
    let names: Vec<String> = support::games().iter().map(|path| support::name_of(path)).collect();
    let out = run_well(&["games"]);
    let mut lines = out.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("game ")), "{out}");
    let listed: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed, names, "rebuild the program");
    let (code, items) = run_json(&["games", "--json"]);
    let items = items.as_array().expect("a list");
    assert_eq!((code, items.len()), (0, names.len()));
    let puzzle = items.iter().find(|item| item["name"] == "eight_puzzle").expect("the puzzle");
    assert_eq!(puzzle["figures"]["kind"], "puzzle");
    assert_eq!(puzzle["figures"]["players"], 1);
    assert!(puzzle["description"].as_str().is_some_and(|text| text.ends_with('.')), "{puzzle}");
}

#[test]
fn the_sheet_of_a_game_is_printed() {
    let sheet = support::root().join("games/breakthrough.kif");
    let text = fs::read_to_string(sheet).expect("the sheet");
    assert_eq!(run_well(&["games", "breakthrough"]), text);
    assert_eq!(run_json(&["games", "breakthrough", "--json"]).1["sheet"], text);
}

#[test]
fn a_name_is_a_sheet_from_anywhere() {
    let elsewhere = files(&[]);
    for command in [
        &["check", "--strict", "tic_tac_toe", "breakthrough"][..],
        &["play", "tic_tac_toe", "--quiet"],
        &["perft", "tic_tac_toe", "--depth", "2"],
        &["show", "tic_tac_toe", "rules"],
        &["ground", "tic_tac_toe"],
        &["dot", "tic_tac_toe"],
        &["trace", "tic_tac_toe"],
    ] {
        let run = ludens().current_dir(elsewhere.path()).args(command).output();
        let run = run.expect("the program starts");
        assert!(run.status.success(), "{command:?}: {}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn a_file_comes_before_a_game() {
    let folder = files(&[("tic_tac_toe", "(role"), ("chess", support::SMALL)]);
    let check = |name: &str| {
        let run = ludens().current_dir(folder.path()).args(["check", name]).output();
        run.expect("the program starts").status.success()
    };
    assert!(!check("tic_tac_toe"), "the file, which is no sheet");
    assert!(check("chess") && check("connect_four"));
}

#[test]
fn unknown_names_are_answered_with_close_ones() {
    for command in [["play", "brekthrough"], ["games", "brekthrough"]] {
        let (code, _, err) = run(&command);
        assert_eq!(code, 1);
        assert!(err.contains("neither a file nor") && err.contains("breakthrough"), "{err}");
    }
    let (_, _, err) = run(&["play", "qqqq"]);
    assert!(err.contains("`ludens games` lists"), "{err}");
    let (_, _, err) = run(&["play", "qqqq.kif"]);
    assert!(err.contains("cannot read qqqq.kif"), "{err}");
}
