//! One match of a session: its messages one after the other.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::message::Start;
use super::play::{End, Play};
use super::reply::Reply;
use super::session::SessionOptions;
use crate::agent::Ender;

/// A match.
pub(super) struct Contest {
    pub(super) start: Start,
    /// The fingerprint of its rules.
    rules: String,
    /// The match with the same name that was played when this one began by a START just like the
    /// first: until the next message tells, that may have been the first START once more.
    former: Mutex<Option<Arc<Contest>>>,
    ender: Ender,
    heard: Mutex<Instant>,
    /// How often a move was answered; who waits sees by it that someone else was answered.
    answers: AtomicU64,
    /// Locked while a message is worked on.
    play: Mutex<Play>,
}

impl Contest {
    pub(super) fn new(
        start: Start,
        rules: String,
        former: Option<Arc<Contest>>,
        arrived: Instant,
    ) -> Self {
        Contest {
            start,
            rules,
            former: Mutex::new(former),
            ender: Ender::default(),
            heard: Mutex::new(arrived),
            answers: AtomicU64::default(),
            play: Mutex::default(),
        }
    }

    /// Whether a START with these rules is the one that began this match, in whatever spacing and
    /// letter case.
    pub(super) fn is_begun_by(&self, start: &Start, rules: &str) -> bool {
        let clocks = |start: &Start| (start.start_clock, start.play_clock);
        clocks(&self.start) == clocks(start)
            && self.start.role.eq_ignore_ascii_case(&start.role)
            && self.rules == rules
    }

    /// Whether nobody was told a move yet.
    pub(super) fn is_at_start(&self) -> bool {
        self.answers.load(SeqCst) == 0
    }

    /// The match that this one shall take the place of, if that is still open.
    pub(super) fn take_former(&self) -> Option<Arc<Contest>> {
        self.former.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Lets it think no more.
    pub(super) fn silence(&self) {
        self.ender.end();
    }

    /// Begins the match; the same answer again if it has begun.
    pub(super) fn begin(&self, options: &SessionOptions, seed: u64, arrived: Instant) -> Reply {
        let mut play = self.lock(arrived);
        play.begin(&self.start, &self.ender, options, seed, arrived)
    }

    /// Answers with a move.
    pub(super) fn play(&self, previous: Option<Vec<String>>, arrived: Instant) -> Reply {
        let answers = self.answers.load(SeqCst);
        let mut play = self.lock(arrived);
        let has_waited = self.answers.load(SeqCst) != answers;
        let deadline = arrived + self.start.play_clock;
        let reply = play.answer(previous, has_waited, deadline);
        self.answers.fetch_add(1, SeqCst);
        reply
    }

    /// Ends the match, also while it thinks. All is written down when this is back.
    pub(super) fn end(&self, how: End, arrived: Instant) -> Reply {
        self.silence();
        self.lock(arrived).end(how)
    }

    /// Whether nobody has asked for so long that nobody will.
    pub(super) fn is_forgotten(&self, now: Instant, patience: Duration) -> bool {
        let heard = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let clocks = self.start.start_clock + self.start.play_clock;
        let is_at_work = matches!(self.play.try_lock(), Err(TryLockError::WouldBlock));
        !is_at_work && now.saturating_duration_since(heard) > clocks + patience
    }

    fn lock(&self, arrived: Instant) -> MutexGuard<'_, Play> {
        // A match that broke down is answered for as well as it can be.
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        *heard = (*heard).max(arrived);
        drop(heard);
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
