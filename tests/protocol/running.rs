//! Which matches still run: those that nobody asks about any more, and those that still end.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ludens::agent::Log;
use ludens::protocol::{Session, SessionOptions};

use super::serve::{Served, sheet};
use super::sockets::AVAILABLE;
use super::{STEPS, options};

#[test]
fn a_clock_that_is_too_long_is_refused() {
    let player = Served::start(&["--simulations", "10", "--max-clock", "100"]);
    for clocks in ["1000000 1", "1 1000000", "100.5 100"] {
        let answer = player.post(&format!("(start m white ({STEPS}) {clocks})"));
        assert_eq!(answer.status, 400);
        assert!(answer.body.ends_with(" at most 100 are played here (--max-clock)"), "{answer:?}");
        assert_eq!(player.say("(info)"), AVAILABLE);
    }
    assert_eq!(player.post(&format!("(preview ({STEPS}) 101)")).status, 400);
    assert_eq!(player.say(&format!("(start m white ({STEPS}) 100 100)")), "ready");
}

#[test]
fn a_match_whose_next_message_does_not_come_is_ended() {
    let player = Served::start(&["--patience", "1"]);
    let start = format!("(start m white ({}\n) 1 1)", sheet("breakthrough"));
    for messages in [&[start.as_str()][..], &[start.as_str(), "(play m nil)"][..]] {
        for message in messages {
            let answer = player.say(message);
            assert!(answer == "ready" || answer.starts_with("(move "), "{answer}");
        }
        assert_ne!(player.say("(info)"), AVAILABLE);
        let is_idle = |_| {
            thread::sleep(Duration::from_millis(100));
            let threads = ["match tracker", "circuit search", "reference search"];
            threads.iter().all(|name| player.threads(name) == 0)
        };
        assert!((0..600).any(is_idle), "somebody still thinks");
        assert_eq!(player.say("(info)"), AVAILABLE);
        assert_eq!(player.say("(play m nil)"), "busy");
    }
}

#[test]
fn what_a_match_waits_for_is_said_by_its_last_message() {
    // START is answered at once, long before its clock is over; what counts then is the play clock.
    let session = Session::new(SessionOptions { patience: Duration::from_secs(1), ..options() });
    let begun = Instant::now();
    let say = |message: &str| session.answer(message, begun).to_string();
    assert_eq!(say(&format!("(start m white ({STEPS}) 3000 1)")), "ready");
    session.tidy(begun + Duration::from_secs(100));
    assert_eq!(session.running(), 1, "it may still begin");
    assert_ne!(say("(play m nil)"), "busy");
    session.tidy(begun + Duration::from_secs(100));
    assert_eq!(session.running(), 0);
}

#[test]
fn the_same_message_again_and_again_keeps_nobody_out() {
    let mut options = options();
    options.agent.budget = None;
    let session = Session::new(options);
    let start = format!("(start m white ({STEPS}) 60 1)");
    thread::scope(|scope| {
        let (replies, received) = channel();
        for _ in 0..60 {
            let (replies, session, start) = (replies.clone(), &session, &start);
            scope.spawn(move || replies.send(session.answer(start, Instant::now()).to_string()));
        }
        // Those that are too many are told so at once; the others wait for the clock.
        let refused: Vec<String> = received.iter().take(8).collect();
        assert!(refused.iter().all(|reply| reply == "busy"), "{refused:?}");
        assert_eq!(session.answer("(abort m)", Instant::now()).to_string(), "aborted");
    });
}

/// A session in which the thread that makes the circuit of a match `m` is held up until this is
/// dropped, and one that tells when it is.
fn held_up(options: SessionOptions) -> (Session, Receiver<()>, impl Drop) {
    let (comes, has_come) = channel();
    let (go_on, held_up) = channel::<()>();
    let ways = Mutex::new((comes, held_up));
    let log = Log::new(move |line| {
        if line.starts_with("m: the rules are grounded") {
            let (comes, held_up) = &*ways.lock().expect("no panic");
            let _ = comes.send(());
            // Nothing is sent: it goes on when the other end is gone.
            let _ = held_up.recv();
        }
    });
    (Session::new(SessionOptions { log, ..options }), has_come, Held(Some(go_on)))
}

struct Held<T>(Option<T>);

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        self.0 = None;
    }
}

#[test]
fn a_match_counts_until_its_last_thread_has_ended() {
    let mut options = options();
    // So that nobody waits for the circuit.
    options.agent.budget = None;
    let (session, has_come, held) = held_up(options);
    let say = |message: &str| session.answer(message, Instant::now()).to_string();
    let start = |id: &str| format!("(start {id} white ({STEPS}) 1 1)");
    assert_eq!(say(&start("m")), "ready");
    has_come.recv().expect("the circuit is being made");
    assert_eq!(say("(abort m)"), "aborted");
    // The match is over, but its thread goes on.
    assert_eq!((session.running(), say(&start("n")).as_str()), (1, "busy"));
    assert_ne!(say("(info)"), AVAILABLE);
    drop(held);
    let is_over = |_| {
        thread::sleep(Duration::from_millis(10));
        session.running() == 0
    };
    assert!((0..3000).any(is_over), "the match still counts");
    assert_eq!(say("(info)"), AVAILABLE);
    assert_eq!(say(&start("n")), "ready");
}

#[test]
fn a_match_counts_while_it_starts() {
    let mut options = options();
    options.agent.budget = None;
    let session = Arc::new(Session::new(options));
    let begun = session.clone();
    let start = format!("(start m white ({STEPS}) 60 1)");
    let starting = thread::spawn(move || begun.answer(&start, Instant::now()).to_string());
    let is_there = |_| {
        thread::sleep(Duration::from_millis(10));
        session.running() == 1
    };
    assert!((0..3000).any(is_there), "the match does not count");
    let other = format!("(start n white ({STEPS}) 1 1)");
    assert_eq!(session.answer(&other, Instant::now()).to_string(), "busy");
    session.end_all(Instant::now());
    starting.join().expect("no panic");
}
