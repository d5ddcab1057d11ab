//! Who may ask, what may be sent, and names that are meant to do harm.

use serde_json::{Value, json};

use super::site::Site;

fn status(site: &Site, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> u16 {
    site.send(method, path, headers, body).status().as_u16()
}

#[test]
fn pages_of_other_origins_are_refused() {
    let site = Site::start(&[]);
    let own = site.url.clone();
    assert_eq!(status(&site, "GET", "/api/games", &[("origin", &own)], ""), 200);
    for headers in [
        [("origin", "http://evil.org")],
        [("origin", "null")],
        [("host", "evil.org")],
        [("sec-fetch-site", "cross-site")],
    ] {
        assert_eq!(status(&site, "GET", "/api/games", &headers, ""), 403, "{headers:?}");
        assert_eq!(status(&site, "GET", "/", &headers, ""), 403, "{headers:?}");
    }
    // A page elsewhere can send such a body without asking first, so it is refused.
    let body = r#"{"name": "tic_tac_toe"}"#;
    assert_eq!(status(&site, "POST", "/api/sheets", &[("content-type", "text/plain")], body), 415);
    assert_eq!(status(&site, "POST", "/", &[("content-type", "application/json")], body), 400);
}

#[test]
fn every_answer_carries_the_policy() {
    let site = Site::start(&[]);
    for path in ["/", "/app.js", "/api/games", "/nothing"] {
        let answer = site.send("GET", path, &[], "");
        let policy = answer.headers()["content-security-policy"].to_str().expect("text");
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
        assert!(!policy.contains("unsafe-"), "{policy}");
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
        assert!(!answer.headers().contains_key("access-control-allow-origin"));
    }
}

#[test]
fn a_token_is_needed_where_others_can_ask() {
    let site = Site::start(&["--host", "0.0.0.0"]);
    let token = site.printed.split("token=").nth(1).expect("a token in the address");
    assert_eq!(status(&site, "GET", "/", &[], ""), 403);
    assert_eq!(status(&site, "GET", "/api/games", &[], ""), 403);
    assert_eq!(status(&site, "GET", "/?token=wrong", &[], ""), 403);
    let page = site.send("GET", &format!("/?token={token}"), &[], "");
    let cookie = page.headers()["set-cookie"].to_str().expect("text").to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a cookie");
    assert_eq!(status(&site, "GET", "/api/games", &[("cookie", cookie)], ""), 200);
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    assert_eq!(status(&site, "GET", "/api/games", &headers, ""), 200);
    // Files are not opened from afar, even with the token.
    for path in ["/api/sheets", "/api/records", "/api/runs", "/api/records/follow"] {
        let body = r#"{"path": "games/tic_tac_toe.kif"}"#;
        assert_eq!(status(&site, "POST", path, &headers, body), 403, "{path}");
    }
}

#[test]
fn files_of_other_kinds_are_not_read() {
    let site = Site::start(&[]);
    for path in ["/etc/passwd", "Cargo.toml", "..", "", "no/such.kif", "\u{202e}.kif"] {
        let message = site.refused(400, "/api/sheets", &json!({ "path": path }));
        assert!(!message.contains("root:"), "{message}");
    }
    let message = site.refused(400, "/api/records", &json!({ "path": "/etc/hostname" }));
    assert!(message.contains(".json, .pgn, .part"), "{message}");
}

#[test]
fn what_is_too_large_or_no_request_is_refused() {
    let site = Site::start(&[]);
    let json = [("content-type", "application/json")];
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"name\": 1}",
        "{\"name\": \"a\", \"text\": \"b\", \"path\": \"c\"}",
    ] {
        assert_eq!(status(&site, "POST", "/api/sheets", &json, body), 400, "{body}");
    }
    let large = format!("{{\"text\": \"{}\"}}", "x".repeat(17 << 20));
    assert_eq!(status(&site, "POST", "/api/sheets", &json, &large), 413);
    let many =
        json!({ "sheet": site.open("tic_tac_toe"), "moves": vec![["noop", "noop"]; 10_001] });
    let message = site.refused(400, "/api/position", &many);
    assert!(message.contains("more than 10000 joint moves"), "{message}");
    assert_eq!(status(&site, "PUT", "/api/sheets", &json, "{}"), 404);
}

#[test]
fn searches_and_matches_are_bounded_in_number() {
    let site = Site::start(&[]);
    let sheet = site.open("tic_tac_toe");
    let begin = json!({ "sheet": sheet, "players": ["human", "human"] });
    let found: Vec<u16> =
        (0..9).map(|_| site.ask("POST", "/api/matches", Some(&begin)).0).collect();
    assert_eq!(found, [200, 200, 200, 200, 200, 200, 200, 200, 503]);
}

/// A sheet with a name that is meant to do harm, as content, role and relation.
fn hostile_sheet(name: &str) -> String {
    format!(
        "(role {name}) (init (cell 1 1 {name})) (init (cell 1 2 {name})) (init (cell 2 1 o))
         (init (cell 2 2 b)) (init ({name} 1)) (legal {name} ({name} 1 1)) (legal {name} ({name} 2 2))
         (<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z))) (<= terminal (true (cell 1 1 o)))
         (goal {name} 0)"
    )
}

#[test]
fn hostile_names_come_out_as_text() {
    let site = Site::start(&[]);
    let long = "z".repeat(2_000);
    for name in ["<script>harm=1</script>", "<img/src=x/onerror=harm=1>", "a\"b'c", &long, "שלום"]
    {
        let sheet = site.post("/api/sheets", &json!({ "text": hostile_sheet(name), "name": name }));
        assert_eq!(sheet["playable"], true, "{sheet}");
        let position = site.post("/api/position", &json!({ "sheet": sheet["id"] }));
        assert_eq!(position["roles"], json!([name]));
        let svg = position["board"].as_str().expect("a board");
        let document = roxmltree::Document::parse(svg).expect("sound XML");
        let tags = ["svg", "g", "title", "path", "text", "circle", "rect"];
        let elements = document.descendants().filter(|node| node.is_element());
        for element in elements {
            assert!(tags.contains(&element.tag_name().name()), "{name}: {:?}", element.tag_name());
            assert!(!element.attributes().any(|one| one.name().starts_with("on")), "{name}");
        }
        let part = json!({ "sheet": sheet["id"], "of": "terminal", "classic": true });
        let part = site.post("/api/circuit", &part);
        roxmltree::Document::parse(part["svg"].as_str().expect("a picture")).expect("sound XML");
    }
    // A mark that turns the direction of text is no symbol; the finding shows it as an escape.
    let turned = hostile_sheet("a\u{202e}b");
    let sheet = site.post("/api/sheets", &json!({ "text": turned }));
    let findings = &sheet["findings"]["findings"];
    assert_eq!(sheet["playable"], false);
    assert!(findings[0]["message"].as_str().is_some_and(|text| !text.contains('\u{202e}')));
    assert_ne!(findings, &Value::Null);
}
