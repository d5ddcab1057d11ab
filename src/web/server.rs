//! The page served over HTTP: an address, connections, and the end.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::select;
use propnet::gdl::Source;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use super::api::WebState;
use super::guard::Guard;
use super::http::{WebServerState, routes};
use crate::protocol::{
    Access, ConnectionLimiter, ConnectionLimits, ServerError, accept, bind_to, end_of_process,
};

/// Where the page is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebOptions {
    /// The name or address to listen on.
    pub host: String,
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Host names that are allowed besides addresses and those of this machine.
    pub hosts: Vec<String>,
}

impl Default for WebOptions {
    /// This machine alone.
    fn default() -> Self {
        WebOptions { host: "127.0.0.1".to_string(), port: 9180, hosts: Vec::new() }
    }
}

/// The page with an address.
pub struct WebServer {
    runtime: Runtime,
    listener: TcpListener,
    state: Arc<WebServerState>,
    /// What the address of the page ends with.
    suffix: String,
}

/// How often the server looks for searches and matches that nobody watches.
const TIDY_EVERY: Duration = Duration::from_secs(1);

/// Threads for connections; they wait most of the time.
const THREADS: usize = 2;

/// Threads that answer requests.
const WORKERS: usize = 16;

/// Requests and viewers at once.
const REQUESTS: usize = 256;

/// The time for threads to end when the server does.
const END_TIME: Duration = Duration::from_millis(300);

impl WebServer {
    /// Takes an address. Where others than this machine can reach it, its pages need a token, and no
    /// files are opened by their path.
    pub fn bind(options: &WebOptions) -> Result<Self, ServerError> {
        let WebOptions { host, port, hosts } = options;
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .max_blocking_threads(WORKERS)
            .enable_all()
            .build()?;
        let listener = bind_to(&runtime, host, *port)
            .map_err(|error| ServerError::Bind { address: format!("{host}:{port}"), error })?;
        let address = listener.local_addr()?;
        let is_local = is_loopback(address.ip());
        let access = Access { hosts: hosts.clone(), ..Access::default() };
        let limits = ConnectionLimits {
            messages: REQUESTS,
            bytes: 64 << 20,
            connections: 2 * REQUESTS,
            silence: Duration::from_secs(120),
        };
        let state = WebServerState {
            web: Arc::new(WebState { opens_files: is_local, ..WebState::default() }),
            guard: Guard::new(access, host, !is_local),
            limiter: Arc::new(ConnectionLimiter::new(limits)),
        };
        Ok(WebServer { runtime, listener, state: Arc::new(state), suffix: String::new() })
    }

    /// Opens a sheet, which the page then begins with.
    pub fn open(&mut self, source: Source) {
        let sheet = self.state.web.sheets.open(source);
        self.suffix = format!("#/games?sheet={}", sheet.id);
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The address of the page, with the token if it needs one.
    pub fn url(&self) -> io::Result<String> {
        let token = self.state.guard.token();
        let token = token.map(|token| format!("?token={token}")).unwrap_or_default();
        Ok(format!("http://{}/{token}{}", self.address()?, self.suffix))
    }

    /// Serves until the process is told to end; then ends all searches and matches.
    pub fn run(self) -> Result<(), ServerError> {
        let WebServer { runtime, listener, state, .. } = self;
        let web = state.web.clone();
        let result = runtime.block_on(async {
            let ending = end_of_process()?;
            let serving = accept(listener, state.limiter.clone(), routes(state.clone()));
            let tidying = async {
                loop {
                    sleep(TIDY_EVERY).await;
                    web.tidy();
                }
            };
            select(select(pin!(serving), pin!(tidying)), pin!(ending)).await;
            web.end_all();
            sleep(END_TIME).await;
            Ok(())
        });
        // Connections may hang for ever.
        runtime.shutdown_background();
        result
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}
