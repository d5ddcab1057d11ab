//! Messages that come while others are worked on.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ludens::protocol::{Reply, Session, SessionOptions};
use ludens::record::MatchRecord;

use crate::{STEPS, options, support};

fn breakthrough(id: &str, play_clock: &str) -> String {
    let path = support::root().join("games/breakthrough.kif");
    let sheet = std::fs::read_to_string(path).expect("a sheet of our own");
    format!("(start {id} white ({sheet}\n) 1 {play_clock})")
}

/// A session that thinks as long as it may.
fn clocked(matches: usize) -> Arc<Session> {
    let mut options = SessionOptions { matches, ..options() };
    options.agent.budget = None;
    Arc::new(Session::new(options))
}

fn say(session: &Session, message: &str) -> String {
    session.answer(message, Instant::now()).to_string()
}

/// Says something in a thread of its own.
fn ask(session: &Arc<Session>, message: &str) -> thread::JoinHandle<String> {
    let (session, message) = (session.clone(), message.to_string());
    thread::spawn(move || say(&session, &message))
}

#[test]
fn the_same_question_twice_at_once_has_one_answer() {
    let session = clocked(1);
    assert_eq!(say(&session, &breakthrough("m", "1")), "ready");
    let asked: Vec<_> = (0..3).map(|_| ask(&session, "(play m nil)")).collect();
    let answers: Vec<String> = asked.into_iter().map(|one| one.join().expect("no panic")).collect();
    assert!(answers[0].starts_with("(move "), "{}", answers[0]);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test]
fn the_same_start_twice_at_once_is_one_match() {
    let session = clocked(1);
    let start = breakthrough("m", "1");
    let asked: Vec<_> = (0..3).map(|_| ask(&session, &start)).collect();
    for one in asked {
        assert_eq!(one.join().expect("no panic"), "ready");
    }
    assert_eq!(say(&session, "(abort m)"), "aborted");
    assert_eq!(say(&session, "(info)"), "((name ludens) (status available))");
}

#[test]
fn a_match_ends_while_it_thinks() {
    let session = clocked(1);
    assert_eq!(say(&session, &breakthrough("m", "7200")), "ready");
    let asked = ask(&session, "(play m nil)");
    thread::sleep(Duration::from_millis(100));
    assert_eq!(say(&session, "(abort m)"), "aborted");
    // Whoever asked is answered, too, and does not wait for two hours.
    assert!(asked.join().expect("no panic").starts_with("(move "));
}

#[test]
fn a_match_ends_while_it_starts() {
    let session = clocked(1);
    let start = breakthrough("m", "1").replace(") 1 1)", ") 7200 1)");
    let asked = ask(&session, &start);
    // Until it is known.
    while say(&session, "(info)") == "((name ludens) (status available))" {
        thread::sleep(Duration::from_millis(10));
    }
    session.end_all(Instant::now());
    assert_eq!(asked.join().expect("no panic"), "ready");
    assert_eq!(say(&session, "(play m nil)"), "busy");
}

#[test]
fn one_match_does_not_wait_for_another() {
    let session = Arc::new(Session::new(SessionOptions { matches: 3, ..options() }));
    let long = clocked(3);
    assert_eq!(say(&long, &breakthrough("long", "7200")), "ready");
    let asked = ask(&long, "(play long nil)");
    for session in [&session, &long] {
        let start = format!("(start short black ({STEPS}) 1 1)");
        assert_eq!(say(session, &start), "ready");
        assert_eq!(say(session, "(play short nil)"), "Wait");
        assert_eq!(say(session, "(start bad black ((role black) 1 1)"), refusal());
        assert_eq!(say(session, "(stop short (go wait))"), "done");
    }
    assert!(!asked.is_finished());
    long.end_all(Instant::now());
    assert!(asked.join().is_ok());
}

/// A game whose first state takes the reference reasoner seconds, and so does its sheet.
fn slow_to_read() -> String {
    let values: Vec<String> = (0..64).map(|value| format!("(d {value})")).collect();
    let steps: Vec<String> = (0..60).map(|at| format!("(succ {at} {})", at + 1)).collect();
    format!(
        "(role a) (role b) (init (n 0)) {} {}
        (<= (legal ?r Go) (role ?r)) (<= (legal a Rest) (all ?a ?b ?c ?d))
        (<= (all ?a ?b ?c ?d) (true (n 0)) (d ?a) (d ?b) (d ?c) (d ?d))
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 60))) (goal a 50) (goal b 50)",
        values.join(" "),
        steps.join(" ")
    )
}

#[test]
fn a_sheet_that_is_not_read_in_the_start_clock_is_played_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = SessionOptions { records: Some(folder.path().to_path_buf()), ..options() };
    options.agent.budget = None;
    let session = Session::new(options);
    assert_eq!(say(&session, &format!("(start m a ({}) 0 1)", slow_to_read())), "ready");
    let mut answer = say(&session, "(play m nil)");
    assert_eq!(answer, "error: the sheet is not read yet");
    let mut moved = 0;
    while answer != "Go" {
        assert_eq!(answer, "error: the sheet is not read yet");
        assert!(moved < 50, "it is never read");
        answer = say(&session, "(play m (go go))");
        moved += 1;
    }
    assert_eq!(say(&session, "(play m (go go))"), "Go");
    assert_eq!(say(&session, "(abort m)"), "aborted");
    // What was moved before it could be followed is not lost.
    let record = std::fs::read_to_string(folder.path().join("m.json")).expect("a record");
    let record: MatchRecord = serde_json::from_str(&record).expect("a record");
    assert_eq!(record.moves.len(), moved + 1);
    assert_eq!(record.states.last(), Some(&format!("((n {}))", moved + 1)));
}

#[test]
fn a_sheet_that_cannot_be_played_is_refused_whenever_it_is_read() {
    let session = clocked(1);
    let replies = [say(&session, "(start m a ((role a)) 0 5)"), say(&session, "(play m nil)")];
    assert!(replies.iter().any(|reply| reply.starts_with("error: the sheet cannot be played")));
    assert_eq!(say(&session, "(play m nil)"), "busy");
}

#[test]
fn a_match_ends_while_its_sheet_is_read() {
    let session = clocked(1);
    for (end, reply) in [("(abort m)", "aborted"), ("(stop m (go go))", "done")] {
        let start = format!("(start m a ({}) 0 7200)", slow_to_read());
        assert_eq!(say(&session, &start), "ready");
        let asked = ask(&session, "(play m nil)");
        assert_eq!(say(&session, end), reply);
        // Whoever asked is told so, or came too late.
        let answer = asked.join().expect("no panic");
        assert!(answer.starts_with("error: the player was ended") || answer == "busy", "{answer}");
    }
}

fn refusal() -> String {
    Reply::Refused("no message: this `(` is never closed".to_string()).to_string()
}
