//! Transcripts: `transcripts/NAME.txt`, text in and text out.
//!
//! ```text
//! ; words for people
//! = matches 2           how the session plays
//! @ 12.5                the time is 12.5 s now
//! > (info)              what a manager sends; more lines may follow
//! < ((name ludens) ...  what it is told
//! ```
//!
//! `{name}` in a message stands for a sheet. `UPDATE_GOLDEN=1` rewrites what is told; read it before
//! you commit it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ludens::protocol::Session;

use super::{STEPS, TURNS, options};
use crate::support;

#[test]
fn replies_are_those_of_the_transcripts() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let folder = support::root().join("tests/protocol/transcripts");
    let entries = fs::read_dir(folder).expect("the folder of transcripts");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut differing = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).expect("a transcript");
        let played = play(&text);
        if update {
            fs::write(path, &played).expect("the transcript can be written");
        } else if played != text {
            differing.push(format!("{}:\n{played}", path.display()));
        }
    }
    assert!(paths.len() > 5, "the transcripts are there");
    assert!(differing.is_empty(), "set UPDATE_GOLDEN=1 to accept\n{}", differing.join("\n"));
}

/// The transcript with what a session says now.
fn play(text: &str) -> String {
    let mut options = options();
    for line in text.lines().filter_map(|line| line.strip_prefix("= ")) {
        match line.split_once(' ') {
            Some(("matches", number)) => options.matches = number.parse().expect("a number"),
            _ => panic!("there is no option {line}"),
        }
    }
    let session = Session::new(options);
    let begun = Instant::now();
    let mut now = begun;
    let mut message: Option<String> = None;
    let mut played = String::new();
    for line in text.lines().chain([""]) {
        let is_more = line.starts_with("  ") && message.is_some();
        if let Some(said) = message.take_if(|_| !is_more) {
            let reply = session.answer(&with_sheets(&said), now).to_string();
            played.push_str(&format!("< {reply}\n"));
        }
        match line.split_at_checked(2) {
            Some(("> ", rest)) => message = Some(rest.to_string()),
            Some(("  ", rest)) if is_more => {
                let message = message.as_mut().expect("a message");
                message.push('\n');
                message.push_str(rest);
            }
            Some(("@ ", rest)) => {
                let seconds: f64 = rest.parse().expect("a time in seconds");
                now = begun + Duration::from_secs_f64(seconds);
            }
            Some(("< ", _)) => continue,
            _ => {}
        }
        played.push_str(line);
        played.push('\n');
    }
    // The line that was added.
    played.pop();
    played
}

fn with_sheets(message: &str) -> String {
    let message = message.replace("{steps}", STEPS).replace("{small}", support::SMALL);
    message.replace("{stuck}", support::STUCK).replace("{turns}", TURNS)
}
