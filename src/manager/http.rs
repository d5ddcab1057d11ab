//! A player at another address: KIF over HTTP POST.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use ureq::Body;
use ureq::http::Response;

use super::player_thread::{Fault, PlayerAnswer, PlayerBackend, PlayerRequest};
use crate::text::{plain, shortened};

/// The longest answer that is read, in bytes. Moves are far shorter.
const LONGEST_ANSWER: u64 = 1 << 16;

/// How many letters of a player's refusal are shown, and how many bytes are read.
const SHOWN_REASON: usize = 200;
const LONGEST_REASON: u64 = 1 << 10;

/// A message is sent even if its time is over: a player that misses one does not know what was
/// played.
const LEAST_TIME: Duration = Duration::from_millis(100);

/// The time for messages without a clock of their own.
const USUAL_TIME: Duration = Duration::from_secs(10);

/// The HTTP client of one player in one match.
#[derive(Clone)]
pub(super) struct PlayerClient {
    agent: ureq::Agent,
    address: String,
    match_id: String,
}

impl PlayerClient {
    pub(super) fn new(address: &str, match_id: &str) -> Self {
        let config = ureq::Agent::config_builder()
            // One connection for each message: a reused one may have been closed by the player.
            .max_idle_connections(0)
            .proxy(None)
            .max_redirects(0)
            // The text of a refusal is shown to people.
            .http_status_as_error(false)
            .user_agent("ludens")
            .build();
        let (address, match_id) = (address.to_string(), match_id.to_string());
        PlayerClient { agent: config.new_agent(), address, match_id }
    }

    /// Tells the player that the match is over.
    pub(super) fn stop(&self, joint: Option<&[String]>, time: Duration) -> Result<String, Fault> {
        self.post(&format!("(STOP {} {})", self.match_id, moves(joint)), time)
    }

    /// Tells the player that the match is aborted.
    pub(super) fn abort(&self, time: Duration) -> Result<String, Fault> {
        self.post(&format!("(ABORT {})", self.match_id), time)
    }

    fn post(&self, message: &str, time: Duration) -> Result<String, Fault> {
        let request = self.agent.post(&self.address).content_type("text/acl");
        let request = request.config().timeout_global(Some(time)).build();
        let mut response = request.send(message).map_err(fault)?;
        if !response.status().is_success() {
            return Err(refusal(&mut response));
        }
        response
            .body_mut()
            .with_config()
            .limit(LONGEST_ANSWER)
            .lossy_utf8(true)
            .read_to_string()
            .map_err(fault)
    }
}

fn fault(error: ureq::Error) -> Fault {
    match error {
        ureq::Error::Timeout(_) => Fault::Late,
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => Fault::Late,
        error => Fault::Broken(format!("no connection, or a broken one: {error}")),
    }
}

/// An unsuccessful status, with the player's explanation.
fn refusal(response: &mut Response<Body>) -> Fault {
    let status = response.status().as_u16();
    let mut reason = Vec::new();
    // If the connection breaks, the status alone is reported.
    let _ = response.body_mut().as_reader().take(LONGEST_REASON).read_to_end(&mut reason);
    let reason = shortened(&plain(&String::from_utf8_lossy(&reason)), SHOWN_REASON);
    Fault::Broken(match reason.as_str() {
        "" => format!("HTTP status {status}"),
        reason => format!("HTTP status {status}: {reason}"),
    })
}

/// The joint move in a message.
fn moves(joint: Option<&[String]>) -> String {
    joint.map_or("nil".to_string(), |moves| format!("({})", moves.join(" ")))
}

/// A player at an HTTP address.
pub(super) struct HttpPlayer {
    pub(super) client: PlayerClient,
    /// The START message.
    pub(super) start: String,
}

/// The message that begins a match. Clocks are whole seconds in the protocol.
pub(super) fn start_message(
    match_id: &str,
    role: &str,
    sheet: &str,
    start: Duration,
    play: Duration,
) -> String {
    let sheet: Vec<&str> = sheet.split_whitespace().collect();
    let seconds = |clock: Duration| clock.as_secs() + u64::from(clock.subsec_nanos() > 0);
    let (start, play) = (seconds(start), seconds(play));
    format!("(START {match_id} {role} ({}) {start} {play})", sheet.join(" "))
}

impl PlayerBackend for HttpPlayer {
    fn answer(&mut self, request: &PlayerRequest) -> Result<PlayerAnswer, Fault> {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let time = request.deadline.map_or(USUAL_TIME, left).max(LEAST_TIME);
        let text = match request.turn {
            0 => self.client.post(&self.start, time)?,
            _ => {
                let moves = moves(request.previous.as_deref());
                self.client.post(&format!("(PLAY {} {moves})", self.client.match_id), time)?
            }
        };
        Ok(PlayerAnswer { text, report: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_protocol() {
        let (start, play) = (Duration::from_secs(10), Duration::from_millis(1500));
        assert_eq!(
            start_message("m.1", "X", "(role X)\n(<= (legal X a)\n    (true b))\n", start, play),
            "(START m.1 X ((role X) (<= (legal X a) (true b))) 10 2)"
        );
        let joint = ["(mark 1 1)".to_string(), "noop".to_string()];
        assert_eq!(moves(Some(&joint)), "((mark 1 1) noop)");
        assert_eq!(moves(None), "nil");
    }
}
