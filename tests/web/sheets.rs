//! Sheets, positions and records.

use serde_json::{Value, json};

use super::site::Site;
use crate::support::root;

#[test]
fn the_library_is_listed_and_opened() {
    let site = Site::start(&["tic_tac_toe"]);
    assert!(site.printed.contains("#/games?sheet="), "{}", site.printed);
    let id = site.printed.rsplit('=').next().expect("an identifier");
    let sheet = site.get(&format!("/api/sheets/{id}"));
    assert_eq!((&sheet["name"], &sheet["playable"]), (&json!("tic_tac_toe"), &json!(true)));
    let games = site.get("/api/games");
    let names: Vec<&Value> =
        games.as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert!(names.contains(&&json!("breakthrough")) && names.len() > 30);
    let figures = site.get(&format!("/api/sheets/{id}/figures"));
    assert_eq!(figures["circuit"]["moves"][0]["moves"], 10);
    assert!(figures["ground"]["heaviest"].as_array().is_some_and(|all| !all.is_empty()));
    let by_path = root().join("games/othello.kif").display().to_string();
    assert_eq!(site.post("/api/sheets", &json!({ "path": by_path }))["name"], "othello");
}

#[test]
fn findings_come_with_their_places() {
    let site = Site::start(&[]);
    let text = "(role a)\n(<= (legal a (go ?x)) (true (p ?y)))\n";
    let sheet = site.post("/api/sheets", &json!({ "text": text }));
    assert_eq!(sheet["playable"], false);
    let findings = sheet["findings"]["findings"].as_array().expect("findings");
    let unsafe_variable = findings.iter().find(|one| one["line"] == 2).expect("one in line 2");
    assert!(unsafe_variable["message"].as_str().is_some_and(|text| text.contains("?x")));
    let id = &sheet["id"];
    let message = site.refused(400, "/api/position", &json!({ "sheet": id }));
    assert!(message.starts_with("this sheet cannot be played"), "{message}");
}

#[test]
fn positions_are_drawn_with_their_moves() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let first = site.post("/api/position", &json!({ "sheet": sheet }));
    assert_eq!(first["legal"][0].as_array().map(Vec::len), Some(9));
    assert_eq!(first["legal"][0][0]["cells"], json!([{ "board": 0, "cell": 0 }]));
    assert!(first["board"].as_str().is_some_and(|svg| svg.starts_with("<svg")));
    let moves = [
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 2 2)"],
        ["(mark 1 2)", "noop"],
        ["noop", "(mark 3 3)"],
        ["(mark 1 3)", "noop"],
    ];
    let last = site.post("/api/position", &json!({ "sheet": sheet, "moves": moves }));
    assert_eq!((&last["terminal"], &last["goals"]), (&json!(true), &json!([100, 0])));
    assert_eq!(last["last"], json!(moves[4]));
    // The same from a state in the middle.
    let middle = site.post("/api/position", &json!({ "sheet": sheet, "moves": &moves[..4] }));
    let again = json!({ "sheet": sheet, "state": middle["state"], "moves": [&moves[4]] });
    assert_eq!(site.post("/api/position", &again)["state"], last["state"]);
    let visits = json!({ "sheet": sheet, "visits": [["(mark 1 1)", 5], ["(mark 2 2)", 50]] });
    let overlay = &site.post("/api/position", &visits)["overlay"];
    assert_eq!(overlay.as_str().map(|svg| svg.matches("class=\"visits\"").count()), Some(2));
    for (body, said) in [
        (json!({ "sheet": sheet, "moves": [["(mark 9 9)", "noop"]] }), "step 1"),
        (json!({ "sheet": sheet, "moves": [["(mark 1 1)"]] }), "a move for each role"),
        (json!({ "sheet": sheet, "state": ["(cell"] }), "state"),
        (json!({ "sheet": sheet, "surprise": 1 }), "unknown field"),
    ] {
        let message = site.refused(400, "/api/position", &body);
        assert!(message.contains(said), "{message}");
    }
    site.refused(404, "/api/position", &json!({ "sheet": "nothing" }));
}

#[test]
fn records_are_played_again() {
    let site = Site::start(&[]);
    let record = json!({
        "matchId": "m", "game": "tic_tac_toe", "roles": ["x", "o"],
        "moves": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]],
    });
    let replayed = site.post("/api/records", &json!({ "text": record.to_string() }));
    let steps = replayed["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[2]["moves"], json!(["noop", "(mark 2 2)"]));
    assert!(replayed["error"].is_null());
    let wrong = record.to_string().replace("mark 2 2", "mark 1 1");
    let replayed = site.post("/api/records", &json!({ "text": wrong }));
    assert!(replayed["error"].as_str().is_some_and(|text| text.contains("step 2")), "{replayed}");
    let message = site.refused(400, "/api/records", &json!({ "text": "{}" }));
    assert!(message.contains("no \"moves\""), "{message}");
}

/// What another process plays and records is told as its file grows.
#[test]
fn records_that_grow_are_followed() {
    let site = Site::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.json");
    let write = |moves: &[[&str; 2]], is_completed: bool| {
        let record = json!({ "game": "tic_tac_toe", "isCompleted": is_completed, "moves": moves });
        std::fs::write(&path, record.to_string()).expect("written");
    };
    let moves = [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]];
    write(&moves[..1], false);
    let mut events = site.stream("/api/records/follow", &json!({ "path": path }));
    let steps = |event: &Value| event["steps"].as_array().map(Vec::len);
    assert_eq!(steps(&events.next().expect("an event")), Some(2));
    write(&moves, true);
    let last = events.last().expect("another event");
    assert_eq!((steps(&last), &last["over"]), (Some(3), &json!(true)));
}

#[test]
fn hints_that_cannot_be_read_are_found() {
    let site = Site::start(&[]);
    let text = "; draw: board cell x=1\n(role a)";
    let sheet = site.post("/api/sheets", &json!({ "text": text }));
    let findings = sheet["findings"]["findings"].as_array().expect("findings");
    let hint = findings.iter().find(|one| one["code"] == "draw-hint").expect("one about the hint");
    assert_eq!((&hint["line"], &hint["severity"]), (&json!(1), &json!("warning")));
}

#[test]
fn everything_that_can_be_asked_is_listed() {
    let site = Site::start(&[]);
    let listed = site.get("/api");
    let listed = listed["api"].as_array().expect("a list");
    for one in listed.iter().filter(|one| one["method"] == "GET") {
        let path = one["path"].as_str().expect("a path").replace("ID", "1");
        let (status, answer) = site.ask("GET", &path, None);
        let message = answer["error"].as_str().unwrap_or_default();
        assert!(status == 200 || !message.contains("GET /api lists all"), "{path}: {message}");
    }
    let (status, answer) = site.ask("GET", "/api/nothing", None);
    assert_eq!(status, 404, "{answer}");
}
