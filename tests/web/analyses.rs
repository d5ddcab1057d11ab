//! The analysis engine over HTTP: streams, stops, viewers.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::site::Site;

/// Begins a search; its identifier.
fn begin(site: &Site, game: &str, strategy: &str) -> String {
    let sheet = site.open(game);
    let begun = site.post("/api/analyses", &json!({ "sheet": sheet, "strategy": strategy }));
    begun["id"].as_str().expect("an identifier").to_string()
}

/// Waits until all searches have ended.
fn wait_for_end(site: &Site) {
    let begun = Instant::now();
    loop {
        let running = site.get("/api/analyses");
        let running = running.as_array().expect("a list");
        if running.iter().all(|one| one["done"] == true) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "it never ends: {running:?}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn values_stream_until_the_search_is_stopped() {
    let site = Site::start(&[]);
    let id = begin(&site, "breakthrough", "uct+solver:threads=1");
    let mut events = site.events(&format!("/api/analyses/{id}/events"));
    let first = events.next().expect("a report");
    let second = events.next().expect("another report");
    assert!(second["simulations"].as_u64() > first["simulations"].as_u64());
    assert_eq!(second["values"].as_array().map(Vec::len), Some(2));
    assert_eq!(second["report"]["solver"]["bounds"].as_array().map(Vec::len), Some(2));
    assert!(second["overlay"].as_str().is_some_and(|svg| svg.contains("class=\"visits\"")));
    let lines = second["lines"].as_array().expect("lines");
    assert_eq!(lines[0]["moves"][0], second["report"]["principal_line"][0]);
    assert!(lines.len() == 3 && lines.iter().all(|line| line["visits"].as_u64() > Some(0)));
    // Playouts are counted when all of a round are over, which may take several reports.
    let counted = std::iter::once(second).chain(&mut events);
    let counted = counted.map(|report| report["ends"]["shares"].clone());
    let shares =
        counted.take(100).find(|shares| shares.as_array().is_some_and(|all| !all.is_empty()));
    let shares = shares.expect("playouts that end");
    let shares = shares.as_array().expect("shares");
    let share = |one: &Value| one[1].as_f64().expect("a share");
    assert!(!shares.is_empty() && shares.iter().all(|one| (0.0..=1.0).contains(&share(one))));
    // A second one runs beside it, and stopping one leaves the other.
    let other = begin(&site, "breakthrough", "mast:threads=1");
    let mut others = site.events(&format!("/api/analyses/{other}/events"));
    assert!(others.next().is_some());
    assert_eq!(site.ask("DELETE", &format!("/api/analyses/{id}"), None).0, 200);
    let last = events.last().expect("an end");
    assert_eq!((&last["status"], &last["end"]), (&json!("done"), &json!("stopped")));
    assert!(others.next().is_some_and(|event| event["status"] == "running"));
}

#[test]
fn a_search_ends_when_its_viewers_have_gone() {
    let site = Site::start(&[]);
    let id = begin(&site, "breakthrough", "uct:threads=1");
    let mut events = site.events(&format!("/api/analyses/{id}/events"));
    assert!(events.next().is_some());
    drop(events);
    wait_for_end(&site);
    // One that nobody ever watched ends as well.
    begin(&site, "breakthrough", "uct:threads=1");
    wait_for_end(&site);
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    for (body, said) in [
        (json!({ "sheet": sheet, "strategy": "genius" }), "there is no player genius"),
        (json!({ "sheet": sheet, "strategy": "random" }), "needs a strategy"),
        (json!({ "sheet": sheet, "seconds": -1.0 }), "the time is from"),
        (json!({ "sheet": sheet, "state": ["(no such thing)"] }), "no such"),
    ] {
        let message = site.refused(400, "/api/analyses", &body);
        assert!(message.contains(said), "{message}");
    }
    let moves = [
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 2 2)"],
        ["(mark 1 2)", "noop"],
        ["noop", "(mark 3 3)"],
        ["(mark 1 3)", "noop"],
    ];
    let over = site.post("/api/analyses", &json!({ "sheet": sheet, "moves": moves }));
    let id = over["id"].as_str().expect("an identifier");
    let last = site.events(&format!("/api/analyses/{id}/events")).last().expect("an event");
    assert_eq!((&last["status"], &last["end"]), (&json!("done"), &json!("over")));
}

/// The memory that a process holds, in bytes.
#[cfg(target_os = "linux")]
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a figure");
    let kilobytes = line.split_whitespace().nth(1).and_then(|text| text.parse::<u64>().ok());
    kilobytes.expect("a number") << 10
}

#[cfg(target_os = "linux")]
#[test]
fn fifty_viewers_stay_live_and_memory_stays_flat() {
    let site = Site::start(&[]);
    // The tree is full soon, so that whatever grows later is not the search.
    let id = begin(&site, "breakthrough", "uct:threads=1:memory=2");
    let path = format!("/api/analyses/{id}/events");
    let mut first = site.events(&path);
    assert!(first.next().is_some());
    // Some look, some never read what they get.
    let silent: Vec<_> = (0..10).map(|_| site.events(&path)).collect();
    let mut viewers: Vec<_> = (0..40).map(|_| site.events(&path)).collect();
    let mut round = || -> Vec<u64> {
        viewers
            .iter_mut()
            .map(|viewer| {
                viewer.next().expect("a report")["simulations"].as_u64().expect("a count")
            })
            .collect()
    };
    let early = round();
    round();
    let before = resident(site.id());
    for _ in 0..8 {
        round();
    }
    let late = round();
    let after = resident(site.id());
    assert!(early.iter().zip(&late).all(|(early, late)| early < late), "{early:?} {late:?}");
    assert!(after < before + (24 << 20), "memory grew from {before} to {after} bytes");
    let listed = site.get("/api/analyses");
    assert_eq!(listed[0]["viewers"], 51);
    drop(silent);
}
