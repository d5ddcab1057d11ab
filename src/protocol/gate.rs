//! Who may come in: connections and messages at once are bounded, and nobody who is silent keeps
//! others out.
//!
//! A message that finds too many others at work is told so at once. A connection is never refused:
//! where there are too many, one that waits for nothing is closed, first of all one that has never
//! said anything. So a crowd of silent clients costs little, and a game manager gets through.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;

use super::session::messages_at_once;

/// What there may be at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Messages that are worked on.
    pub(super) messages: usize,
    /// Bytes of all messages that come in or are worked on, as texts, beyond the first [`SMALL`] of
    /// each.
    pub(super) bytes: usize,
    /// Connections; more than messages, so that there is always one that can be closed.
    pub(super) connections: usize,
    /// The time in which a request has to begin, and its head to come in.
    pub(super) silence: Duration,
}

/// A message of so many bytes has room in any case, so that a few large ones that never come to their
/// end keep no others out.
const SMALL: usize = 64 << 10;

impl Limits {
    /// Limits for so many matches: far more than polite managers need.
    pub(super) fn for_matches(matches: usize) -> Self {
        let messages = messages_at_once(matches);
        let (connections, silence) = (2 * messages, Duration::from_secs(120));
        Limits { messages, bytes: 64 << 20, connections, silence }
    }
}

/// Counts who is in.
pub(super) struct Gate {
    pub(super) limits: Limits,
    /// The oldest first, each with the way to close it.
    lines: Mutex<VecDeque<(Arc<Line>, AbortHandle)>>,
    messages: AtomicUsize,
    /// What counts towards the limit.
    bytes: AtomicUsize,
    /// All that is held.
    held: AtomicUsize,
}

/// What is known of a connection.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Whether a message of it was ever worked on.
    has_spoken: AtomicBool,
    is_at_work: AtomicBool,
}

/// What there is of a message, until it is dropped.
pub(super) struct Load {
    gate: Arc<Gate>,
    bytes: usize,
}

/// A message at work, until it is dropped.
pub(super) struct Work {
    gate: Arc<Gate>,
    line: Arc<Line>,
}

impl Gate {
    pub(super) fn new(limits: Limits) -> Self {
        let (messages, bytes) = (AtomicUsize::default(), AtomicUsize::default());
        let held = AtomicUsize::default();
        Gate { limits, lines: Mutex::default(), messages, bytes, held }
    }

    /// The bytes of all messages that come in or are worked on.
    pub(super) fn held(&self) -> usize {
        self.held.load(SeqCst)
    }

    /// The number of open connections.
    pub(super) fn connections(&self) -> usize {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().filter(|(_, task)| !task.is_finished()).count()
    }

    /// A message of which nothing is there yet.
    pub(super) fn load(self: &Arc<Self>) -> Load {
        Load { gate: self.clone(), bytes: 0 }
    }

    /// Lets a connection in, and closes another where there are too many.
    pub(super) fn admit(&self, line: Arc<Line>, task: AbortHandle) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|(_, task)| !task.is_finished());
        if lines.len() >= self.limits.connections
            && let Some(at) = least_wanted(&lines)
            && let Some((_, task)) = lines.remove(at)
        {
            task.abort();
        }
        lines.push_back((line, task));
    }

    /// Begins to work on a message of a connection, unless too many are worked on.
    pub(super) fn begin(self: &Arc<Self>, line: &Arc<Line>) -> Option<Work> {
        let more = |count: usize| (count < self.limits.messages).then_some(count + 1);
        self.messages.fetch_update(SeqCst, SeqCst, more).ok()?;
        line.has_spoken.store(true, SeqCst);
        line.is_at_work.store(true, SeqCst);
        Some(Work { gate: self.clone(), line: line.clone() })
    }
}

impl Load {
    /// Lets more of a message in; whether there is room for it.
    pub(super) fn add(&mut self, bytes: usize) -> bool {
        let most = self.gate.limits.bytes;
        let counted = large_part(self.bytes + bytes) - large_part(self.bytes);
        let more = |held: usize| Some(held + counted).filter(|&held| held <= most);
        let is_in = self.gate.bytes.fetch_update(SeqCst, SeqCst, more).is_ok();
        let bytes = if is_in { bytes } else { 0 };
        self.gate.held.fetch_add(bytes, SeqCst);
        self.bytes += bytes;
        is_in
    }

    /// Makes room: nothing of the message is kept any more.
    pub(super) fn clear(&mut self) {
        self.gate.bytes.fetch_sub(large_part(self.bytes), SeqCst);
        self.gate.held.fetch_sub(self.bytes, SeqCst);
        self.bytes = 0;
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.clear();
    }
}

fn large_part(bytes: usize) -> usize {
    bytes.saturating_sub(SMALL)
}

impl Drop for Work {
    fn drop(&mut self) {
        self.line.is_at_work.store(false, SeqCst);
        self.gate.messages.fetch_sub(1, SeqCst);
    }
}

/// The oldest connection that has never said anything, or else the oldest that waits for nothing.
fn least_wanted(lines: &VecDeque<(Arc<Line>, AbortHandle)>) -> Option<usize> {
    let is_idle = |line: &Line| !line.is_at_work.load(SeqCst);
    let is_new = |line: &Line| is_idle(line) && !line.has_spoken.load(SeqCst);
    let new = lines.iter().position(|(line, _)| is_new(line));
    new.or_else(|| lines.iter().position(|(line, _)| is_idle(line)))
}

#[cfg(test)]
mod tests {
    use tokio::runtime::{Builder, Runtime};
    use tokio::task::JoinHandle;

    use super::*;

    fn gate(messages: usize, connections: usize) -> (Arc<Gate>, Runtime) {
        let limits = Limits { messages, bytes: 100, connections, silence: Duration::ZERO };
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        (Arc::new(Gate::new(limits)), runtime)
    }

    /// A connection that would stay for ever.
    fn connect(gate: &Gate, runtime: &Runtime) -> (Arc<Line>, JoinHandle<()>) {
        let task = runtime.spawn(std::future::pending());
        let line = Arc::new(Line::default());
        gate.admit(line.clone(), task.abort_handle());
        (line, task)
    }

    #[test]
    fn too_many_messages_at_once_are_refused() {
        let (gate, runtime) = gate(2, 4);
        let (line, _) = connect(&gate, &runtime);
        let first = gate.begin(&line);
        let second = gate.begin(&line);
        assert!(first.is_some() && second.is_some() && gate.begin(&line).is_none());
        drop(first);
        assert!(gate.begin(&line).is_some());
    }

    #[test]
    fn messages_are_bounded_together() {
        let (gate, _) = gate(2, 4);
        let (mut first, mut second) = (gate.load(), gate.load());
        assert!(first.add(SMALL + 60) && second.add(30) && second.add(SMALL));
        assert_eq!(gate.held(), 2 * SMALL + 90);
        assert!(!second.add(20) && second.add(10) && !first.add(1));
        assert!(gate.load().add(SMALL), "there is always room for small ones");
        drop(first);
        assert!(second.add(60) && !second.add(1));
        drop(second);
        assert!(gate.held() == 0 && gate.load().add(SMALL + 100));
    }

    #[test]
    fn who_says_nothing_makes_room_for_others() {
        let (gate, runtime) = gate(2, 3);
        let (at_work, first) = connect(&gate, &runtime);
        let work = gate.begin(&at_work);
        let (has_spoken, second) = connect(&gate, &runtime);
        drop(gate.begin(&has_spoken));
        let (_, third) = connect(&gate, &runtime);
        // Whether the first to the fourth are still there.
        let (_, fourth) = connect(&gate, &runtime);
        let there = |runtime: &Runtime| {
            runtime.block_on(tokio::task::yield_now());
            [&first, &second, &third, &fourth].map(|task| !task.is_finished())
        };
        assert_eq!(there(&runtime), [true, true, false, true]);
        connect(&gate, &runtime);
        assert_eq!(there(&runtime), [true, true, false, false]);
        drop(work);
        let (quick, _) = connect(&gate, &runtime);
        drop(gate.begin(&quick));
        connect(&gate, &runtime);
        assert_eq!(there(&runtime), [false, true, false, false]);
    }
}
