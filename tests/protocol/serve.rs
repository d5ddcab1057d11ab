//! `ludens serve` as a process, and messages to it over real sockets.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support;

/// A player's process; it ends with the test.
pub(crate) struct Served {
    child: Child,
    address: String,
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Served {
    /// Starts a player on a port that is free. It plays slowly, and begins at once.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_as_usual(&[&["--lanes", "64", "--backend", "portable"], arguments].concat())
    }

    /// The same, on the lanes and with the code that it has when nobody says anything.
    pub(crate) fn start_as_usual(arguments: &[&str]) -> Self {
        Self::start_logging(&[&["--quiet"], arguments].concat(), Stdio::inherit())
    }

    /// The same, with a place for its log.
    pub(crate) fn start_logging(arguments: &[&str], log: Stdio) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
            // What is free is then free for all threads, so that figures of memory tell a leak.
            .env("MALLOC_ARENA_MAX", "1")
            .args(["serve", "--port", "0"])
            .args(["--set", "threads=1"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the program starts");
        let out = child.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("ludens listens on http://");
        let address = address.unwrap_or_else(|| panic!("where does it listen? {line}")).to_string();
        Served { child, address }
    }

    /// The number of its process.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What managers call it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).expect("it listens")
    }

    /// Sends a request as it is written, and reads the answer.
    pub(crate) fn send(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        // Who has read enough may close before all is sent.
        let _ = stream.write_all(request);
        read_response(stream)
    }

    /// Sends a message.
    pub(crate) fn post(&self, message: &str) -> Response {
        self.send(request(message).as_bytes())
    }

    /// Sends a message, and gives what it is told.
    pub(crate) fn say(&self, message: &str) -> String {
        self.post(message).body
    }

    /// One figure of the process, such as `VmRSS` in kB.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("the process is there");
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.and_then(|number| number.parse().ok()).expect("a figure")
    }

    /// How many threads of that name it has. The system keeps fifteen letters of a name.
    pub(crate) fn threads(&self, name: &str) -> usize {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("a process");
        let names =
            tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
        names.filter(|own| name.starts_with(own.trim_end())).count()
    }

    /// How many files and connections it holds open.
    pub(crate) fn open_files(&self) -> usize {
        let files = fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        files.expect("the process is there").count()
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Waits for the end of the process; its exit code.
    pub(crate) fn wait(mut self) -> Option<i32> {
        // A few seconds more than it takes; a process that does not end fails the test.
        for _ in 0..100 {
            if let Some(status) = self.child.try_wait().expect("the process is ours") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("the process does not end");
    }

    /// Ends the process without a warning.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A message as managers send it.
pub(crate) fn request(message: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/acl\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{message}",
        message.len()
    )
}

/// Reads an answer to its end.
pub(crate) fn read_response(mut stream: TcpStream) -> Response {
    let mut bytes = Vec::new();
    // An answer that does not come fails the test instead of holding it up.
    stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time");
    // A connection that is reset behind the answer is no matter.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Response { status, head: head.to_lowercase(), body: body.to_string() }
}

/// The text of a sheet of our own.
pub(crate) fn sheet(name: &str) -> String {
    let path = support::root().join(format!("games/{name}.kif"));
    fs::read_to_string(path).expect("a sheet of our own")
}
