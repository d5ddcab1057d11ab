//! Matches on the server: told as they go on, with people who choose their moves there.

use ludens::record::read_record;
use serde_json::{Value, json};

use super::site::Site;
use crate::protocol::serve::Served;

/// Begins a match; its identifier.
fn begin(site: &Site, game: &str, players: [&str; 2]) -> String {
    let sheet = site.open(game);
    let body = json!({ "sheet": sheet, "players": players, "start_clock": 1, "play_clock": 1 });
    site.post("/api/matches", &body)["id"].as_str().expect("an identifier").to_string()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["kind"].as_str()).collect()
}

#[test]
fn a_match_is_told_to_its_end_and_recorded() {
    let site = Site::start(&[]);
    let id = begin(&site, "tic_tac_toe", ["random", "first"]);
    let path = format!("/api/matches/{id}/events");
    let events: Vec<Value> = site.events(&path).collect();
    assert_eq!(&kinds(&events)[..4], ["match", "start", "state", "moves"]);
    let end = events.last().expect("an end");
    assert_eq!((&end["kind"], &end["reason"]), (&json!("end"), &json!("over")));
    // Who comes later gets the same.
    assert_eq!(site.events(&path).collect::<Vec<_>>(), events);
    let record = site.get(&format!("/api/matches/{id}/record"));
    let record = read_record(record.to_string().as_bytes()).expect("a record");
    let made = kinds(&events).iter().filter(|kind| **kind == "moves").count();
    assert_eq!((record.moves.len(), record.is_completed), (made, true));
    let pgn = site.send("GET", &format!("/api/matches/{id}/pgn"), &[], "");
    let pgn = pgn.into_body().read_to_string().expect("text");
    let replayed = site.post("/api/records", &json!({ "text": pgn }));
    assert_eq!(replayed["steps"].as_array().map(Vec::len), Some(made + 1));
}

#[test]
fn strategies_tell_how_they_found_their_moves() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let body = json!({
        "sheet": sheet, "players": ["uct:threads=1", "random"], "simulations": 500,
        "start_clock": 1, "play_clock": 1,
    });
    let id = site.post("/api/matches", &body)["id"].as_str().expect("an identifier").to_string();
    let events: Vec<Value> = site.events(&format!("/api/matches/{id}/events")).collect();
    let made = events.iter().find(|event| event["kind"] == "moves").expect("a move");
    let report = &made["reports"][0];
    assert!(report["lane_use"].is_number() && report["principal_line"][0].is_array(), "{report}");
    assert!(made["values"][0][0].is_number() && made["reports"][1].is_null());
}

#[test]
fn simultaneous_choices_are_hidden_until_all_have_chosen() {
    let site = Site::start(&[]);
    let id = begin(&site, "rock_paper_scissors", ["human", "human"]);
    let mut events = site.events(&format!("/api/matches/{id}/events"));
    let state = events.find(|event| event["kind"] == "state").expect("a state");
    let sheet = site.open("rock_paper_scissors");
    let position = site.post("/api/position", &json!({ "sheet": sheet, "state": state["state"] }));
    let legal = |role: usize, at: usize| position["legal"][role][at]["text"].clone();
    let path = format!("/api/matches/{id}/moves");
    // The second role chooses first.
    site.post(&path, &json!({ "role": 1, "step": 0, "move": legal(1, 1) }));
    let told = events.next().expect("an event");
    assert_eq!(told, json!({ "kind": "chosen", "step": 0, "role": 1 }), "nothing says what");
    site.post(&path, &json!({ "role": 0, "step": 0, "move": legal(0, 0) }));
    let made = events.find(|event| event["kind"] == "moves").expect("a joint move");
    assert_eq!(made["moves"], json!([legal(0, 0), legal(1, 1)]));
}

#[test]
fn only_legal_moves_of_people_are_taken_and_only_in_time() {
    let site = Site::start(&[]);
    let id = begin(&site, "tic_tac_toe", ["human", "random"]);
    let mut events = site.events(&format!("/api/matches/{id}/events"));
    assert!(events.any(|event| event["kind"] == "state"));
    let path = format!("/api/matches/{id}/moves");
    for (body, said) in [
        (json!({ "role": 1, "step": 0, "move": "noop" }), "no person plays this role"),
        (json!({ "role": 7, "step": 0, "move": "noop" }), "no person plays this role"),
        (json!({ "role": 0, "step": 3, "move": "(mark 1 1)" }), "was made already"),
        (json!({ "role": 0, "step": 0, "move": "noop" }), "not legal"),
        (json!({ "role": 0, "step": 0, "move": "(((" }), ""),
    ] {
        let message = site.refused(400, &path, &body);
        assert!(message.contains(said), "{message}");
    }
    site.post(&path, &json!({ "role": 0, "step": 0, "move": "(MARK 1 1)" }));
    let made = events.find(|event| event["kind"] == "moves").expect("a joint move");
    assert_eq!(made["moves"][0], "(mark 1 1)");
    assert_eq!(site.ask("DELETE", &format!("/api/matches/{id}"), None).0, 200);
    let last = events.last().expect("an end");
    assert_eq!(last["reason"], "stopped");
}

#[test]
fn matches_begin_anywhere_and_with_the_right_players() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let moves = [
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 2 2)"],
        ["(mark 1 2)", "noop"],
        ["noop", "(mark 3 3)"],
    ];
    let position = site.post("/api/position", &json!({ "sheet": sheet, "moves": moves }));
    let body = json!({ "sheet": sheet, "state": position["state"], "players": ["uct:threads=1", "uct:threads=1"],
        "simulations": 2000, "start_clock": 1, "play_clock": 1 });
    let id = site.post("/api/matches", &body)["id"].as_str().expect("an identifier").to_string();
    let events: Vec<Value> = site.events(&format!("/api/matches/{id}/events")).collect();
    let end = events.last().expect("an end");
    assert_eq!(end["goals"], json!([100, 0]), "x wins at once");
    for (body, said) in [
        (json!({ "sheet": sheet, "players": ["uct"] }), "a player for each role: x, o"),
        (json!({ "sheet": sheet, "players": ["uct", "genius"] }), "there is no player genius"),
        (
            json!({ "sheet": sheet, "players": ["uct", "uct"], "play_clock": 1e9 }),
            "a clock is from",
        ),
        (
            json!({ "sheet": sheet, "players": ["http://localhost:1", "uct"], "play_clock": 1.5 }),
            "whole seconds",
        ),
    ] {
        let message = site.refused(400, "/api/matches", &body);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_served_match_is_watched_by_the_folder_of_its_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let served = Served::start(&["--simulations", "500", "--out", &out]);
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let body = json!({ "sheet": sheet, "players": [served.url(), "human"], "start_clock": 60, "play_clock": 60 });
    let id = site.post("/api/matches", &body)["id"].as_str().expect("an identifier").to_string();
    let mut events = site.events(&format!("/api/matches/{id}/events"));
    let first = events.find(|event| event["kind"] == "moves").expect("a joint move");
    assert_eq!(first["errors"], json!(["", ""]), "the player at the address has answered");
    // The match goes on: its journal is found in the folder.
    let mut told = site.stream("/api/records/follow", &json!({ "path": out }));
    let early = told.find(|event| event["steps"].is_array()).expect("what was played so far");
    assert_eq!(early["over"], false);
    let mut made = 1;
    let mut goals = Value::Null;
    for event in events {
        if event["kind"] == "state" {
            let position = json!({ "sheet": sheet, "state": event["state"] });
            let legal = site.post("/api/position", &position)["legal"][1].clone();
            if legal.as_array().is_some_and(|legal| legal.len() > 1) {
                let body = json!({ "role": 1, "step": event["step"], "move": legal[0]["text"] });
                site.post(&format!("/api/matches/{id}/moves"), &body);
            }
        }
        made += u64::from(event["kind"] == "moves");
        goals = event["goals"].clone();
    }
    let last = told.last().expect("the whole match");
    assert_eq!((&last["over"], &last["goals"]), (&json!(true), &goals));
    let steps = last["steps"].as_array().expect("steps");
    assert_eq!(steps.len() as u64, made + 1);
    assert!(steps[1]["reports"][0]["roles"][0]["moves"].is_array(), "what its search has found");
}
