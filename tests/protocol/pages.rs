//! Web pages and host names: who may ask, and what browsers are told.

use ludens::protocol::MAX_BODY;

use super::serve::{Response, Served};
use super::sockets::AVAILABLE;

/// Sends a request with more headers.
fn ask(player: &Served, request: &str, headers: &str, body: &str) -> Response {
    let length = body.len();
    let head =
        format!("{request} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n");
    player.send(format!("{head}\r\n{body}").as_bytes())
}

const PAGE: &str = "Host: localhost\r\nOrigin: http://example.org\r\n";

const WISH: &str = "Access-Control-Request-Method: POST\r\n\
                    Access-Control-Request-Headers: content-type,x-any\r\n";

#[test]
fn no_page_may_ask_unless_its_origin_is_named() {
    let player = Served::start(&[]);
    for (request, body) in [("POST /", "(info)"), ("OPTIONS /", ""), ("GET /health", "")] {
        let answer = ask(&player, request, &format!("{PAGE}{WISH}"), body);
        assert_eq!(answer.status, 403, "{answer:?}");
        assert!(answer.body.contains("--allow-origin http://example.org"), "{answer:?}");
        assert!(!answer.head.contains("access-control-allow"), "{answer:?}");
    }
    // Those who are no page are not told anything about pages.
    let answer = player.post("(info)");
    assert_eq!(answer.body, AVAILABLE);
    assert!(!answer.head.contains("access-control-allow"), "{answer:?}");
}

/// Asks as a page may that is allowed; all answers have this line.
fn may_ask(player: &Served, line: &str) {
    let ask = |request: &str, headers: &str, body: &str| {
        let answer = ask(player, request, &format!("{PAGE}{headers}"), body);
        assert!(answer.head.contains(line), "{answer:?}");
        answer
    };
    let preflight = ask("OPTIONS /any", WISH, "");
    assert_eq!(preflight.status, 200);
    for allowed in ["methods: get, post, options", "headers: content-type,x-any"] {
        let line = format!("access-control-allow-{allowed}\r\n");
        assert!(preflight.head.contains(&line), "{preflight:?}");
    }
    assert_eq!(ask("OPTIONS /", "", "").status, 200);
    assert_eq!(ask("POST /any", "", "(info)").body, AVAILABLE);
    // What was wrong can be read, too.
    assert_eq!(ask("POST /", "", "(info").status, 400);
    assert_eq!(ask("GET /", "", "").status, 405);
    assert_eq!(ask("POST /", "", &"x".repeat(MAX_BODY + 1)).status, 413);
}

#[test]
fn pages_of_a_named_origin_may_ask() {
    let named = ["--allow-origin", "http://other.org", "--allow-origin", "http://example.org"];
    let player = Served::start(&named);
    may_ask(&player, "access-control-allow-origin: http://example.org\r\n");
    let stranger = "Host: localhost\r\nOrigin: http://example.org.evil.org\r\n";
    assert_eq!(ask(&player, "POST /", stranger, "(info)").status, 403);
}

#[test]
fn all_pages_may_ask_where_that_is_said() {
    let player = Served::start(&["--allow-origin", "*"]);
    may_ask(&player, "access-control-allow-origin: *\r\n");
}

#[test]
fn only_host_names_of_ours_are_answered() {
    let player = Served::start(&["--allow-host", "player.example.org"]);
    let status = |host: &str| ask(&player, "POST /", &format!("Host: {host}\r\n"), "(info)").status;
    for host in ["localhost", "127.0.0.1:9147", "[::1]:80", "192.168.1.7", "Player.example.org:1"] {
        assert_eq!(status(host), 200, "{host}");
    }
    for host in ["evil.org", "localhost.evil.org:9147"] {
        assert_eq!(status(host), 403, "{host}");
    }
    // Old managers do not tell any.
    let old = b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(info)";
    assert_eq!(player.send(old).body, AVAILABLE);
    let refused = ask(&player, "GET /metrics", "Host: evil.org\r\n", "");
    assert!(refused.body.contains("--allow-host evil.org"), "{refused:?}");
}
