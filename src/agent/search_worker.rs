//! A thread that searches during its turns and ponders between them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Instant;
use std::{io, thread};

use propnet::game::{PlayError, Role};

use super::options::Log;
use super::position_tracker::{is_blank, moves_of};
use super::precedence::Precedence;
use super::scheme_choice::SchemeChoice;
use super::signals::Signals;
use super::turn::{Origin, SearchAnswer, Turn};
use crate::search::{Budget, Report, RunEnd, Search};

/// A handle to a search worker. Dropping it ends the worker.
pub(super) struct WorkerHandle {
    turns: Sender<Turn>,
    pub(super) signals: Arc<Signals>,
}

impl WorkerHandle {
    /// Starts a thread; `work` gets the turns and the signals.
    pub(super) fn start(
        name: &str,
        precedence: &Arc<Precedence>,
        work: impl FnOnce(Receiver<Turn>, Arc<Signals>) + Send + 'static,
    ) -> io::Result<Self> {
        let (turns, received) = channel();
        let signals = Arc::new(Signals::new(precedence));
        let theirs = signals.clone();
        thread::Builder::new().name(name.to_string()).spawn(move || work(received, theirs))?;
        Ok(WorkerHandle { turns, signals })
    }

    /// Asks for a move. A worker whose thread has ended does not answer.
    pub(super) fn ask(&self, turn: Turn, wakes: bool) {
        if self.turns.send(turn).is_ok() && wakes {
            self.signals.wake();
        }
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.signals.stop();
    }
}

/// A search and the channel of its turns.
pub(super) struct SearchWorker {
    pub(super) search: Search,
    pub(super) role: Role,
    pub(super) origin: Origin,
    /// Whether it searches between turns.
    pub(super) ponders: bool,
    /// Whether a clear move is played before the time is up.
    pub(super) ends_early: bool,
    /// The choice of a scheme for this game, if there is one.
    pub(super) choice: Option<SchemeChoice>,
    pub(super) turns: Receiver<Turn>,
    pub(super) signals: Arc<Signals>,
    pub(super) log: Log,
}

impl SearchWorker {
    /// Answers all turns until the channel is closed.
    pub(super) fn run(mut self) {
        while let Some(turn) = self.next_turn() {
            if let Err(error) = self.follow(&turn) {
                self.note(&error);
                if is_blank(&error) {
                    // The position is unknown now, so the move that it found best may be illegal.
                    return;
                }
            }
            self.answer(&turn);
        }
    }

    fn next_turn(&mut self) -> Option<Turn> {
        loop {
            self.signals.rest();
            if self.signals.is_stopped() {
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

    /// Searches until it is woken. False if there is nothing to search.
    fn ponder(&mut self) -> bool {
        if !self.ponders || self.search.is_over() {
            return false;
        }
        let report = self.search.run(&Budget::stopped_by(self.signals.flag()));
        report.is_ok() && self.signals.is_awake()
    }

    /// Makes the joint move before the turn.
    fn follow(&mut self, turn: &Turn) -> Result<(), PlayError> {
        let Some(previous) = &turn.previous else { return Ok(()) };
        // The rules may allow moves in terminal states.
        if self.search.is_over() {
            return Ok(());
        }
        let joint = moves_of(self.search.game(), previous)?;
        self.search.advance(&joint)
    }

    fn answer(&mut self, turn: &Turn) {
        let first = self.current_best();
        if turn.answers.send(first).is_err() {
            // The turn was over before this thread began it.
            return;
        }
        let is_forced = turn.hurries && self.search.legal_moves(self.role).len() == 1;
        if !is_forced {
            self.choose_scheme(turn);
        }
        let report = match is_forced {
            // The only legal move is answered at once, and searched later.
            true => self.search.run(&Budget::stopped_by(Arc::new(AtomicBool::new(true)))),
            false => self.think(turn),
        };
        let mut answer = self.current_best();
        match report {
            Ok(mut report) => {
                report.choice = self.choice.as_ref().map(|choice| Box::new(choice.report()));
                (answer.report, answer.is_final) = (Some(report), true);
            }
            Err(error) => self.note(&error),
        }
        // Nobody waits for an answer that comes too late.
        let _ = turn.answers.send(answer);
    }

    /// Searches for the time of a turn. Where the best move is clear after half of it, that is enough:
    /// the search goes on while the others think.
    fn think(&mut self, turn: &Turn) -> Result<Report, PlayError> {
        let half = turn.halfway(Instant::now()).filter(|_| self.ends_early && turn.hurries);
        let Some(half) = half else { return self.search_for(&turn.budget) };
        let first = self.search_for(&Budget { deadline: Some(half), ..turn.budget.clone() })?;
        if first.end != RunEnd::Budget || self.search.is_clear(self.role) {
            return Ok(first);
        }
        Ok(self.search_for(&turn.budget)?.after(&first))
    }

    /// Searches until a budget is spent, or the thread is stopped.
    fn search_for(&mut self, budget: &Budget) -> Result<Report, PlayError> {
        let budget = Budget { stop: Some(self.signals.flag()), ..budget.clone() };
        loop {
            let report = self.search.run(&budget);
            let is_woken = self.signals.is_awake() && !self.signals.is_stopped();
            if report.is_err() || !is_woken {
                return report;
            }
            // This was the wake-up for the turn itself.
            self.signals.rest();
        }
    }

    /// Lets schemes play against each other for a part of a turn, and goes on with the one that won.
    fn choose_scheme(&mut self, turn: &Turn) {
        let Some(choice) = self.choice.as_mut().filter(|choice| !choice.is_over()) else { return };
        let signals = self.signals.clone();
        match choice.go_on(turn, &mut self.search, &|| !signals.is_stopped()) {
            Ok(None) => {}
            Ok(Some(search)) => self.search = search,
            Err(error) => {
                self.log.line(&format!("no scheme is chosen: {error}"));
                self.choice = None;
                return;
            }
        }
        if choice.is_over() {
            self.log.line(&choice.report().to_string());
        }
    }

    /// Logs an error, unless the thread was stopped.
    fn note(&self, error: &PlayError) {
        if *error != PlayError::Stopped {
            self.log.line(&format!("the search ({}): {error}", self.origin.name()));
        }
    }

    fn current_best(&mut self) -> SearchAnswer {
        let best = self.search.best_move(self.role);
        let text = best.map(|chosen| self.search.game().move_spelling(self.role, chosen));
        let text = text.map(|text| text.expect("the search chooses a move of its game"));
        SearchAnswer { origin: self.origin, text, report: None, is_final: false }
    }
}
