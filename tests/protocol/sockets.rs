//! Good and bad clients over real sockets.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use ludens::protocol::MAX_BODY;
use ludens::record::{MatchRecord, now, read_record};

use super::STEPS;
use super::serve::{Served, read_response, request, sheet};
use crate::support;

pub(crate) const AVAILABLE: &str = "((name ludens) (status available))";

#[test]
fn a_match_is_played_over_http() {
    let player = Served::start(&["--simulations", "100"]);
    let response = player.post(&format!("(start m white ({STEPS}) 10 5)"));
    assert_eq!((response.status, response.body.as_str()), (200, "ready"));
    assert!(response.head.contains("content-type: text/acl"), "{}", response.head);
    assert_eq!(player.say("(info)"), "((name ludens) (status busy))");
    assert_eq!(player.say("(play m nil)"), "Go");
    assert_eq!(player.say("(play m (go wait))"), "Go");
    assert_eq!(player.say("(play m (go wait))"), "(Stop At 3)");
    assert_eq!(player.say("(stop m ((stop at 3) wait))"), "done");
    assert_eq!(player.say("(info)"), AVAILABLE);
}

#[test]
fn bodies_may_come_in_chunks() {
    let player = Served::start(&["--simulations", "10"]);
    let start = format!("(start m white ({STEPS}) 10 5)");
    let mut chunked =
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_string();
    for part in start.as_bytes().chunks(100) {
        let part = std::str::from_utf8(part).expect("plain text");
        chunked.push_str(&format!("{:x}\r\n{part}\r\n", part.len()));
    }
    chunked.push_str("0\r\n\r\n");
    assert_eq!(player.send(chunked.as_bytes()).body, "ready");
}

#[test]
fn bad_clients_do_no_harm() {
    let player = Served::start(&["--simulations", "10", "--matches", "2"]);
    assert_eq!(player.say(&format!("(start m white ({STEPS}) 10 5)")), "ready");

    let unreadable = player.post("(info");
    assert_eq!(unreadable.status, 400);
    assert_eq!(unreadable.body, "error: no message: this `(` is never closed");
    assert_eq!(player.send(b"\x00\x01\x02\r\n\r\n").status, 400);
    assert_eq!(
        player.send(b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 3\r\n\r\n\xff\xfe(").status,
        400
    );

    // A body that is too long, with its length and without.
    let long = "x".repeat(MAX_BODY + 1);
    assert_eq!(player.post(&long).status, 413);
    let mut chunked =
        b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_vec();
    chunked.extend(format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len()).into_bytes());
    assert_eq!(player.send(&chunked).status, 413);
    let deep = format!("(start n white ({}", "(".repeat(1 << 20));
    assert_eq!(player.post(&deep).status, 400);

    // Those who hang up: before a request, in the middle of it, and before the answer.
    drop(player.connect());
    let mut half = player.connect();
    half.write_all(&request("(info)").as_bytes()[..60]).expect("a part is sent");
    let mut chunk = player.connect();
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n(in";
    chunk.write_all(head.as_bytes()).expect("a part is sent");
    drop(chunk);
    player.connect().write_all(request("(play m nil)").as_bytes()).expect("it is sent");

    // A sheet that cannot be played.
    let wrong = player.post("(start n white ((role white) (legal white ?x)) 10 5)");
    assert_eq!(wrong.status, 400);
    assert!(wrong.body.starts_with("error: the sheet cannot be played: "), "{}", wrong.body);

    assert_eq!(player.say("(play m nil)"), "Go");
    assert_eq!(player.say("(stop m (go wait))"), "done");
    drop(half);
}

#[test]
fn one_match_without_a_circuit_does_not_touch_another() {
    let player = Served::start(&["--simulations", "20", "--matches", "2", "--memory", "1"]);
    let hard = format!("(start hard a ({}) 20 20)", support::explosion());
    assert_eq!(player.say(&hard), "ready");
    assert_eq!(player.say(&format!("(start m white ({STEPS}) 10 5)")), "ready");
    assert_eq!(player.say("(play m nil)"), "Go");
    let answer = player.say("(play hard nil)");
    assert!(["up", "(Say 0)"].contains(&answer.as_str()), "{answer}");
    assert_eq!(player.say("(abort hard)"), "aborted");
    assert_eq!(player.say("(play m (go wait))"), "Go");
}

#[test]
fn signals_end_the_process_and_leave_records() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().display().to_string();
        let player = Served::start(&["--out", &path, "--matches", "2"]);
        let start = |id: &str| format!("(start {id} white ({}\n) 1 3600)", sheet("breakthrough"));
        assert_eq!(player.say(&start("m")), "ready");
        // A match that thinks for an hour, and a request that never comes to its end.
        let mut waiting = player.connect();
        waiting.write_all(request("(play m nil)").as_bytes()).expect("it is sent");
        let mut half = player.connect();
        half.write_all(b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n(").expect("it is sent");
        // When this is answered, what was sent before has surely come in.
        assert_eq!(player.say(&start("n")), "ready");
        player.signal(signal);
        assert_eq!(player.wait(), Some(0));
        assert!(read_response(waiting).body.starts_with("(move "));
        for id in ["m", "n"] {
            let record = std::fs::read_to_string(folder.path().join(format!("{id}.json")));
            let record = record.expect("a record");
            assert!(record.contains("\"isAborted\":true"), "{record}");
        }
    }
}

/// Waits until the record of match `m` is as it should be soon, while it is still played, and kills
/// the player.
fn killed_when(
    mut player: Served,
    folder: &Path,
    is_written: impl Fn(&MatchRecord) -> bool,
) -> MatchRecord {
    let read =
        || -> Option<MatchRecord> { read_record(&std::fs::read(folder.join("m.part")).ok()?).ok() };
    let is_written = |_| {
        std::thread::sleep(Duration::from_millis(20));
        read().as_ref().is_some_and(&is_written)
    };
    assert!((0..500).any(is_written), "what happens is not written down: {:?}", read());
    player.kill();
    let record = read().expect("a record");
    assert!(!record.is_aborted && !record.is_completed);
    record
}

#[test]
fn a_process_that_is_killed_while_it_thinks_leaves_a_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = Served::start(&["--out", &folder.path().display().to_string()]);
    let before = now();
    assert_eq!(player.say(&format!("(start m white ({STEPS}) 1 3600)")), "ready");
    let started = now();
    // The answer takes until the clock is nearly over, or an end of the game that is never searched.
    let mut asked = player.connect();
    asked.write_all(request("(play m (go wait))").as_bytes()).expect("it is sent");
    let record = killed_when(player, folder.path(), |record| record.moves.len() == 1);
    assert_eq!((record.moves, record.states.len()), (vec![vec!["go".into(), "wait".into()]], 2));
    assert_eq!(record.roles, ["White", "BLACK"]);
    assert!((before..started).contains(&record.start_time), "{}", record.start_time);
    assert!(record.state_times[1] >= started, "{:?}", record.state_times);
    // Whoever plays there next says that it was cut off.
    drop(Served::start(&["--out", &folder.path().display().to_string()]));
    let text = std::fs::read(folder.path().join("m.json")).expect("a record");
    let finished = read_record(&text).expect("a record");
    assert!(finished.is_aborted && finished.states.len() == 2);
    assert!(!folder.path().join("m.part").exists());
}

/// What a process has written to files and sockets, in bytes.
#[cfg(target_os = "linux")]
fn written(player: &Served) -> u64 {
    let figures = std::fs::read_to_string(format!("/proc/{}/io", player.id())).expect("figures");
    let line = figures.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|number| number.parse().ok()).expect("a figure")
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_match_writes_little_more_than_its_record() {
    const LENGTH: usize = 150;
    let facts: Vec<String> = (0..LENGTH).map(|at| format!("(succ {at} {})", at + 1)).collect();
    let same: Vec<String> = (0..100).map(|at| format!("(init (same thing {at}))")).collect();
    let sheet = format!(
        "(role a) (role b) (init (n 0)) {} {} (legal a go) (legal b go)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= (next (same ?x ?y)) (true (same ?x ?y)))
        (<= terminal (true (n {LENGTH}))) (goal a 1) (goal b 1)",
        facts.join(" "),
        same.join(" ")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let player = Served::start(&["--out", &out, "--simulations", "1"]);
    assert_eq!(player.say(&format!("(start m a ({sheet}) 10 10)")), "ready");
    assert_eq!(player.say("(play m nil)"), "go");
    for _ in 1..LENGTH {
        assert_eq!(player.say("(play m (go go))"), "go");
    }
    assert_eq!(player.say("(stop m (go go))"), "done");
    let text = std::fs::read(folder.path().join("m.json")).expect("a record");
    let record = read_record(&text).expect("a record");
    assert!(record.is_completed && record.moves.len() == LENGTH);
    let (bytes, all) = (text.len() as u64, written(&player));
    assert!(all < 4 * bytes, "{all} bytes were written for a record of {bytes}");
}

#[test]
fn a_process_that_is_killed_while_it_starts_leaves_a_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = Served::start(&["--out", &folder.path().display().to_string()]);
    let mut asked = player.connect();
    let start = format!("(start m white ({STEPS}) 3600 5)");
    asked.write_all(request(&start).as_bytes()).expect("it is sent");
    let record = killed_when(player, folder.path(), |record| !record.sheet.is_empty());
    assert_eq!(
        (record.sheet.as_str(), record.start_clock, record.play_clock),
        (STEPS, 3600.0, 5.0)
    );
}

/// Terms that become twice as long with every step, without end.
const DOUBLING: &str = "(role a) (init (n z)) (<= (legal a go) (true (n ?x)))
    (<= (next (n (f ?x ?x))) (true (n ?x))) (<= terminal (true t)) (goal a 1)";

#[test]
fn a_sheet_that_grows_without_end_takes_nothing_down() {
    let player = Served::start(&["--matches", "2", "--simulations", "5"]);
    assert_eq!(player.say(&format!("(start other white ({STEPS}) 10 5)")), "ready");
    assert_eq!(player.say(&format!("(start m a ({DOUBLING}) 5 5)")), "ready");
    assert_eq!(player.say("(play m nil)"), "go");
    for step in 1..40 {
        let reply = player.say("(play m (go))");
        assert_eq!(reply, "go", "step {step}");
    }
    assert!(player.figure("VmHWM") < 500_000, "{} kB", player.figure("VmHWM"));
    assert_eq!(player.say("(stop m (go))"), "done");
    assert_eq!(player.say("(play other nil)"), "Go");
}

#[test]
fn a_port_that_is_taken_is_a_plain_error() {
    let player = Served::start(&[]);
    let port = player.url().rsplit(':').next().expect("a port").to_string();
    let (code, _, complaint) = support::run(&["serve", "--port", &port]);
    assert_eq!(code, 1);
    assert!(complaint.starts_with("ludens: cannot listen on 127.0.0.1:"), "{complaint}");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_a_plain_error() {
    let folder = support::files(&[("file", "")]);
    for out in [support::path(&folder, "file"), support::path(&folder, "file/records")] {
        let (code, said, complaint) = support::run(&["serve", "--port", "0", "--out", &out]);
        assert_eq!((code, said.as_str()), (1, ""));
        assert!(complaint.starts_with(&format!("ludens: cannot write to {out}: ")), "{complaint}");
    }
}
