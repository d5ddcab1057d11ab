//! Parts of circuits: pictures with their elements, walked gate by gate, and files.

use serde_json::{Value, json};

use super::site::Site;

#[test]
fn a_circuit_is_walked_gate_by_gate() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    for classic in [true, false] {
        let mut request =
            json!({ "sheet": sheet, "classic": classic, "of": "terminal", "depth": 1 });
        for step in 0..3 {
            let part = site.post("/api/circuit", &request);
            let elements = part["elements"].as_array().expect("elements");
            let svg = part["svg"].as_str().expect("a picture");
            let drawn = svg.matches("data-node=").count();
            assert_eq!(drawn, elements.len(), "each element can be clicked");
            let gate = elements.iter().find(|one| {
                matches!(one["kind"].as_str(), Some("and" | "or")) && one["key"] != request["gate"]
            });
            let gate =
                gate.unwrap_or_else(|| panic!("no gate to go on from at step {step}: {part}"));
            request =
                json!({ "sheet": sheet, "classic": classic, "gate": gate["key"], "depth": 1 });
        }
    }
}

#[test]
fn the_signals_of_a_state_are_lit() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let lit = |moves: &Value| -> Value {
        let state = site.post("/api/position", &json!({ "sheet": sheet, "moves": moves }));
        let request = json!({ "sheet": sheet, "classic": true, "of": "(cell 1 1 x)", "depth": 0, "state": state["state"] });
        let part = site.post("/api/circuit", &request);
        let elements = part["elements"].as_array().expect("elements");
        let base =
            elements.iter().find(|one| one["kind"] == "base" && one["label"] == "(cell 1 1 x)");
        base.expect("the fluent")["lit"].clone()
    };
    assert_eq!(lit(&json!([])), false);
    assert_eq!(lit(&json!([["(mark 1 1)", "noop"]])), true);
}

#[test]
fn helpers_and_lines_of_the_sheet_are_named() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let request = json!({ "sheet": sheet, "classic": true, "of": "(goal x 100)", "depth": 4 });
    let part = site.post("/api/circuit", &request);
    let elements = part["elements"].as_array().expect("elements");
    let named =
        elements.iter().any(|one| one["sentences"].as_array().is_some_and(|all| !all.is_empty()));
    let lined =
        elements.iter().any(|one| one["lines"].as_array().is_some_and(|all| !all.is_empty()));
    assert!(named && lined, "{elements:?}");
}

#[test]
fn ports_know_their_cells() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let ports = site.get(&format!("/api/sheets/{sheet}/ports"));
    let ports = ports["ports"].as_array().expect("ports");
    let of = |name: &str| ports.iter().find(|one| one["name"] == name).expect("a port").clone();
    assert_eq!(of("terminal")["cell"], Value::Null);
    assert_eq!(of("(next (cell 1 1 x))")["cell"], json!({ "board": 0, "cell": 0 }));
    assert_eq!(of("(legal x (mark 2 2))")["kind"], "legal");
}

#[test]
fn parts_are_saved_as_files() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    for (format, content_type, beginning) in [
        ("svg", "image/svg+xml", &b"<?xml"[..]),
        ("png", "image/png", b"\x89PNG"),
        ("dot", "text/vnd.graphviz", b"digraph"),
    ] {
        let body = json!({ "sheet": sheet, "of": "terminal", "format": format }).to_string();
        let headers = [("content-type", "application/json")];
        let mut answer = site.send("POST", "/api/circuit", &headers, &body);
        assert_eq!(answer.headers()["content-type"], content_type);
        let bytes = answer.body_mut().with_config().limit(64 << 20).read_to_vec().expect("bytes");
        assert!(bytes.starts_with(beginning), "{format}");
    }
    // Large parts are drawn less deep, never refused.
    let large = site.open("breakthrough");
    let request = json!({ "sheet": large, "of": "(control white)", "around": true, "depth": 50 });
    let part = site.post("/api/circuit", &request);
    assert!(part["elements"].as_array().is_some_and(|all| all.len() <= 400));
    assert!(part["depth"].as_u64().is_some_and(|depth| depth < 50));
    let message = site.refused(400, "/api/circuit", &json!({ "sheet": sheet, "of": "(nothing)" }));
    assert!(message.contains("no port (nothing)"), "{message}");
}
