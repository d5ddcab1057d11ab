//! When a match is over, so are its threads, whatever they were doing. It is a suite of its own
//! because it counts all threads of the process.

use std::fs;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ludens::agent::{AgentOptions, AgentSettings, Log};
use ludens::protocol::{Reply, Session, SessionOptions};
use ludens::search::Settings;

/// How long threads may take to end on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(10);

/// A game in which only the reference reasoner can move, and a move takes it very long.
fn sheet(rules: &str) -> String {
    format!(
        "(role a) (init (s 1)) (legal a m) (legal a n) (goal a 100) (<= terminal (true (s 9)))
        {rules}"
    )
}

/// It takes more and more memory: pairs of pairs of pairs.
fn without_end_in_memory() -> String {
    sheet(
        "(leaf a) (leaf b) (<= (tree ?x) (leaf ?x))
        (<= (tree (node ?x ?y)) (tree ?x) (tree ?y)) (<= (next (s 9)) (tree ?x) (true (s ?x)))",
    )
}

/// It takes more and more time: eleven different numbers of ten.
fn without_end_in_time() -> String {
    let differing: Vec<String> =
        (0..11).flat_map(|x| (0..x).map(move |y| format!("(differ ?x{y} ?x{x})"))).collect();
    let numbers: Vec<String> = (0..100)
        .filter(|at| at / 10 != at % 10)
        .map(|at| format!("(differ {} {})", at / 10, at % 10))
        .collect();
    sheet(&format!("(<= (next (s 2)) (does a m) {}) {}", differing.join(" "), numbers.join(" ")))
}

/// Its sheet takes long to be read: a cycle through negation with very many instances.
fn without_end_in_reading() -> String {
    let numbers: String = (0..120).map(|at| format!("(d {at})")).collect();
    let rules: String = (0..300)
        .map(|at| {
            format!(
                "(<= (p{at} ?x ?y ?z) (d ?x) (d ?y) (d ?z) (true (s ?x)) (not (p{at} ?y ?z ?x)))"
            )
        })
        .collect();
    sheet(&format!("{numbers}{rules}(<= (next (s ?x)) (d ?x))"))
}

/// Its program takes seconds: very many fluents, whose next values depend on many others.
fn with_a_slow_program() -> String {
    const FLUENTS: u64 = 4_000;
    let mut mixed = 1_u64;
    let mut number = || {
        mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (mixed >> 33) % FLUENTS
    };
    let mut facts = String::new();
    for fluent in (0..FLUENTS).flat_map(|fluent| [fluent; 16]) {
        let (x, y, z) = (number(), number(), number());
        facts += &format!("(link {} {fluent} {x} {y} {z})", if x % 2 == 0 { "m" } else { "n" });
    }
    let started: String =
        (0..FLUENTS).step_by(2).map(|fluent| format!("(init (f {fluent}))")).collect();
    format!(
        "(role a) (legal a m) (legal a n) (goal a 50) {started} {facts}
        (<= terminal (true (f 0)) (true (f 1)) (true (f 2)) (true (f 3)) (not (true (f 4))))
        (<= (next (f ?f)) (does a ?m) (link ?m ?f ?x ?y ?z)
            (true (f ?x)) (true (f ?y)) (not (true (f ?z))))"
    )
}

/// The number of threads of this process.
fn threads() -> usize {
    fs::read_dir("/proc/self/task").expect("Linux tells the threads").count()
}

fn session(log: Log) -> Session {
    let agent = AgentOptions {
        settings: AgentSettings {
            margin: Duration::from_millis(50),
            ..AgentSettings::from("uct:threads=1".parse::<Settings>().expect("settings"))
        },
        ..AgentOptions::default()
    };
    Session::new(SessionOptions { agent, log, ..SessionOptions::default() })
}

/// Waits until there are no more threads than before.
fn wait_for_end(before: usize, what: &str) {
    let end = Instant::now() + PATIENCE;
    while threads() > before {
        assert!(Instant::now() < end, "{what}: {} threads, {before} before", threads());
        thread::sleep(Duration::from_millis(20));
    }
}

/// A match that is aborted while its program is made: the program is given up.
fn a_program_is_not_made_to_its_end(before: usize) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let heard = lines.clone();
    let has = |text: &str| {
        lines.lock().expect("no panic").iter().any(|line: &String| line.contains(text))
    };
    let log = Log::new(move |line| heard.lock().expect("no panic").push(line.to_string()));
    let session = session(log);
    let say = |text: &str| session.answer(text, Instant::now());
    assert_eq!(say(&format!("(start m a ({}) 1 1)", with_a_slow_program())), Reply::Ready);
    let end = Instant::now() + Duration::from_secs(120);
    while !has("the circuit is made") {
        assert!(Instant::now() < end, "no circuit: {lines:?}");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(say("(abort m)"), Reply::Aborted);
    wait_for_end(before, "a slow program");
    assert!(has("no circuit") && !has("the search on the circuit begins"), "{lines:?}");
}

/// A match that is aborted while a puzzle is searched that takes long.
fn a_puzzle_is_given_up(before: usize) {
    let (told, heard) = channel();
    let session = session(Log::new(move |line| drop(told.send(line.to_string()))));
    let say = |text: &str| session.answer(text, Instant::now());
    let sheet = concat!(env!("CARGO_MANIFEST_DIR"), "/games/rubiks_cube.kif");
    let sheet = fs::read_to_string(sheet).expect("a sheet of our own");
    assert_eq!(say(&format!("(start m robot ({sheet}) 1 3600)")), Reply::Ready);
    while !heard
        .recv_timeout(Duration::from_secs(120))
        .expect("the puzzle is searched")
        .contains("the puzzle is searched")
    {}
    thread::scope(|scope| {
        scope.spawn(|| say("(play m nil)"));
        thread::sleep(Duration::from_millis(500));
        assert_eq!(say("(abort m)"), Reply::Aborted);
    });
    wait_for_end(before, "a puzzle");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells the threads of a process")]
fn no_thread_of_a_match_outlives_it() {
    let before = threads();
    a_program_is_not_made_to_its_end(before);
    a_puzzle_is_given_up(before);
    let session = session(Log::default());
    let say = |text: &str| session.answer(text, Instant::now());
    for (name, sheet) in [
        ("memory", without_end_in_memory()),
        ("time", without_end_in_time()),
        ("reading", without_end_in_reading()),
    ] {
        for (end, reply) in [("(abort m)", Reply::Aborted), ("(stop m nil)", Reply::Done)] {
            assert_eq!(say(&format!("(start m a ({sheet}) 1 1)")), Reply::Ready, "{name}");
            assert!(threads() > before, "{name} is played by threads of its own");
            assert_eq!(say(end), reply, "{name}");
            wait_for_end(before, &format!("{name}, {end}"));
        }
        // Also while it answers.
        assert_eq!(say(&format!("(start m a ({sheet}) 1 3600)")), Reply::Ready, "{name}");
        thread::scope(|scope| {
            scope.spawn(|| say("(play m nil)"));
            thread::sleep(Duration::from_millis(200));
            assert_eq!(say("(abort m)"), Reply::Aborted, "{name}");
        });
        wait_for_end(before, &format!("{name}, in its turn"));
    }
}
