//! Matches that end within one playout that takes minutes, on the reference reasoner.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use super::serve::{Served, read_response, request};
use crate::support::{self, ENDLESS};

/// Makes every step of a game slow.
const SLOW: &str = "
    (<= (all ?a ?b ?c ?d) (true (n ?x)) (turn ?a) (turn ?b) (turn ?c) (turn ?d))
    (<= (next slow) (all ?a ?b ?c ?d))";

/// A player without a circuit, whose playouts take minutes, at work on its first move.
fn thinking(arguments: &[&str]) -> (Served, TcpStream) {
    let endless = ["--memory", "1", "--set", "playout_limit=65534"];
    let player = Served::start(&[&endless, arguments].concat());
    let sheet = support::without_circuit(&format!("{ENDLESS}{SLOW}"));
    assert_eq!(player.say(&format!("(start m a ({sheet}) 1 3600)")), "ready");
    let mut asked = player.connect();
    asked.write_all(request("(play m nil)").as_bytes()).expect("it is sent");
    // So that the playout is under way; if it is not, what follows is no less true.
    thread::sleep(Duration::from_millis(300));
    assert_eq!(player.threads("reference search"), 1);
    (player, asked)
}

fn assert_legal(asked: TcpStream) {
    let answer = read_response(asked).body;
    assert!(answer == "Win" || answer.starts_with("(Turn "), "{answer}");
}

#[test]
fn a_match_can_end_within_a_playout() {
    for (end, reply) in [("(abort m)", "aborted"), ("(stop m (win wait))", "done")] {
        let (player, asked) = thinking(&[]);
        assert_eq!(player.say(end), reply);
        assert_legal(asked);
        // Nobody thinks on.
        let is_over = |_| {
            thread::sleep(Duration::from_millis(100));
            player.threads("reference search") == 0
        };
        assert!((0..300).any(is_over), "{end}");
        assert_eq!(player.say("(info)"), "((name ludens) (status available))");
    }
}

#[test]
fn the_process_can_end_within_a_playout() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let (player, asked) = thinking(&["--out", &out]);
    player.signal("-TERM");
    assert_eq!(player.wait(), Some(0));
    assert_legal(asked);
    let record = std::fs::read_to_string(folder.path().join("m.json")).expect("a record");
    assert!(record.contains("\"isAborted\":true"), "{record}");
}

#[test]
fn nobody_looks_for_the_first_state_of_a_match_that_is_over() {
    // More moves than the reference reasoner holds, which takes it long to find out.
    let values: Vec<String> = (0..60).map(|value| format!("(d {value})")).collect();
    let sheet = format!(
        "(role a) (init s) (next s) (<= terminal (true t)) (goal a 1) {}
        (<= (legal a (pick ?a ?b ?c ?d ?e)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))",
        values.join(" ")
    );
    let player = Served::start(&[]);
    assert_eq!(player.say(&format!("(start m a ({sheet}) 0 1)")), "ready");
    let has_trackers = |count: usize| {
        thread::sleep(Duration::from_millis(100));
        player.threads("match tracker") == count
    };
    assert!((0..100).any(|_| has_trackers(1)), "nobody reads the sheet");
    assert_eq!(player.say("(abort m)"), "aborted");
    assert!((0..60).any(|_| has_trackers(0)), "the match tracker goes on");
}
