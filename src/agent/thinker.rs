//! A thread that searches: in its turns, and between them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::{io, thread};

use propnet::game::{PlayError, Role};

use super::clerk::{is_blank, moves_of};
use super::options::Log;
use super::precedence::Precedence;
use super::signals::Signals;
use super::turn::{Origin, Thought, Turn};
use crate::search::{Budget, Search};

/// The way to a thinker. It ends when the handle is gone.
pub(super) struct Handle {
    turns: Sender<Turn>,
    pub(super) signals: Arc<Signals>,
}

impl Handle {
    /// Starts a thread; `work` gets what a thinker needs from outside.
    pub(super) fn start(
        name: &str,
        precedence: &Arc<Precedence>,
        work: impl FnOnce(Receiver<Turn>, Arc<Signals>) + Send + 'static,
    ) -> io::Result<Self> {
        let (turns, received) = channel();
        let signals = Arc::new(Signals::new(precedence));
        let theirs = signals.clone();
        thread::Builder::new().name(name.to_string()).spawn(move || work(received, theirs))?;
        Ok(Handle { turns, signals })
    }

    /// Asks it. A thinker that is gone will not answer.
    pub(super) fn ask(&self, turn: Turn, wakes: bool) {
        if self.turns.send(turn).is_ok() && wakes {
            self.signals.wake();
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.signals.end();
    }
}

/// A search and who asks it.
pub(super) struct Thinker {
    pub(super) search: Search,
    pub(super) role: Role,
    pub(super) origin: Origin,
    /// Whether it goes on between turns.
    pub(super) ponders: bool,
    pub(super) turns: Receiver<Turn>,
    pub(super) signals: Arc<Signals>,
    pub(super) log: Log,
}

impl Thinker {
    /// Answers until nobody asks any more.
    pub(super) fn run(mut self) {
        while let Some(turn) = self.next_turn() {
            if let Err(error) = self.follow(&turn) {
                self.note(&error);
                if is_blank(&error) {
                    // Where the match is now it does not know, and what it thought best may be illegal.
                    return;
                }
            }
            self.answer(&turn);
        }
    }

    fn next_turn(&mut self) -> Option<Turn> {
        loop {
            self.signals.rest();
            if self.signals.is_ended() {
                return None;
            }
            match self.turns.try_recv() {
                Ok(turn) => return Some(turn),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) if self.ponder() => {}
                Err(TryRecvError::Empty) => return self.turns.recv().ok(),
            }
        }
    }

    /// Searches until it is woken; whether that was possible.
    fn ponder(&mut self) -> bool {
        if !self.ponders || self.search.is_over() {
            return false;
        }
        let thought = self.search.run(&Budget::stopped_by(self.signals.flag()));
        thought.is_ok() && self.signals.is_awake()
    }

    /// Goes on to where the match is.
    fn follow(&mut self, turn: &Turn) -> Result<(), PlayError> {
        let Some(previous) = &turn.previous else { return Ok(()) };
        // Rules may well allow moves when all is over.
        if self.search.is_over() {
            return Ok(());
        }
        let joint = moves_of(self.search.game(), previous)?;
        self.search.advance(&joint)
    }

    fn answer(&mut self, turn: &Turn) {
        let first = self.thought();
        if turn.thoughts.send(first).is_err() {
            // The turn was over before this thread came to it.
            return;
        }
        let mut budget = Budget { stop: Some(self.signals.flag()), ..turn.budget.clone() };
        if turn.hurries && self.search.legal_moves(self.role).len() == 1 {
            budget.stop = Some(Arc::new(AtomicBool::new(true)));
        }
        let report = loop {
            let report = self.search.run(&budget);
            let is_woken = self.signals.is_awake() && !self.signals.is_ended();
            if report.is_err() || !is_woken {
                break report;
            }
            // The call to this turn itself.
            self.signals.rest();
        };
        let mut thought = self.thought();
        match report {
            Ok(report) => thought.report = Some(report),
            Err(error) => self.note(&error),
        }
        // Nobody waits for an answer that comes too late.
        let _ = turn.thoughts.send(thought);
    }

    /// Says what went wrong, unless someone has ended the thread.
    fn note(&self, error: &PlayError) {
        if *error != PlayError::Stopped {
            self.log.line(&format!("the search ({}): {error}", self.origin.name()));
        }
    }

    fn thought(&mut self) -> Thought {
        let best = self.search.best_move(self.role);
        let text = best.map(|chosen| self.search.game().move_spelling(self.role, chosen));
        let text = text.map(|text| text.expect("the search chooses a move of its game"));
        Thought { origin: self.origin, text, report: None }
    }
}
