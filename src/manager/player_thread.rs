//! A player in its own thread, so that no player delays another or the match.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use propnet::game::Role;

use crate::search::Report;

/// A question to a player.
#[derive(Clone, Debug)]
pub(super) struct PlayerRequest {
    /// 0 for the start of the match, then the number of the joint move.
    pub(super) turn: u64,
    /// The joint move before, if there was one.
    pub(super) previous: Option<Vec<String>>,
    /// For people: the legal moves.
    pub(super) legal: Vec<String>,
    /// When the answer is due; none for people, and if a budget decides.
    pub(super) deadline: Option<Instant>,
}

/// An answer of a player.
#[derive(Clone, Debug)]
pub(super) struct PlayerAnswer {
    /// Its move; any text in reply to the start of the match.
    pub(super) text: String,
    /// How it was found.
    pub(super) report: Option<Report>,
}

/// Why a player does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Its time is over.
    Late,
    /// It failed, with a message for people.
    Broken(String),
    /// It leaves, and the match ends.
    Quit,
}

/// An answer and when it came.
pub(super) struct PlayerReply {
    pub(super) role: Role,
    pub(super) turn: u64,
    pub(super) at: Instant,
    pub(super) said: Result<PlayerAnswer, Fault>,
}

/// A kind of player.
pub(super) trait PlayerBackend: Send {
    /// Answers the start of the match, or one of its turns.
    fn answer(&mut self, request: &PlayerRequest) -> Result<PlayerAnswer, Fault>;
}

/// A handle to the thread of a player.
pub(super) struct PlayerThread {
    role: Role,
    requests: Sender<PlayerRequest>,
    replies: Sender<PlayerReply>,
}

impl PlayerThread {
    /// Starts the thread of a player. It ends when this handle is dropped and the player has
    /// answered.
    pub(super) fn new(
        role: Role,
        mut backend: Box<dyn PlayerBackend>,
        replies: Sender<PlayerReply>,
    ) -> io::Result<Self> {
        let (requests, asked) = channel();
        let answers = replies.clone();
        let work = move || serve(role, &mut *backend, &asked, &answers);
        thread::Builder::new().name(format!("player {role}")).spawn(work)?;
        Ok(PlayerThread { role, requests, replies })
    }

    /// Asks the player; the answer arrives in the channel of replies.
    pub(super) fn request(&self, request: PlayerRequest) {
        let turn = request.turn;
        if self.requests.send(request).is_err() {
            let said = Err(Fault::Broken("the player's thread has ended".to_string()));
            // The caller waits for replies, so the channel is open.
            let _ =
                self.replies.send(PlayerReply { role: self.role, turn, at: Instant::now(), said });
        }
    }
}

fn serve(
    role: Role,
    backend: &mut dyn PlayerBackend,
    requests: &Receiver<PlayerRequest>,
    replies: &Sender<PlayerReply>,
) {
    while let Ok(request) = requests.recv() {
        // A player that panics has no answer; the match goes on.
        let said = catch_unwind(AssertUnwindSafe(|| backend.answer(&request)));
        let said = said.unwrap_or_else(|payload| Err(Fault::Broken(reason(&*payload))));
        if replies.send(PlayerReply { role, turn: request.turn, at: Instant::now(), said }).is_err()
        {
            return;
        }
    }
}

fn reason(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("it failed: {}", text.unwrap_or_default())
}
