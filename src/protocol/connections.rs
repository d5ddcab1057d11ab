//! Limits on simultaneous connections and messages. A silent client never keeps others out.
//!
//! A message that arrives while too many others are being answered is refused at once. A connection
//! is never refused: if there are too many, an idle one is closed, first of all one that has never
//! sent a message. Even many silent clients cost little, and a game manager gets through.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;

use super::session::messages_at_once;

/// The limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// Messages being answered.
    pub(crate) messages: usize,
    /// Bytes of all messages that arrive or are being answered, as text, beyond the first [`SMALL`]
    /// of each.
    pub(crate) bytes: usize,
    /// Connections; more than messages, so that there is always one that can be closed.
    pub(crate) connections: usize,
    /// The time within which a request must begin and its head must arrive.
    pub(crate) silence: Duration,
}

/// A message of up to this many bytes always has room, so that a few large ones that never end do
/// not keep others out.
const SMALL: usize = 64 << 10;

impl ConnectionLimits {
    /// Limits for a number of matches: far more than polite managers need.
    pub(super) fn for_matches(matches: usize) -> Self {
        let messages = messages_at_once(matches);
        let (connections, silence) = (2 * messages, Duration::from_secs(120));
        ConnectionLimits { messages, bytes: 64 << 20, connections, silence }
    }
}

/// Counts connections and messages.
pub(crate) struct ConnectionLimiter {
    pub(super) limits: ConnectionLimits,
    /// The oldest first, each with a handle that closes it.
    connections: Mutex<VecDeque<(Arc<Connection>, AbortHandle)>>,
    messages: AtomicUsize,
    /// The bytes that count towards the limit.
    bytes: AtomicUsize,
    /// All bytes held.
    held: AtomicUsize,
}

/// The state of a connection.
#[derive(Debug, Default)]
pub(crate) struct Connection {
    /// Whether one of its messages was ever answered.
    has_sent: AtomicBool,
    is_at_work: AtomicBool,
}

/// The bytes of one message, counted until this is dropped.
pub(crate) struct MessageBytes {
    limiter: Arc<ConnectionLimiter>,
    bytes: usize,
}

/// A message being answered, counted until this is dropped.
pub(crate) struct MessageSlot {
    limiter: Arc<ConnectionLimiter>,
    connection: Arc<Connection>,
}

impl ConnectionLimiter {
    pub(crate) fn new(limits: ConnectionLimits) -> Self {
        let (messages, bytes) = (AtomicUsize::default(), AtomicUsize::default());
        let held = AtomicUsize::default();
        ConnectionLimiter { limits, connections: Mutex::default(), messages, bytes, held }
    }

    /// The bytes of all messages that arrive or are being answered.
    pub(super) fn held(&self) -> usize {
        self.held.load(SeqCst)
    }

    /// The number of open connections.
    pub(super) fn connections(&self) -> usize {
        let connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.iter().filter(|(_, task)| !task.is_finished()).count()
    }

    /// Counts the bytes of a new message.
    pub(crate) fn message(self: &Arc<Self>) -> MessageBytes {
        MessageBytes { limiter: self.clone(), bytes: 0 }
    }

    /// Adds a connection, and closes another one if there are too many.
    pub(super) fn admit(&self, connection: Arc<Connection>, task: AbortHandle) {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        connections.retain(|(_, task)| !task.is_finished());
        if connections.len() >= self.limits.connections
            && let Some(at) = least_needed(&connections)
            && let Some((_, task)) = connections.remove(at)
        {
            task.abort();
        }
        connections.push_back((connection, task));
    }

    /// Begins to answer a message of a connection, unless too many are being answered.
    pub(crate) fn begin(self: &Arc<Self>, connection: &Arc<Connection>) -> Option<MessageSlot> {
        let more = |count: usize| (count < self.limits.messages).then_some(count + 1);
        self.messages.fetch_update(SeqCst, SeqCst, more).ok()?;
        connection.has_sent.store(true, SeqCst);
        connection.is_at_work.store(true, SeqCst);
        Some(MessageSlot { limiter: self.clone(), connection: connection.clone() })
    }
}

impl MessageBytes {
    /// Counts more bytes of a message. Whether there is room for them.
    pub(super) fn add(&mut self, bytes: usize) -> bool {
        let most = self.limiter.limits.bytes;
        let counted = large_part(self.bytes + bytes) - large_part(self.bytes);
        let more = |held: usize| Some(held + counted).filter(|&held| held <= most);
        let is_in = self.limiter.bytes.fetch_update(SeqCst, SeqCst, more).is_ok();
        let bytes = if is_in { bytes } else { 0 };
        self.limiter.held.fetch_add(bytes, SeqCst);
        self.bytes += bytes;
        is_in
    }

    /// Frees all bytes of the message.
    pub(super) fn clear(&mut self) {
        self.limiter.bytes.fetch_sub(large_part(self.bytes), SeqCst);
        self.limiter.held.fetch_sub(self.bytes, SeqCst);
        self.bytes = 0;
    }
}

impl Drop for MessageBytes {
    fn drop(&mut self) {
        self.clear();
    }
}

fn large_part(bytes: usize) -> usize {
    bytes.saturating_sub(SMALL)
}

impl Drop for MessageSlot {
    fn drop(&mut self) {
        self.connection.is_at_work.store(false, SeqCst);
        self.limiter.messages.fetch_sub(1, SeqCst);
    }
}

/// The oldest connection that has never sent a message, or else the oldest idle one.
fn least_needed(connections: &VecDeque<(Arc<Connection>, AbortHandle)>) -> Option<usize> {
    let is_idle = |connection: &Connection| !connection.is_at_work.load(SeqCst);
    let is_new = |connection: &Connection| is_idle(connection) && !connection.has_sent.load(SeqCst);
    let new = connections.iter().position(|(connection, _)| is_new(connection));
    new.or_else(|| connections.iter().position(|(connection, _)| is_idle(connection)))
}

#[cfg(test)]
mod tests {
    use tokio::runtime::{Builder, Runtime};
    use tokio::task::JoinHandle;

    use super::*;

    fn limiter(messages: usize, connections: usize) -> (Arc<ConnectionLimiter>, Runtime) {
        let limits =
            ConnectionLimits { messages, bytes: 100, connections, silence: Duration::ZERO };
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        (Arc::new(ConnectionLimiter::new(limits)), runtime)
    }

    /// A connection that never ends.
    fn connect(
        limiter: &ConnectionLimiter,
        runtime: &Runtime,
    ) -> (Arc<Connection>, JoinHandle<()>) {
        let task = runtime.spawn(std::future::pending());
        let connection = Arc::new(Connection::default());
        limiter.admit(connection.clone(), task.abort_handle());
        (connection, task)
    }

    #[test]
    fn too_many_messages_at_once_are_refused() {
        let (limiter, runtime) = limiter(2, 4);
        let (connection, _) = connect(&limiter, &runtime);
        let first = limiter.begin(&connection);
        let second = limiter.begin(&connection);
        assert!(first.is_some() && second.is_some() && limiter.begin(&connection).is_none());
        drop(first);
        assert!(limiter.begin(&connection).is_some());
    }

    #[test]
    fn messages_are_bounded_together() {
        let (limiter, _) = limiter(2, 4);
        let (mut first, mut second) = (limiter.message(), limiter.message());
        assert!(first.add(SMALL + 60) && second.add(30) && second.add(SMALL));
        assert_eq!(limiter.held(), 2 * SMALL + 90);
        assert!(!second.add(20) && second.add(10) && !first.add(1));
        assert!(limiter.message().add(SMALL), "there is always room for small ones");
        drop(first);
        assert!(second.add(60) && !second.add(1));
        drop(second);
        assert!(limiter.held() == 0 && limiter.message().add(SMALL + 100));
    }

    #[test]
    fn who_says_nothing_makes_room_for_others() {
        let (limiter, runtime) = limiter(2, 3);
        let (at_work, first) = connect(&limiter, &runtime);
        let work = limiter.begin(&at_work);
        let (has_sent, second) = connect(&limiter, &runtime);
        drop(limiter.begin(&has_sent));
        let (_, third) = connect(&limiter, &runtime);
        // Whether the first to the fourth are still there.
        let (_, fourth) = connect(&limiter, &runtime);
        let there = |runtime: &Runtime| {
            runtime.block_on(tokio::task::yield_now());
            [&first, &second, &third, &fourth].map(|task| !task.is_finished())
        };
        assert_eq!(there(&runtime), [true, true, false, true]);
        connect(&limiter, &runtime);
        assert_eq!(there(&runtime), [true, true, false, false]);
        drop(work);
        let (quick, _) = connect(&limiter, &runtime);
        drop(limiter.begin(&quick));
        connect(&limiter, &runtime);
        assert_eq!(there(&runtime), [false, true, false, false]);
    }
}
