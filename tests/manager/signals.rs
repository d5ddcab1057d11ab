//! Matches that are ended from outside.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use ludens::manager::{EndReason, ManagerError, MatchEvent, play_match};
use ludens::record::{MatchRecord, read_record};
use tempfile::TempDir;

use super::fake::{Act, Fake};
use super::table::{judge, play, rules, setup};
use crate::support::{SMALL, explosion, files, path, run};

#[test]
fn an_interrupted_match_is_aborted_for_all() {
    let fake = Fake::playing(|| Act::Silence);
    let setup = setup(SMALL, &[&fake.address, "uct"]);
    let interrupt = setup.interrupt.clone();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            fake.wait_for("PLAY");
            interrupt.store(true, Ordering::Relaxed);
        });
        play(&setup)
    });
    assert_eq!(outcome.end, EndReason::Interrupted);
    assert!(outcome.record.is_aborted && !outcome.record.is_completed);
    assert_eq!(fake.messages().last().map(String::as_str), Some("(ABORT m.1)"));
}

#[test]
fn a_match_that_nobody_has_to_wait_for_can_be_interrupted_too() {
    let setup = setup(SMALL, &["random", "random"]);
    setup.interrupt.store(true, Ordering::Relaxed);
    assert_eq!(play(&setup).end, EndReason::Interrupted);
}

#[test]
fn players_are_told_of_a_match_that_cannot_be_shown() {
    let fake = Fake::saying("up");
    let setup = setup(SMALL, &[&fake.address, "random"]);
    let mut game = judge(&rules(SMALL));
    let state = game.initial_state().expect("a state");
    let mut refuse = |_: MatchEvent<'_>| Err(io::Error::from(io::ErrorKind::BrokenPipe));
    let ended = play_match(&mut *game, state, &setup, None, &mut refuse);
    assert!(matches!(ended, Err(ManagerError::Observer(_))));
    assert_eq!(fake.messages().last().map(String::as_str), Some("(ABORT m.1)"));
}

/// The program with these arguments and clocks of a minute.
fn patient(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(args)
        .args(["--start-clock", "60", "--play-clock", "60"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// A match whose second step takes a minute, because a player is silent there.
fn slow_match(folder: &TempDir) -> (Child, Fake) {
    let fake = Fake::playing({
        let mut acts = [Act::Say("up")].into_iter();
        move || acts.next().unwrap_or(Act::Silence)
    });
    let sheet = path(folder, "s.kif");
    let out = path(folder, "records");
    let players = format!("random,{}", fake.address);
    let child = patient(&["match", &sheet, "--players", &players, "--out", &out]);
    let begun = Instant::now();
    while record_of(folder).is_none_or(|record| record.moves.is_empty()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no step was made");
        thread::sleep(Duration::from_millis(5));
    }
    (child, fake)
}

/// The one record in the folder, or what its journal says while the match is played.
fn record_of(folder: &TempDir) -> Option<MatchRecord> {
    let files = fs::read_dir(folder.path().join("records")).ok()?;
    let mut paths = files.map(|entry| entry.expect("a file").path());
    let is_record = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "json" || extension == "part")
    };
    // The journal may go while it is looked at.
    read_record(&fs::read(paths.find(is_record)?).ok()?).ok()
}

fn send(signal: &str, child: &Child) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([signal, &pid]).status().expect("kill is there");
    assert!(sent.success());
}

fn ended(child: Child) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn signals_end_a_match_properly() {
    for signal in ["-INT", "-TERM"] {
        let folder = files(&[("s.kif", SMALL)]);
        let (child, fake) = slow_match(&folder);
        send(signal, &child);
        let (code, out, err) = ended(child);
        assert_eq!((code, err.as_str()), (Some(1), ""), "{signal}: {out}");
        assert!(out.ends_with("aborted after 1 step\n"), "{signal}: {out}");
        let record = record_of(&folder).expect("a record");
        assert!(record.is_aborted && !record.is_completed && record.moves.len() == 1);
        let last = fake.messages().pop().expect("messages");
        assert_eq!(last, format!("(ABORT {})", record.match_id));
    }
}

#[test]
fn a_signal_ends_several_matches_and_tells_what_was_played() {
    let folder = files(&[("s.kif", SMALL)]);
    // Two steps of the first match, and silence in the second.
    let mut acts = [Act::Say("up"), Act::Say("up")].into_iter();
    let fake = Fake::playing(move || acts.next().unwrap_or(Act::Silence));
    let players = format!("first,{}", fake.address);
    let sheet = path(&folder, "s.kif");
    let child = patient(&["match", &sheet, "--players", &players, "--rounds", "4"]);
    let begun = Instant::now();
    while fake.messages().iter().filter(|message| message.starts_with("(PLAY")).count() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the second match never began");
        thread::sleep(Duration::from_millis(5));
    }
    send("-INT", &child);
    let (code, out, err) = ended(child);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], format!("match 1: a first 100, b {} 40; 2 steps, 0 errors", fake.address));
    assert!(lines[1].starts_with("match 2: ") && lines[1].contains(" first -;"), "{out}");
    assert!(lines[2].starts_with("player ") && lines[3].starts_with("first "), "{out}");
    assert_eq!(lines[5..], ["1 of 4 matches counted: interrupted"], "{out}");
}

#[test]
fn a_signal_ends_a_match_whose_circuit_is_not_made_yet() {
    let folder = files(&[("s.kif", &explosion())]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(["match", &path(&folder, "s.kif"), "--players", "uct:threads=1,first"])
        .args(["--simulations", "10", "--out", &path(&folder, "records")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    // When this is said, signals are received, and the circuit comes next.
    out.read_line(&mut line).expect("a line");
    let begun = Instant::now();
    send("-INT", &child);
    out.read_to_string(&mut line).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(line.ends_with("aborted after 0 steps\n"), "{line}");
    assert!(record_of(&folder).is_some_and(|record| record.is_aborted));
}

#[test]
fn a_crash_loses_nothing() {
    let folder = files(&[("s.kif", SMALL)]);
    let (child, _fake) = slow_match(&folder);
    send("-KILL", &child);
    assert_eq!(ended(child).0, None);
    let record = record_of(&folder).expect("a record");
    assert_eq!((record.moves.len(), record.states.len()), (1, 2));
    assert!(!record.is_aborted && !record.is_completed);
    // The next match in that folder says that this one was cut off.
    let (sheet, out) = (path(&folder, "s.kif"), path(&folder, "records"));
    let again = ["match", &sheet, "--players", "first,first", "--out", &out, "--quiet"];
    let (code, _, told) = run(&again);
    assert_eq!(code, 0, "{told}");
    assert!(told.ends_with(".json: this match was cut off; its record is finished\n"), "{told}");
    assert_eq!(run(&again).2, "", "it is said once");
    let name = format!("{}.json", record.match_id);
    let finished = fs::read(folder.path().join("records").join(name)).expect("a record");
    let finished = read_record(&finished).expect("a record");
    assert!(finished.is_aborted && !finished.is_completed);
    assert_eq!((finished.moves, finished.states), (record.moves, record.states));
    let names = fs::read_dir(&out).expect("a folder").map(|entry| entry.expect("a file").path());
    assert!(names.into_iter().all(|path| path.extension().is_none_or(|end| end != "part")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_leaves_what_was_written() {
    // A sheet of 45 kB, and three states of 27 kB. No file may have more than 50 or 100 kB: shells
    // do not agree about the unit.
    let long = (0..2000).map(|at| format!("(init (filler {at}))")).collect::<Vec<_>>().join(" ");
    let keep = "(<= (next (filler ?x)) (true (filler ?x)))";
    let limited = "trap '' XFSZ; ulimit -f 100; exec \"$@\"";
    let folder = files(&[("s.kif", &format!("{SMALL} {long} {keep}"))]);
    let (sheet, out) = (path(&folder, "s.kif"), path(&folder, "records"));
    let output = Command::new("sh")
        .args(["-c", limited, "sh", env!("CARGO_BIN_EXE_ludens")])
        .args(["match", &sheet, "--players", "first,first", "--out", &out])
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("the match cannot be recorded: "), "{told}");
    // Nothing half written has the name of a record, and what was written can be read.
    let names: Vec<PathBuf> =
        fs::read_dir(&out).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    let has = |wanted: &str| names.iter().any(|path| path.extension().is_some_and(|e| e == wanted));
    assert!(has("part") && !has("json") && !has("tmp"), "{names:?}");
    assert!(record_of(&folder).is_some_and(|record| !record.sheet.is_empty()));
    // Where there is room again the record is finished, and says that the match was aborted.
    assert_eq!(run(&["match", &sheet, "--players", "first,first", "--out", &out, "-q"]).0, 0);
    let paths = names.iter().filter(|path| path.extension().is_some_and(|end| end == "part"));
    for path in paths {
        let record = fs::read(path.with_extension("json")).expect("a record");
        assert!(read_record(&record).expect("a record").is_aborted && !path.exists());
    }
}
