//! A player in a thread of its own, so that none holds up another, or the match.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use propnet::game::Role;

use crate::search::Report;

/// What a player is asked.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    /// 0 for the start of the match, then the number of the joint move.
    pub(super) turn: u64,
    /// The joint move before, if there was one.
    pub(super) previous: Option<Vec<String>>,
    /// For people: the legal moves.
    pub(super) legal: Vec<String>,
    /// When the answer has to be there; none for people, and where a budget decides.
    pub(super) deadline: Option<Instant>,
}

/// What a player says.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// Its move; anything with the start of the match.
    pub(super) text: String,
    /// How it was found.
    pub(super) report: Option<Report>,
}

/// Why a player says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Its time is over.
    Late,
    /// Something is broken: what people are told about it.
    Broken(String),
    /// It plays no more, and neither shall the others.
    Quit,
}

/// An answer, and when it came.
pub(super) struct Reply {
    pub(super) role: Role,
    pub(super) turn: u64,
    pub(super) at: Instant,
    pub(super) said: Result<Said, Fault>,
}

/// Somebody who answers.
pub(super) trait Mind: Send {
    /// What it says to the start of the match, or in one of its turns.
    fn answer(&mut self, ask: &Ask) -> Result<Said, Fault>;
}

/// The way to a player.
pub(super) struct Seat {
    role: Role,
    asks: Sender<Ask>,
    replies: Sender<Reply>,
}

impl Seat {
    /// Gives a player a thread. It ends when the seat is dropped and the player has answered.
    pub(super) fn new(
        role: Role,
        mut mind: Box<dyn Mind>,
        replies: Sender<Reply>,
    ) -> io::Result<Self> {
        let (asks, asked) = channel();
        let answers = replies.clone();
        let work = move || serve(role, &mut *mind, &asked, &answers);
        thread::Builder::new().name(format!("player {role}")).spawn(work)?;
        Ok(Seat { role, asks, replies })
    }

    /// Asks; the answer comes by the channel of replies.
    pub(super) fn ask(&self, ask: Ask) {
        let turn = ask.turn;
        if self.asks.send(ask).is_err() {
            let said = Err(Fault::Broken("the player's thread is over".to_string()));
            // Whoever asks waits for replies, so somebody is there.
            let _ = self.replies.send(Reply { role: self.role, turn, at: Instant::now(), said });
        }
    }
}

fn serve(role: Role, mind: &mut dyn Mind, asks: &Receiver<Ask>, replies: &Sender<Reply>) {
    while let Ok(ask) = asks.recv() {
        // A player that fails is a player that answers nothing; the match goes on.
        let said = catch_unwind(AssertUnwindSafe(|| mind.answer(&ask)));
        let said = said.unwrap_or_else(|payload| Err(Fault::Broken(reason(&*payload))));
        if replies.send(Reply { role, turn: ask.turn, at: Instant::now(), said }).is_err() {
            return;
        }
    }
}

fn reason(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("it failed: {}", text.unwrap_or_default())
}
