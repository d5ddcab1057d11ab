//! Players on real sockets that do what a test tells them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What a fake player does with a message.
pub(crate) enum Act {
    Say(&'static str),
    /// Says it after a while.
    Late(Duration, &'static str),
    /// Keeps the line open and says nothing.
    Silence,
    /// Sends these bytes as they are.
    Raw(Vec<u8>),
    /// Closes the line.
    HangUp,
    /// Is never seen again.
    Die,
}

/// A fake player.
pub(crate) struct Fake {
    /// Where it is.
    pub(crate) address: String,
    messages: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    /// A player that does to each message what the function says.
    pub(crate) fn new(mut act: impl FnMut(&str) -> Act + Send + 'static) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let messages = Arc::new(Mutex::new(Vec::new()));
        let heard = messages.clone();
        thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let Some(message) = read(&stream) else { continue };
                heard.lock().expect("a lock").push(message.clone());
                match act(&message) {
                    Act::Say(text) => say(&mut stream, text),
                    Act::Late(time, text) => {
                        thread::spawn(move || {
                            thread::sleep(time);
                            say(&mut stream, text);
                        });
                    }
                    Act::Silence => silent.push(stream),
                    Act::Raw(bytes) => drop(stream.write_all(&bytes)),
                    Act::HangUp => {}
                    Act::Die => return,
                }
            }
        });
        Fake { address, messages }
    }

    /// A player that says the same to each PLAY, and is otherwise polite.
    pub(crate) fn saying(text: &'static str) -> Fake {
        Fake::playing(move || Act::Say(text))
    }

    /// A player that is polite, but does this to each PLAY.
    pub(crate) fn playing(mut act: impl FnMut() -> Act + Send + 'static) -> Fake {
        Fake::new(move |message| match kind(message) {
            "START" => Act::Say("ready"),
            "PLAY" => act(),
            _ => Act::Say("done"),
        })
    }

    /// What it was told so far.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.messages.lock().expect("a lock").clone()
    }

    /// Waits until it was told something of a kind.
    pub(crate) fn wait_for(&self, wanted: &str) {
        let begun = Instant::now();
        while !self.messages().iter().any(|message| kind(message) == wanted) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{wanted} never came");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The first word of a message.
pub(crate) fn kind(message: &str) -> &str {
    message.trim_start_matches('(').split_whitespace().next().unwrap_or_default()
}

/// The body of a request; none if there is none.
fn read(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut content_type) = (0, String::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if let Some(value) = line.strip_prefix("content-type:") {
            content_type = value.trim().to_string();
        }
        if line.is_empty() {
            break;
        }
    }
    assert_eq!(content_type, "text/acl");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

/// Answers; whoever asked may be gone.
fn say(stream: &mut TcpStream, text: &str) {
    let length = text.len();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/acl\r\n";
    let _ = write!(stream, "{head}Content-Length: {length}\r\n\r\n{text}");
}
