//! Messages as large as they may be: what they take in memory, and what is said to them.

use std::thread;

use super::STEPS;
use super::serve::{Served, sheet};

/// A message of nearly the largest size that is all small parts.
fn large(before: &str, unit: &str, after: &str) -> String {
    format!("{before}{}{after}", unit.repeat(15_500_000 / unit.len()))
}

/// The kilobytes that a process may take at its peak, however many large messages there are.
const PEAK: u64 = 500_000;

#[test]
fn large_messages_at_once_take_little_memory() {
    let units = ["(x)", "x ", "\n"];
    for (before, after) in [
        ("(hello (", "))"),
        ("(start m a (", ") 1 1)"),
        ("(play nosuch (", "))"),
        ("(preview (", ") 1)"),
    ] {
        let player = Served::start(&[]);
        for unit in units {
            let message = large(before, unit, after);
            thread::scope(|scope| {
                let asked: Vec<_> = (0..6).map(|_| scope.spawn(|| player.post(&message))).collect();
                for one in asked {
                    let answer = one.join().expect("no panic");
                    // All of them are told something.
                    assert!([200, 400, 503].contains(&answer.status), "{answer:?}");
                    assert!(!answer.body.is_empty(), "{before}{unit}");
                }
            });
            let peak = player.figure("VmHWM");
            assert!(peak < PEAK, "{before}{unit}: {peak} kB");
        }
        assert!(player.say("(info)").starts_with("((name ludens)"));
    }
}

#[test]
fn a_sheet_with_too_many_words_is_refused() {
    let player = Served::start(&[]);
    let answer = player.post(&large("(start m a (", "x ", ") 1 1)"));
    assert_eq!(answer.status, 400);
    let why = "error: the rules have 7750001 words and lists; 500000 is the limit";
    assert_eq!(answer.body, why);
    assert_eq!(player.post(&large("(preview (", "x ", ") 1)")).body, why);
}

/// Facts that nobody needs, a few megabytes of them.
fn facts() -> String {
    (0..110_000).map(|at| format!("(unused{} fact{at} {})\n", at / 1000, at + 1)).collect()
}

#[test]
fn a_sheet_of_a_few_megabytes_is_played() {
    let facts = facts();
    assert!(facts.len() > 2 << 20);
    let player = Served::start(&["--simulations", "10"]);
    assert_eq!(player.say(&format!("(start m white ({STEPS}{facts}) 100 100)")), "ready");
    assert_eq!(player.say("(play m nil)"), "Go");
    assert_eq!(player.say("(play m (go wait))"), "Go");
    assert_eq!(player.say("(stop m (go wait))"), "done");
}

#[test]
fn sheets_are_bounded_together() {
    let player = Served::start(&["--simulations", "10", "--matches", "3"]);
    // Most of it is a comment, which costs memory all the same.
    let sheet = format!("{STEPS}\n;{}\n", "x".repeat(15 << 20));
    assert_eq!(player.say(&format!("(start m white ({sheet}) 100 100)")), "ready");
    let refused = player.post(&format!("(start n white ({sheet}) 100 100)"));
    assert_eq!(refused.status, 400);
    assert!(refused.body.starts_with("error: no room for so large a sheet"), "{refused:?}");
    let small = self::sheet("breakthrough");
    assert_eq!(player.say(&format!("(start n white ({small}\n) 100 100)")), "ready");
    assert_eq!(player.say("(abort m)"), "aborted");
    assert_eq!(player.say(&format!("(start o white ({sheet}) 100 100)")), "ready");
}
