//! One match of a session: answers its messages one after the other.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::time::{Duration, Instant};

use super::match_state::{MatchEnd, MatchState};
use super::message::StartMessage;
use super::reply::Reply;
use super::running_matches::MatchSlot;
use super::session::SessionOptions;
use crate::agent::StopHandle;

/// A match.
pub(super) struct SessionMatch {
    pub(super) start: StartMessage,
    /// The fingerprint of its rules.
    rules: String,
    /// The match with the same name that was played when this one began by a START just like the
    /// first: until the next message shows which, that may have been the first START repeated.
    former: Mutex<Option<Arc<SessionMatch>>>,
    stop_handle: StopHandle,
    /// Until when the next message should come: managers send it when the clock of the last one is
    /// over, or before.
    due: Mutex<Instant>,
    slot: Weak<MatchSlot>,
    /// The number of answers so far; a waiting thread sees by it that another one was answered.
    answers: AtomicU64,
    /// Locked while a message is worked on.
    play: Mutex<MatchState>,
}

impl SessionMatch {
    pub(super) fn new(
        start: StartMessage,
        rules: String,
        former: Option<Arc<SessionMatch>>,
        arrived: Instant,
        slot: Arc<MatchSlot>,
    ) -> Self {
        SessionMatch {
            due: Mutex::new(arrived + start.start_clock),
            start,
            rules,
            former: Mutex::new(former),
            stop_handle: StopHandle::default(),
            slot: Arc::downgrade(&slot),
            answers: AtomicU64::default(),
            play: Mutex::new(MatchState::new(slot)),
        }
    }

    /// Whether a START with these rules is the one that began this match, in whatever spacing and
    /// letter case.
    pub(super) fn is_begun_by(&self, start: &StartMessage, rules: &str) -> bool {
        let clocks = |start: &StartMessage| (start.start_clock, start.play_clock);
        clocks(&self.start) == clocks(start)
            && self.start.role.eq_ignore_ascii_case(&start.role)
            && self.rules == rules
    }

    /// Whether no move was sent yet.
    pub(super) fn is_at_start(&self) -> bool {
        self.answers.load(SeqCst) == 0
    }

    /// The match that this one is to replace, if that is still open.
    pub(super) fn take_former(&self) -> Option<Arc<SessionMatch>> {
        self.former.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Stops its search.
    pub(super) fn stop(&self) {
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

    /// Ends the match, also while it thinks. Everything is recorded when this returns.
    pub(super) fn end(&self, how: MatchEnd, arrived: Instant) -> Reply {
        self.stop();
        self.lock(arrived).end(how)
    }

    /// Whether the next message is so late that it will not come.
    pub(super) fn is_forgotten(&self, now: Instant, patience: Duration) -> bool {
        let due = *self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let is_at_work = matches!(self.play.try_lock(), Err(TryLockError::WouldBlock));
        !is_at_work && now.saturating_duration_since(due) > patience
    }

    /// Alive as long as anything of the match still runs.
    pub(super) fn slot(&self) -> Weak<MatchSlot> {
        self.slot.clone()
    }

    /// Takes the match for a message; the next one is due then.
    fn lock(&self, then: Instant) -> MutexGuard<'_, MatchState> {
        *self.due.lock().unwrap_or_else(PoisonError::into_inner) = then;
        // A match that has failed is answered for as well as possible.
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
