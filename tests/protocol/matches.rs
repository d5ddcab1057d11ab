//! Whole matches: our own game manager and `ludens serve`, each a process of its own.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use ludens::record::MatchRecord;

use super::serve::Served;
use crate::support;

/// Plays a match, and gives its exit code and the manager's record.
fn play(game: &str, players: &[&str], arguments: &[&str]) -> (i32, MatchRecord) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let players = players.join(",");
    let mut all = vec!["match", game, "--players", &players, "--out", &out, "--quiet"];
    all.extend(arguments);
    let (code, _, complaints) = support::run(&all);
    let mut records = records(folder.path());
    assert_eq!(records.len(), 1, "{complaints}");
    (code, records.remove(0))
}

/// The records in a folder.
pub(crate) fn records(folder: &Path) -> Vec<MatchRecord> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let records = paths.filter(|path| path.extension().is_some_and(|kind| kind == "json"));
    records
        .map(|path| {
            let text = fs::read_to_string(path).expect("a record");
            serde_json::from_str(&text).expect("a record that can be read")
        })
        .collect()
}

fn error_counts(record: &MatchRecord) -> Vec<usize> {
    (0..record.roles.len()).map(|role| record.error_count(role)).collect()
}

#[test]
fn two_processes_play_for_our_manager() {
    let folders = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
    let start = |folder: &tempfile::TempDir| {
        let out = folder.path().display().to_string();
        Served::start(&["--simulations", "2000", "--out", &out])
    };
    let players = [start(&folders[0]), start(&folders[1])];
    let urls = players.each_ref().map(Served::url);
    let clocks = ["--start-clock", "30", "--play-clock", "30"];
    let (code, record) = play("tic_tac_toe", &[&urls[0], &urls[1]], &clocks);
    assert_eq!(code, 0);
    assert!(record.is_completed);
    assert_eq!(error_counts(&record), [0, 0]);
    assert_eq!(record.goal_values, [Some(50), Some(50)], "{:?}", record.moves);
    // The players have written down the same match.
    for folder in &folders {
        let theirs = records(folder.path()).remove(0);
        assert_eq!(theirs.match_id, record.match_id);
        assert_eq!(theirs.game, "tic_tac_toe");
        assert_eq!(theirs.moves, record.moves);
        assert_eq!(theirs.states, record.states);
        assert_eq!(theirs.goal_values, record.goal_values);
    }
    for player in players {
        assert_eq!(player.say("(info)"), "((name ludens) (status available))");
    }
}

#[test]
fn all_roles_may_be_played_by_processes() {
    for (game, roles) in [("lights_out", 1), ("three_player_tic_tac_toe", 3)] {
        let players: Vec<Served> =
            (0..roles).map(|_| Served::start(&["--simulations", "20"])).collect();
        let urls: Vec<String> = players.iter().map(Served::url).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let clocks = ["--start-clock", "30", "--play-clock", "30"];
        let (code, record) = play(game, &urls, &clocks);
        assert_eq!((code, record.is_completed), (0, true), "{game}");
        assert_eq!(error_counts(&record), vec![0; roles], "{game}");
    }
}

#[test]
fn clocks_are_kept_on_the_wire() {
    // Much is kept in reserve: the machine may have other things to do.
    let player = Served::start(&["--set", "margin=4500"]);
    let clocks = ["--start-clock", "5", "--play-clock", "5"];
    let (_, record) = play("tic_tac_toe", &[&player.url(), "random"], &clocks);
    assert!(record.is_completed);
    assert_eq!(error_counts(&record), [0, 0], "{:?}", record.errors);
}

#[test]
fn a_process_that_dies_in_the_middle_does_not_stop_the_match() {
    let mut player = Served::start(&[]);
    let url = player.url();
    let playing = thread::spawn(move || {
        play("breakthrough", &["random", &url], &["--start-clock", "1", "--play-clock", "1"])
    });
    while player.say("(info)") != "((name ludens) (status busy))" {
        thread::sleep(Duration::from_millis(10));
    }
    // In one of its first turns: the start clock is a second, and so is every turn with a choice.
    thread::sleep(Duration::from_millis(2500));
    player.kill();
    let (_, record) = playing.join().expect("no panic");
    assert!(record.is_completed);
    assert!(error_counts(&record)[1] > 0);
    assert_eq!(error_counts(&record)[0], 0);
}
