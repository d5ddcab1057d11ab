//! The hunt for the best line of a game for one role, from one state of the match on: the portfolio
//! of [`crate::puzzle`] in its thread.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::options::Log;
use super::signals::Signals;
use crate::puzzle::{Best, FoundLine, Puzzle, PuzzleOptions, search};
use crate::search::LineReport;

/// A search for lines. It ends soon after it is dropped.
pub(super) struct LineHunt {
    best: Arc<Best>,
    /// Done when all methods are.
    thread: Option<JoinHandle<()>>,
    /// The moves of the match since the state that is searched.
    made: Vec<u32>,
}

impl LineHunt {
    /// Searches from the start of a puzzle on, after a hunt before has freed its memory. What that
    /// one knows is kept, as far as it is still true.
    pub(super) fn start(
        puzzle: Puzzle,
        options: PuzzleOptions,
        mut before: Option<LineHunt>,
        signals: Arc<Signals>,
        log: Log,
    ) -> io::Result<Self> {
        let best = match &before {
            // What cannot be exceeded from a state on cannot be exceeded later.
            Some(before) => Best::resume(before.best.bound(), before.line()),
            None => Best::new(puzzle.highest()),
        };
        let best = Arc::new(best);
        let theirs = best.clone();
        let earlier = before.as_mut().and_then(|before| before.thread.take());
        drop(before);
        let work = move || {
            // Only a panic keeps it from being joined, and it was told to end.
            let _ = earlier.map(JoinHandle::join);
            // A match counts as running as long as a thread holds its log.
            if let Err(error) = search(&puzzle, &options, &theirs, &|| signals.may_go_on()) {
                log.line(&format!("the puzzle is not searched: {error}"));
            }
        };
        let thread = thread::Builder::new().name("puzzle".to_string()).spawn(work)?;
        Ok(LineHunt { best, thread: Some(thread), made: Vec::new() })
    }

    /// Notes a move of the match.
    pub(super) fn follow(&mut self, chosen: u32) {
        self.made.push(chosen);
    }

    /// What is left of the best line, if the match has followed it so far.
    pub(super) fn line(&self) -> Option<FoundLine> {
        let line = self.best.line()?;
        let moves = line.moves.strip_prefix(self.made.as_slice())?.to_vec();
        (!moves.is_empty()).then_some(FoundLine { moves, ..line })
    }

    /// What is known about a line.
    pub(super) fn report(&self, line: &FoundLine) -> LineReport {
        LineReport {
            score: line.score,
            moves: line.moves.len(),
            found_by: line.found_by,
            bound: self.best.bound(),
            is_proven: line.score >= self.best.bound(),
        }
    }

    /// Whether nothing more will be found.
    pub(super) fn is_done(&self) -> bool {
        self.best.is_proven() || self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Whether the line that the match follows is the best there is.
    pub(super) fn is_proven(&self) -> bool {
        self.best.is_proven() && self.line().is_some()
    }
}

impl Drop for LineHunt {
    fn drop(&mut self) {
        self.best.stop();
    }
}
