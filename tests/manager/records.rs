//! What is written down of a match, and when.

use std::fs;
use std::path::Path;

use ludens::manager::MatchEvent;
use ludens::record::{MatchRecord, Recorder, pgn, read_record};

use super::fake::{Act, Fake};
use super::table::{play_watched, setup};
use crate::support::{self, SMALL, files};

fn read(path: &Path) -> MatchRecord {
    let text = fs::read(path).expect("a record");
    read_record(&text).unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)))
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
    golden("match.pgn", &pgn(&record));
    let written = fs::read_to_string(folder.path().join("m.1.pgn")).expect("a PGN");
    let without_date = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("[Date "));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(without_date(&written), without_date(&pgn(&record)));
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
fn at_every_moment_the_match_can_be_read() {
    let folder = files(&[]);
    let (path, journal) = (folder.path().join("m.1.json"), folder.path().join("m.1.part"));
    let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
    let mut looks = 0;
    let outcome = play_watched(&setup(SMALL, &["uct", "random"]), Some(recorder), |event| {
        assert!(!path.exists(), "a record is written once");
        let record = read(&journal);
        let step = match event {
            MatchEvent::Start { .. } => 0,
            MatchEvent::State { step, .. } | MatchEvent::Moves { step, .. } => step as usize,
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

/// A game of 200 steps whose states have 100 sentences that never change.
fn long_game() -> String {
    let facts: Vec<String> = (0..200).map(|at| format!("(succ {at} {})", at + 1)).collect();
    let same: Vec<String> = (0..100).map(|at| format!("(init (same thing {at}))")).collect();
    format!(
        "(role a) (role b) (init (n 0)) {} {}
        (legal a go) (legal b go)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= (next (same ?x ?y)) (true (same ?x ?y)))
        (<= terminal (true (n 200))) (goal a 1) (goal b 1)",
        facts.join(" "),
        same.join(" ")
    )
}

#[test]
fn each_step_is_written_once() {
    let folder = files(&[]);
    let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
    let mut setup = setup(&long_game(), &["first", "first"]);
    setup.max_steps = 1000;
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    // Files only grow, so all bytes that were written are in them.
    let mut before: Vec<(String, Vec<u8>)> = Vec::new();
    let mut steps: Vec<usize> = Vec::new();
    let outcome = play_watched(&setup, Some(recorder), |event| {
        let MatchEvent::Moves { .. } = event else { return };
        assert_eq!(names(), ["m.1.log", "m.1.part"]);
        for name in names() {
            let text = fs::read(folder.path().join(&name)).expect("a file");
            match before.iter_mut().find(|(known, _)| *known == name) {
                Some((_, old)) => {
                    assert!(text.starts_with(old), "{name} does not only grow");
                    if name.ends_with(".part") {
                        steps.push(text.len() - old.len());
                    }
                    *old = text;
                }
                None => before.push((name, text)),
            }
        }
    });
    assert_eq!((outcome.record.moves.len(), steps.len()), (200, 199));
    // Numbers get longer, and nothing else.
    let (least, most) = (steps.iter().min(), steps.iter().max());
    assert!(most < least.map(|least| least + 20).as_ref(), "{least:?} {most:?}");
    let journal = before.iter().map(|(_, text)| text.len()).sum::<usize>();
    let record = fs::metadata(folder.path().join("m.1.json")).expect("a record").len() as usize;
    assert!(journal < 2 * record, "{journal} bytes for a record of {record}");
}

#[test]
fn a_record_that_cannot_be_written_ends_the_match() {
    let folder = files(&[]);
    let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
    // A folder is in the way.
    fs::create_dir(folder.path().join("m.1.json")).expect("a folder");
    let mut game = super::table::judge(&super::table::rules(SMALL));
    let state = game.initial_state().expect("a state");
    let setup = setup(SMALL, &["first", "first"]);
    let ended =
        ludens::manager::play_match(&mut *game, state, &setup, Some(recorder), &mut |_| Ok(()));
    let error = ended.expect_err("no match").to_string();
    assert!(error.starts_with("the match cannot be recorded: "), "{error}");
    // The journal has it all, and no other part of it is left.
    let record = read(&folder.path().join("m.1.part"));
    assert_eq!((record.moves.len(), record.goal_values.len()), (2, 2));
    assert!(record.is_completed && !record.is_aborted);
    assert!(!folder.path().join("m.1.json.tmp").exists());
}

#[test]
fn roles_and_moves_of_any_name_make_a_proper_pgn() {
    let sheet = "(role Event) (role a-b) (role a_b) (init s)
        (legal event {x}) (legal a-b \"q\\) (legal a_b (Say [1] 100%))
        (<= (next t) (true s)) (<= terminal (true t)) (goal event 1) (goal a-b 2) (goal a_b 3)";
    let folder = files(&[]);
    let recorder = Recorder::create(folder.path(), "m.1").expect("a recorder");
    let outcome = play_watched(&setup(sheet, &["first"; 3]), Some(recorder), |_| {});
    let path = folder.path().join("m.1.pgn");
    let text = fs::read_to_string(&path).expect("a PGN");
    let tags: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix('[')).collect();
    let names: Vec<&str> = tags.iter().filter_map(|tag| tag.split(' ').next()).collect();
    assert_eq!(names, ["Event", "Date", "Game", "Role1_Event", "a_b", "Role3_a_b", "Result"]);
    let moves = text.lines().find(|line| line.starts_with("1. ")).expect("a move");
    assert!(!moves.contains(['{', '}', '"', '\\', '[', ';']), "{moves}");
    assert_eq!(read(&path).moves, outcome.record.moves);
}
