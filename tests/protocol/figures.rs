//! What people who run a server can see: its health, its metrics and its log.

use std::fs;

use serde_json::Value;

use super::STEPS;
use super::serve::{Response, Served};
use crate::support;

fn get(player: &Served, path: &str) -> Response {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    player.send(request.as_bytes())
}

#[test]
fn health_is_a_small_json() {
    let player = Served::start(&["--simulations", "10", "--matches", "3"]);
    let health = |running: u64| {
        let answer = get(&player, "/health");
        assert_eq!(answer.status, 200);
        assert!(answer.head.contains("content-type: application/json"), "{answer:?}");
        let health: Value = serde_json::from_str(&answer.body).expect("JSON");
        assert_eq!((&health["status"], &health["version"]), (&"ok".into(), &"0.1.0".into()));
        assert!(health["uptime_seconds"].is_u64(), "{health}");
        let matches = &health["matches"];
        assert_eq!((&matches["running"], &matches["most"]), (&running.into(), &3.into()));
    };
    health(0);
    assert_eq!(player.say(&format!("(start m white ({STEPS}) 10 5)")), "ready");
    health(1);
    assert_eq!(player.say("(abort m)"), "aborted");
    health(0);
}

/// The value of a metric.
fn value(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name}\n{text}"))
}

#[test]
fn metrics_count_what_happens() {
    let player = Served::start(&["--simulations", "50", "--strategy", "uct"]);
    for message in [
        &format!("(start m white ({STEPS}) 10 5)"),
        "(start n white ((role white)) 10 5)",
        "(play m nil)",
        "(play m (go wait))",
        "(play m (go wait))",
        "(stop m ((stop at 3) wait))",
        &format!("(start m2 white ({STEPS}) 10 5)"),
        "(abort m2)",
        "(play nosuch nil)",
        "(info)",
        "nonsense",
    ] {
        player.say(message);
    }
    let answer = get(&player, "/metrics");
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("content-type: application/openmetrics-text"), "{answer:?}");
    let text = answer.body;
    for (name, expected) in [
        ("messages_total{kind=\"start\"}", 3.0),
        ("messages_total{kind=\"play\"}", 4.0),
        ("messages_total{kind=\"stop\"}", 1.0),
        ("messages_total{kind=\"abort\"}", 1.0),
        ("messages_total{kind=\"info\"}", 1.0),
        ("messages_total{kind=\"invalid\"}", 1.0),
        ("matches_started_total", 2.0),
        ("matches_finished_total", 1.0),
        ("matches_aborted_total", 1.0),
        ("matches_running", 0.0),
        // No room for the second match, and no match of that name.
        ("busy_replies_total", 2.0),
        ("messages_held_bytes", 0.0),
        ("answer_time_seconds_count", 11.0),
        ("answer_time_seconds_bucket{le=\"+Inf\"}", 11.0),
    ] {
        assert_eq!(value(&text, &format!("ludens_{name}")), expected, "{name}\n{text}");
    }
    for name in ["simulations_total", "playouts_total", "connections", "uptime_seconds"] {
        assert!(value(&text, &format!("ludens_{name}")) >= 0.0);
    }
    assert!(value(&text, "ludens_simulations_total") >= 50.0, "{text}");
}

/// The log of a player that was told a few things, strange ones among them.
fn logged(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let file = fs::File::create(&path).expect("a file");
    let arguments = [&["--simulations", "10", "--lanes", "64"], arguments].concat();
    let player = Served::start_logging(&arguments, file.into());
    player.say(&format!("(start m white ({STEPS}) 10 5)"));
    player.say("(play m nil)");
    player.say("(abort m)");
    // No name may have characters that nobody sees.
    player.say("(\u{200f}hello)");
    player.say("(play \u{202e}m nil)");
    // Complaints about a sheet have several lines.
    player.say("(start n white ((role white) (legal white ?x)) 10 5)");
    player.signal("-TERM");
    assert_eq!(player.wait(), Some(0));
    fs::read_to_string(path).expect("a log")
}

#[test]
fn every_entry_of_a_log_is_one_line_with_a_level() {
    let log = logged(&["--log", "debug"]);
    for line in log.lines() {
        let mut words = line.split_whitespace();
        let (time, level) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
        assert!(["WARN", "INFO", "DEBUG"].contains(&level), "{line}");
        assert!(!line.contains(['\u{202e}', '\u{200f}']), "{line:?}");
    }
    for part in [
        "INFO  m: begins; we are white\n",
        "INFO  m: Go (by ",
        " simulations in ",
        "WARN  refused: no message: a symbol contains the invisible character U+200F\n",
        "WARN  n: the sheet cannot be played: error[",
        "DEBUG play: answered after ",
        "INFO  shutting down\n",
    ] {
        assert!(log.contains(part), "{part}\n{log}");
    }
}

#[test]
fn a_log_has_what_its_level_says() {
    let levels = |log: &str| {
        let level = |line: &str| line.split_whitespace().nth(1).unwrap_or_default().to_string();
        let mut levels: Vec<String> = log.lines().map(level).collect();
        levels.sort();
        levels.dedup();
        levels.join(" ")
    };
    assert_eq!(levels(&logged(&["--log", "info"])), "INFO WARN");
    assert_eq!(levels(&logged(&["--log", "ludens=warn"])), "WARN");
    assert_eq!(levels(&logged(&["--log", "off"])), "");
    assert_eq!(levels(&logged(&["--quiet"])), "");
    let (code, _, complaint) = support::run(&["serve", "--port", "0", "--log", "loud"]);
    assert_eq!(code, 2);
    assert!(
        complaint.contains("write a level (off, error, warn, info, debug, trace)"),
        "{complaint}"
    );
}
