//! What is written down of a match.

use std::fs;
use std::path::Path;
use std::time::Instant;

use ludens::protocol::{Session, SessionOptions};
use ludens::record::{MatchRecord, game_name};

use super::{STEPS, TURNS, options};

fn say(session: &Session, messages: &[&str]) -> Vec<String> {
    let say = |message: &&str| {
        let message = message.replace("{steps}", STEPS).replace("{turns}", TURNS);
        session.answer(&message, Instant::now()).to_string()
    };
    messages.iter().map(say).collect()
}

fn session(folder: &Path) -> Session {
    Session::new(SessionOptions { records: Some(folder.to_path_buf()), matches: 9, ..options() })
}

fn record(folder: &Path, name: &str) -> MatchRecord {
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).expect("a record");
    serde_json::from_str(&text).expect("a record that can be read")
}

#[test]
fn a_match_is_written_down_from_its_start_to_its_goals() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = session(folder.path());
    let replies = say(
        &session,
        &[
            "(start Match.1 white ({steps}) 10 5)",
            "(play Match.1 nil)",
            "(play Match.1 (Go Wait))",
            // Not what was answered, not what is allowed, and then the truth.
            "(play Match.1 (Fly Wait))",
            "(play Match.1 (Go Wait))",
            "(stop Match.1 ((Stop At 3) Wait))",
        ],
    );
    assert_eq!(replies, ["ready", "Go", "Go", "Go", "(Stop At 3)", "done"]);
    let record = record(folder.path(), "Match.1");
    assert_eq!(record.match_id, "Match.1");
    assert!(record.is_completed && !record.is_aborted);
    assert_eq!(record.goal_values, [Some(100), Some(0)]);
    assert_eq!(record.roles, ["White", "BLACK"]);
    assert_eq!(record.player_names_from_host, ["ludens", "unknown"]);
    assert_eq!(record.game, game_name(STEPS));
    assert!(record.game.starts_with("sheet-"), "{}", record.game);
    assert_eq!(record.states, ["((step 0))", "((step 1))", "((step 2))", "((step 3))"]);
    assert_eq!(record.moves, [["Go", "Wait"], ["Go", "Wait"], ["(Stop At 3)", "Wait"]]);
    assert_eq!((record.start_clock, record.play_clock), (10.0, 5.0));
    assert!(record.reports.iter().all(|reports| reports[0].is_some() && reports[1].is_none()));
    let log = fs::read_to_string(folder.path().join("Match.1.log")).expect("a log");
    for line in ["we answered Go, but Fly was made", "Fly is not a move of role white", "100 0"] {
        assert!(log.contains(line), "{line}\n{log}");
    }
    let pgn = fs::read_to_string(folder.path().join("Match.1.pgn")).expect("a PGN");
    assert!(pgn.contains("[Result \"100-0\"]"), "{pgn}");
}

#[test]
fn a_match_that_is_given_up_is_written_down_as_far_as_it_came() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = session(folder.path());
    let begin = ["(start m white ({steps}) 10 5)", "(play m nil)", "(play m (go wait))"];
    say(&session, &begin);
    session.end_all(Instant::now());
    // The same name once more, stopped too early.
    say(&session, &begin);
    assert_eq!(say(&session, &["(stop m (go wait))"]), ["done"]);
    for (name, steps) in [("m", 1), ("m~2", 2)] {
        let record = record(folder.path(), name);
        assert!(record.is_aborted && !record.is_completed, "{name}");
        assert_eq!((record.moves.len(), record.states.len()), (steps, steps + 1), "{name}");
        assert!(record.goal_values.is_empty());
    }
    // What cannot be played can be looked at.
    assert!(say(&session, &["(start bad white ((role)) 1 2)"])[0].starts_with("error: "));
    let bad = record(folder.path(), "bad");
    assert_eq!((bad.sheet.as_str(), bad.play_clock, bad.is_aborted), ("(role)", 2.0, true));
    assert!(say(&session, &["(start ../x white ((role)) 1 1)"])[0].starts_with("error: "));
    assert!(!folder.path().with_file_name("x.log").exists());
}

#[test]
fn what_can_be_no_joint_move_is_answered_and_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = session(folder.path());
    say(&session, &["(start m white ({steps}) 10 5)", "(play m nil)", "(play m (go wait))"]);
    let long = "x".repeat(1 << 20);
    let many = "wait ".repeat(1 << 16);
    // Short enough to be kept, and no move of the game.
    let wrong = "y".repeat(20_000);
    for joint in [format!("({long} wait)"), format!("({many})"), "(go)".to_string()] {
        assert_eq!(say(&session, &[&format!("(play m {joint})")]), ["Go"], "{}", joint.len());
    }
    assert_eq!(say(&session, &[&format!("(play m ({wrong} wait))")]), ["Go"]);
    assert_eq!(say(&session, &["(play m (go wait))"]), ["(Stop At 3)"]);
    assert_eq!(say(&session, &[&format!("(stop m ({long}))")]), ["done"]);
    let record = record(folder.path(), "m");
    assert_eq!(record.moves, [["go", "wait"], ["go", "wait"]]);
    let log = fs::read_to_string(folder.path().join("m.log")).expect("a log");
    for line in ["has more than 65536 bytes; ", "has 1 moves for 2 roles; ", "yyy..."] {
        assert!(log.contains(line), "{line}");
    }
    let longest = log.lines().map(str::len).max();
    assert!(longest < Some(5000), "a line of {longest:?} letters");
}

#[test]
fn a_last_joint_move_that_is_told_twice_is_made_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = session(folder.path());
    let (begin, left) = ("(start m black ({turns}) 10 5)", "(play m (left wait))");
    say(&session, &[begin, "(play m nil)", left, left, left, "(stop m (left wait))"]);
    let record = record(folder.path(), "m");
    assert!(record.is_completed, "{record:?}");
    assert_eq!((record.moves.len(), record.states.len()), (3, 4));
    assert_eq!(record.goal_values, [Some(60), Some(0)]);
}

#[test]
fn matches_that_give_way_are_written_down_as_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = session(folder.path());
    let start = "(start m white ({steps}) 10 5)";
    // In the middle of a match it begins once more, and then with other clocks.
    say(&session, &[start, "(play m nil)", start, "(start m white ({steps}) 10 4)"]);
    session.end_all(Instant::now());
    for name in ["m", "m~2", "m~3"] {
        assert!(record(folder.path(), name).is_aborted, "{name}");
    }
}
