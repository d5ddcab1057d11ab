//! The session served over HTTP: connections, signals and the end.
//!
//! Whatever takes long runs in threads of its own, never on those that serve connections.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::select;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use tracing::Level;

use super::access::Access;
use super::connections::{ConnectionLimiter, ConnectionLimits};
use super::http::{ServerState, routes};
use super::listen::{accept, bind_to, end_of_process};
use super::match_state::STOP_TIME;
use super::session::Session;
use crate::agent::Log;

/// How often forgotten matches are looked for.
const TIDY_EVERY: Duration = Duration::from_secs(1);

/// The time for matches to end when the server does: as long as one may take, and a second for its
/// record.
const END_TIME: Duration = STOP_TIME.saturating_mul(2).saturating_add(Duration::from_secs(1));

/// The time for the last replies to leave.
const LEAVE_TIME: Duration = Duration::from_millis(250);

/// Threads for connections; they wait most of the time.
const THREADS: usize = 2;

/// Threads besides those for messages: to tidy up, and to end all matches.
const SPARE_THREADS: usize = 8;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The address is taken, not ours, or invalid.
    #[error("cannot listen on {address}: {error}")]
    Bind {
        /// The address.
        address: String,
        /// What the system says.
        error: io::Error,
    },
    /// The system refuses threads or signals.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

/// Where a server listens, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerOptions {
    /// The name or address to listen on.
    pub host: String,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Which requests are allowed.
    pub access: Access,
}

impl Default for ServerOptions {
    /// This machine alone, on the port that managers expect.
    fn default() -> Self {
        let (host, port) = ("127.0.0.1".to_string(), 9147);
        ServerOptions { host, port, access: Access::default() }
    }
}

/// A session with an address.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    state: ServerState,
}

impl Server {
    /// Takes an address.
    pub fn bind(options: ServerOptions, session: Session, log: Log) -> Result<Self, ServerError> {
        let ServerOptions { host, port, access } = options;
        let limits = ConnectionLimits::for_matches(session.most_matches());
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            // Every accepted message has a thread, so none waits for the clocks of others.
            .max_blocking_threads(limits.messages + SPARE_THREADS)
            .enable_all()
            .build()?;
        let failed = |error| ServerError::Bind { address: format!("{host}:{port}"), error };
        let listener = bind_to(&runtime, &host, port).map_err(failed)?;
        let (session, limiter) = (Arc::new(session), Arc::new(ConnectionLimiter::new(limits)));
        let access = access.with_own_names(&host);
        Ok(Server { runtime, listener, state: ServerState { session, limiter, access, log } })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the process is told to end; then ends all matches and writes their records.
    pub fn run(self) -> Result<(), ServerError> {
        let Server { runtime, listener, state } = self;
        let (session, log) = (state.session.clone(), state.log.clone());
        let result = runtime.block_on(async {
            let ending = end_of_process()?;
            let serving = serve(listener, Arc::new(state));
            let tidying = tidy(session.clone());
            select(select(pin!(serving), pin!(tidying)), pin!(ending)).await;
            log.line("shutting down");
            let end = spawn_blocking(move || session.end_all(Instant::now()));
            if timeout(END_TIME, end).await.is_err() {
                let line = "a match does not end; its record may lack the last move";
                log.write(Level::WARN, line);
            }
            sleep(LEAVE_TIME).await;
            Ok(())
        });
        // Connections may hang for ever, and so may clients that wait for an answer.
        runtime.shutdown_background();
        result
    }
}

async fn tidy(session: Arc<Session>) {
    loop {
        sleep(TIDY_EVERY).await;
        let session = session.clone();
        // It says in the log what it does.
        let _ = spawn_blocking(move || session.tidy(Instant::now())).await;
    }
}

async fn serve(listener: TcpListener, state: Arc<ServerState>) {
    accept(listener, state.limiter.clone(), routes(state)).await;
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpStream;

    use super::*;
    use crate::protocol::SessionOptions;

    #[test]
    fn who_says_nothing_for_long_is_hung_up_on() {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        let limits = ConnectionLimits {
            silence: Duration::from_millis(50),
            ..ConnectionLimits::for_matches(1)
        };
        let session = Arc::new(Session::new(SessionOptions::default()));
        let (access, log) = (Access::default(), Log::default());
        let state =
            ServerState { session, limiter: Arc::new(ConnectionLimiter::new(limits)), access, log };
        runtime.spawn(serve(listener, Arc::new(state)));
        let mut stream = TcpStream::connect(address).expect("it listens");
        // A line that stays open fails the test instead of holding it up.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        let mut said = Vec::new();
        stream.read_to_end(&mut said).expect("the line is closed");
        runtime.shutdown_background();
    }
}
