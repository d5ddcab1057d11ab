//! `ludens web` as a process, and requests to it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::Response;
use ureq::{Agent, Body};

/// A page's server; it ends with the test.
pub(crate) struct Site {
    child: Child,
    /// Without a path, such as `http://127.0.0.1:40123`.
    pub(crate) url: String,
    /// The address that was printed.
    pub(crate) printed: String,
    agent: Agent,
}

impl Site {
    /// Starts the page on a port that is free.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
            // What is free is then free for all threads, so that figures of memory tell a leak.
            .env("MALLOC_ARENA_MAX", "1")
            .args(["web", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let out = child.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        let printed = line.trim().strip_prefix("the page is at ");
        let printed = printed.unwrap_or_else(|| panic!("where is the page? {line}")).to_string();
        let host = printed.split('/').nth(2).expect("a host").replace("0.0.0.0", "127.0.0.1");
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(120)))
            .build();
        Site { child, url: format!("http://{host}"), printed, agent: agent.into() }
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks with headers, and gives the whole answer.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response<Body> {
        let address = format!("{}{path}", self.url);
        let mut request = ureq::http::Request::builder().method(method).uri(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // Requests without a body must not even have an empty one.
        let answer = match body.is_empty() {
            true => self.agent.run(request.body(()).expect("a request")),
            false => self.agent.run(request.body(body.to_string()).expect("a request")),
        };
        answer.expect("an answer")
    }

    /// Asks, and gives the status and the answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let text = body.map(Value::to_string).unwrap_or_default();
        let mut answer = self.send(method, path, &[("content-type", "application/json")], &text);
        let text = answer.body_mut().with_config().limit(64 << 20).read_to_string().expect("text");
        (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask("GET", path, None);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, Some(body));
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// The message of a request that is refused with this status.
    pub(crate) fn refused(&self, status: u16, path: &str, body: &Value) -> String {
        let (found, answer) = self.ask("POST", path, Some(body));
        assert_eq!(found, status, "{path}: {answer}");
        answer["error"].as_str().expect("a message").to_string()
    }

    /// Opens a game that comes with the program; its identifier.
    pub(crate) fn open(&self, name: &str) -> String {
        let sheet = self.post("/api/sheets", &json!({ "name": name }));
        sheet["id"].as_str().expect("an identifier").to_string()
    }

    /// The events of a request with a body, as they come.
    pub(crate) fn stream(&self, path: &str, body: &Value) -> Events {
        let answer =
            self.send("POST", path, &[("content-type", "application/json")], &body.to_string());
        assert_eq!(answer.status(), 200, "{path}");
        Events(BufReader::new(answer.into_body().into_reader()))
    }

    /// The events of a path, as they come.
    pub(crate) fn events(&self, path: &str) -> Events {
        let agent = Agent::config_builder().http_status_as_error(false).build();
        let agent: Agent = agent.into();
        let answer = agent.get(format!("{}{path}", self.url)).call().expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        Events(BufReader::new(answer.into_body().into_reader()))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Server-sent events, one after the other.
pub(crate) struct Events(BufReader<ureq::BodyReader<'static>>);

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data:") {
                return Some(serde_json::from_str(data.trim()).expect("JSON"));
            }
        }
    }
}
