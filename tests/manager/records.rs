//! What is written down of a match, and when.

use std::fs;
use std::path::Path;

use ludens::manager::Event;
use ludens::record::{MatchRecord, Recorder};

use crate::fake::{Act, Fake};
use crate::support::{self, SMALL, files};
use crate::table::{play_watched, setup};

fn read(path: &Path) -> MatchRecord {
    let text = fs::read_to_string(path).expect("a record");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn records_are_as_they_were() {
    let folder = files(&[]);
    let fake = Fake::playing({
        let mut acts = [Act::Say("(say 3)"), Act::HangUp].into_iter();
        move || acts.next().unwrap_or(Act::Die)
    });
    let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
    let mut setup = setup(SMALL, &["first", &fake.address]);
    setup.players[1].name = "http://localhost:9147".to_string();
    play_watched(&setup, Some(recorder), |_| {});
    let mut record = read(&folder.path().join("m.1.json"));
    assert!(record.start_time > 1_700_000_000_000);
    assert!(record.state_times.is_sorted() && record.state_times[0] >= record.start_time);
    // Times are never the same.
    record.start_time = 1_000_000_000_000;
    record.state_times.fill(1_000_000_000_000);
    let text = serde_json::to_string_pretty(&record).expect("JSON") + "\n";
    golden("match.json", &text);
    golden("match.pgn", &ludens::record::pgn(&record));
    let written = fs::read_to_string(folder.path().join("m.1.pgn")).expect("a PGN");
    let without_date = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("[Date "));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(without_date(&written), without_date(&ludens::record::pgn(&record)));
    let log = fs::read_to_string(folder.path().join("m.1.log")).expect("a log");
    let lines: Vec<&str> =
        log.lines().map(|line| &line["2026-01-01T00:00:00.000Z ".len()..]).collect();
    assert_eq!(lines[0], "match m.1 of small");
    assert!(lines[1].starts_with("b: IL (say 3); ") && lines[1].ends_with(" at random instead"));
    assert!(lines.contains(&"over after 2 joint moves"), "{log}");
}

/// Compares with a file, or writes it anew where UPDATE_GOLDEN is set.
fn golden(name: &str, text: &str) {
    let path = support::root().join("tests/manager/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).expect("a golden file is written");
    }
    let wanted = fs::read_to_string(&path).expect("a golden file");
    assert_eq!(text, wanted, "{name} is not as it was; UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn at_every_moment_the_record_is_whole() {
    let folder = files(&[]);
    let path = folder.path().join("m.1.json");
    let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
    let mut looks = 0;
    let outcome = play_watched(&setup(SMALL, &["uct", "random"]), Some(recorder), |event| {
        let record = read(&path);
        let step = match event {
            Event::Start { .. } => 0,
            Event::State { step, .. } | Event::Moves { step, .. } => step as usize,
        };
        assert_eq!((record.moves.len(), record.states.len()), (step, step + 1));
        assert_eq!((record.errors.len(), record.state_times.len()), (step + 1, step + 1));
        assert!(!record.is_completed && !record.is_aborted && record.goal_values.is_empty());
        looks += 1;
    });
    assert_eq!(looks, 6);
    let mut last = read(&path);
    assert_eq!(last.reports.len(), 2);
    // Fractions may lose their last bit on the way back.
    last.reports = outcome.record.reports.clone();
    assert_eq!(last, outcome.record);
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["m.1.json", "m.1.log", "m.1.pgn"]);
}

#[test]
fn a_record_that_cannot_be_written_ends_the_match() {
    let folder = files(&[]);
    let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
    // A folder is in the way.
    fs::create_dir(folder.path().join("m.1.json")).expect("a folder");
    let mut game = crate::table::judge(&crate::table::rules(SMALL));
    let state = game.initial_state().expect("a state");
    let setup = setup(SMALL, &["first", "first"]);
    let ended =
        ludens::manager::play_match(&mut *game, state, &setup, Some(recorder), &mut |_| Ok(()));
    let error = ended.expect_err("no match").to_string();
    assert!(error.starts_with("the match cannot be recorded: "), "{error}");
}
