//! One match of a session: its messages one after the other.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::time::{Duration, Instant};

use super::message::Start;
use super::play::{End, Play};
use super::reply::Reply;
use super::session::SessionOptions;
use super::tally::Seat;
use crate::agent::StopHandle;

/// A match.
pub(super) struct Contest {
    pub(super) start: Start,
    /// The fingerprint of its rules.
    rules: String,
    /// The match with the same name that was played when this one began by a START just like the
    /// first: until the next message tells, that may have been the first START once more.
    former: Mutex<Option<Arc<Contest>>>,
    stop_handle: StopHandle,
    /// Until when the next message should come: managers send it when the clock of the last one is
    /// over, or before.
    due: Mutex<Instant>,
    seat: Weak<Seat>,
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
        seat: Arc<Seat>,
    ) -> Self {
        Contest {
            due: Mutex::new(arrived + start.start_clock),
            start,
            rules,
            former: Mutex::new(former),
            stop_handle: StopHandle::default(),
            seat: Arc::downgrade(&seat),
            answers: AtomicU64::default(),
            play: Mutex::new(Play::new(seat)),
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
        self.stop_handle.stop();
    }

    /// Begins the match; the same answer again if it has begun.
    pub(super) fn begin(&self, options: &SessionOptions, seed: u64, arrived: Instant) -> Reply {
        let mut play = self.lock(arrived + self.start.start_clock);
        play.begin(&self.start, &self.stop_handle, options, seed, arrived)
    }

    /// Answers with a move.
    pub(super) fn play(&self, previous: Option<Vec<String>>, arrived: Instant) -> Reply {
        let answers = self.answers.load(SeqCst);
        let deadline = arrived + self.start.play_clock;
        let mut play = self.lock(deadline);
        let has_waited = self.answers.load(SeqCst) != answers;
        let reply = play.answer(previous, has_waited, deadline);
        self.answers.fetch_add(1, SeqCst);
        reply
    }

    /// Ends the match, also while it thinks. All is written down when this is back.
    pub(super) fn end(&self, how: End, arrived: Instant) -> Reply {
        self.silence();
        self.lock(arrived).end(how)
    }

    /// Whether the next message is so late that it will not come.
    pub(super) fn is_forgotten(&self, now: Instant, patience: Duration) -> bool {
        let due = *self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let is_at_work = matches!(self.play.try_lock(), Err(TryLockError::WouldBlock));
        !is_at_work && now.saturating_duration_since(due) > patience
    }

    /// There as long as anything of the match still runs.
    pub(super) fn seat(&self) -> Weak<Seat> {
        self.seat.clone()
    }

    /// Takes the match for a message; the next one is due then.
    fn lock(&self, then: Instant) -> MutexGuard<'_, Play> {
        *self.due.lock().unwrap_or_else(PoisonError::into_inner) = then;
        // A match that broke down is answered for as well as it can be.
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
