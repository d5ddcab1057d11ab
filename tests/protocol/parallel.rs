//! Messages that come while others are worked on.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ludens::agent::{AgentOptions, Log};
use ludens::protocol::{Reply, Session, SessionOptions};
use ludens::record::MatchRecord;
use ludens::search::Settings;

use super::{STEPS, options};
use crate::support;

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
fn the_next_question_may_come_while_one_is_thought_about() {
    let session = clocked(1);
    assert_eq!(say(&session, &format!("(start m white ({STEPS}) 1 2)")), "ready");
    let asked = ask(&session, "(play m nil)");
    thread::sleep(Duration::from_millis(100));
    assert_eq!(say(&session, "(play m (go wait))"), "Go");
    assert_eq!(asked.join().expect("no panic"), "Go");
    assert_eq!(say(&session, "(play m (go wait))"), "(Stop At 3)");
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
    assert_eq!(say(&session, &breakthrough("m", "3600")), "ready");
    let asked = ask(&session, "(play m nil)");
    thread::sleep(Duration::from_millis(100));
    assert_eq!(say(&session, "(abort m)"), "aborted");
    // Whoever asked is answered, too, and does not wait for an hour.
    assert!(asked.join().expect("no panic").starts_with("(move "));
}

#[test]
fn a_match_ends_while_it_starts() {
    let session = clocked(1);
    let start = breakthrough("m", "1").replace(") 1 1)", ") 3600 1)");
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
fn a_session_that_ends_waits_for_matches_that_others_end() {
    for message in ["(abort m)", &format!("(start m white ({STEPS}) 10 6)")] {
        // Whoever ends the match is held up there.
        let (comes, has_come) = channel();
        let (go_on, held_up) = channel::<()>();
        let ways = Mutex::new((comes, held_up));
        let log = Log::new(move |line| {
            if line == "m: aborted" || line == "m: given up: the match begins anew" {
                let (comes, held_up) = &*ways.lock().expect("no panic");
                comes.send(()).expect("the test goes on");
                // Nothing is sent: it goes on when the other end is gone.
                let _ = held_up.recv();
            }
        });
        let session = Arc::new(Session::new(SessionOptions { log, ..options() }));
        assert_eq!(say(&session, &format!("(start m white ({STEPS}) 10 5)")), "ready");
        let asked = ask(&session, message);
        has_come.recv().expect("the match is ended");
        let ending = session.clone();
        let ending = thread::spawn(move || ending.end_all(Instant::now()));
        thread::sleep(Duration::from_millis(100));
        assert!(!ending.is_finished(), "{message}");
        drop(go_on);
        ending.join().expect("no panic");
        let answer = asked.join().expect("no panic");
        // A match that begins anew may be ended before it does.
        assert!(["aborted", "ready"].contains(&answer.as_str()), "{answer}");
    }
}

#[test]
fn one_match_does_not_wait_for_another() {
    let session = Arc::new(Session::new(SessionOptions { matches: 3, ..options() }));
    let long = clocked(3);
    assert_eq!(say(&long, &breakthrough("long", "3600")), "ready");
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
    let values: Vec<String> = (0..48).map(|value| format!("(d {value})")).collect();
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
    assert_eq!(answer, "error: the sheet has not been read yet");
    let mut moved = 0;
    while answer != "Go" {
        // When it has been read, it may still take a while until a move is known.
        assert!(answer.starts_with("error: ") && moved < 50, "{answer}");
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
        let start = format!("(start m a ({}) 0 3600)", slow_to_read());
        assert_eq!(say(&session, &start), "ready");
        let asked = ask(&session, "(play m nil)");
        assert_eq!(say(&session, end), reply);
        // Whoever asked is told so, or came too late.
        let answer = asked.join().expect("no panic");
        assert!(
            answer.starts_with("error: the player was stopped") || answer == "busy",
            "{answer}"
        );
    }
}

/// A session whose log fails with a line about the match `bad` that has this in it.
fn failing_at(words: &'static str) -> Arc<Session> {
    let log = Log::new(move |line| {
        assert!(!(line.starts_with("bad: ") && line.contains(words)), "a failure on purpose");
    });
    Arc::new(Session::new(SessionOptions { matches: 2, log, ..options() }))
}

#[test]
fn a_match_that_fails_does_not_touch_another() {
    // In the thread that makes the circuit, when it begins, and when it answers.
    for words in ["the rules are grounded", "begins; we are", "(by "] {
        let session = failing_at(words);
        assert_eq!(say(&session, &format!("(start m white ({STEPS}) 10 5)")), "ready");
        let bad = |message: &str| ask(&session, message).join();
        // Another sheet, so that it makes a circuit of its own.
        let begun = bad(&format!("(start bad white ({STEPS} (another sheet)) 10 5)"));
        let answered = bad("(play bad nil)");
        match words {
            // Without a circuit there is still a legal move.
            "the rules are grounded" => {
                let answer = answered.expect("no panic in the match");
                assert!(["Go", "(HIDE 3)"].contains(&answer.as_str()), "{answer}");
            }
            "(by " => assert!(begun.is_ok() && answered.is_err()),
            _ => assert!(begun.is_err()),
        }
        assert_eq!(say(&session, "(play m nil)"), "Go");
        assert_eq!(bad("(abort bad)").expect("an answer"), "aborted");
        assert_eq!(say(&session, "(play m (go wait))"), "Go");
        // There is room for another.
        assert_eq!(say(&session, &format!("(start n white ({STEPS}) 10 5)")), "ready");
    }
}

#[test]
fn what_is_wrong_with_messages_is_in_the_log() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let noted = lines.clone();
    let log = Log::new(move |line| noted.lock().expect("no panic").push(line.to_string()));
    let session = Session::new(SessionOptions { log, ..options() });
    for message in ["(info", "", "(hello)", "(start m a ((role a)) 1 1)"] {
        let reply = say(&session, message);
        let why = reply.strip_prefix("error: ").unwrap_or_else(|| panic!("{reply}"));
        let last = lines.lock().expect("no panic").last().cloned();
        assert_eq!(last, Some(format!("refused: {why}")));
    }
}

fn refusal() -> String {
    Reply::Refused("no message: this `(` is never closed".to_string()).to_string()
}

#[test]
fn a_player_that_chooses_its_strategy_answers() {
    let options = options();
    let settings = "auto:threads=1".parse::<Settings>().expect("settings");
    let agent = AgentOptions { settings: settings.into(), budget: None, ..options.agent.clone() };
    let session = Session::new(SessionOptions { agent, ..options });
    assert_eq!(say(&session, &breakthrough("m", "1")), "ready");
    let answer = say(&session, "(play m nil)");
    assert!(answer.starts_with("(move "), "{answer}");
}
