//! The session behind HTTP: each message is the body of a POST, each reply the body of its answer.
//!
//! Whatever takes long runs in threads of its own, never on those that serve connections.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::select;
use futures_util::{Stream, StreamExt};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use warp::Filter;
use warp::http::{HeaderValue, Response, StatusCode, header};

use super::gate::{Gate, Limits, Line, Load};
use super::play::STOP_TIME;
use super::reply::Reply;
use super::session::Session;
use crate::agent::Log;

/// The longest message that is read, in bytes.
pub const MAX_BODY: usize = 16 << 20;

/// The time in which a message has to come in.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Forgotten matches are looked for so often.
const TIDY_EVERY: Duration = Duration::from_secs(5);

/// The time for matches to end when the server does: as long as one may take, and a second for its
/// record.
const END_TIME: Duration = STOP_TIME.saturating_mul(2).saturating_add(Duration::from_secs(1));

/// The time for the last replies to leave.
const LEAVE_TIME: Duration = Duration::from_millis(250);

/// The time until connections are accepted again where the system has no room for one more.
const PAUSE: Duration = Duration::from_millis(50);

/// Threads for connections; they wait most of the time.
const THREADS: usize = 2;

/// Threads beside those for messages: to tidy up, and to end all matches.
const SPARE_THREADS: usize = 8;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The address is taken, not ours, or none.
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

/// A session with an address.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    session: Arc<Session>,
    limits: Limits,
    log: Log,
}

impl Server {
    /// Takes an address. Port 0 is any that is free.
    pub fn bind(host: &str, port: u16, session: Session, log: Log) -> Result<Self, ServerError> {
        let limits = Limits::for_matches(session.most_matches());
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            // Whoever is let in has a thread: nobody waits for the clocks of others.
            .max_blocking_threads(limits.messages + SPARE_THREADS)
            .enable_all()
            .build()?;
        let failed = |error| ServerError::Bind { address: format!("{host}:{port}"), error };
        let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(failed)?.collect();
        let listener = runtime.block_on(TcpListener::bind(addresses.as_slice()));
        let listener = listener.map_err(failed)?;
        Ok(Server { runtime, listener, session: Arc::new(session), limits, log })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the process is told to end; then ends all matches and writes their records.
    pub fn run(self) -> Result<(), ServerError> {
        let Server { runtime, listener, session, limits, log } = self;
        let result = runtime.block_on(async {
            let ending = end_of_process()?;
            let gate = Arc::new(Gate::new(limits));
            let serving = serve(listener, session.clone(), gate, log.clone());
            let tidying = tidy(session.clone());
            select(select(pin!(serving), pin!(tidying)), pin!(ending)).await;
            log.line("shutting down");
            let end = spawn_blocking(move || session.end_all(Instant::now()));
            if timeout(END_TIME, end).await.is_err() {
                log.line("a match does not end; its record may lack the last move");
            }
            sleep(LEAVE_TIME).await;
            Ok(())
        });
        // Connections may hang for ever, and so may those who wait for an answer.
        runtime.shutdown_background();
        result
    }
}

/// Done when the process is asked to end.
fn end_of_process() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        select(pin!(interrupt.recv()), pin!(terminate.recv())).await;
    })
}

async fn tidy(session: Arc<Session>) {
    loop {
        sleep(TIDY_EVERY).await;
        let session = session.clone();
        // It says in the log what it does.
        let _ = spawn_blocking(move || session.tidy(Instant::now())).await;
    }
}

async fn serve(listener: TcpListener, session: Arc<Session>, gate: Arc<Gate>, log: Log) {
    let theirs = gate.clone();
    let messages =
        warp::post().and(warp::ext::get::<Arc<Line>>()).and(warp::body::stream()).and_then(
            move |line, body| receive(body, line, theirs.clone(), session.clone(), log.clone()),
        );
    let wished = warp::header::optional("access-control-request-headers");
    let preflights = warp::options().and(wished).map(permit);
    let others = warp::any().map(|| {
        let text = "a game manager sends its messages by POST, such as (info)";
        respond(StatusCode::METHOD_NOT_ALLOWED, text)
    });
    let all = messages.or(preflights).or(others);
    let service = TowerToHyperService::new(warp::service(all));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let line = Arc::new(Line::default());
        let (service, own) = (service.clone(), line.clone());
        let service = service_fn(move |mut request| {
            request.extensions_mut().insert(own.clone());
            service.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(gate.limits.silence)
            .serve_connection(TokioIo::new(stream), service);
        // Nobody is there to be told of a connection that broke down.
        let task = tokio::spawn(async { drop(connection.await) });
        gate.admit(line, task.abort_handle());
    }
}

/// Reads a message and answers it.
async fn receive(
    body: impl Stream<Item = Result<impl warp::Buf, warp::Error>>,
    line: Arc<Line>,
    gate: Arc<Gate>,
    session: Arc<Session>,
    log: Log,
) -> Result<Response<String>, Infallible> {
    let arrived = Instant::now();
    let mut load = gate.load();
    let text = match timeout(BODY_TIME, collect(body, &mut load)).await {
        Ok(Ok(text)) => text,
        Ok(Err((status, why))) => return Ok(refuse(status, &why, &log)),
        Err(_) => {
            let why = "the message did not come in time";
            return Ok(refuse(StatusCode::REQUEST_TIMEOUT, why, &log));
        }
    };
    let Some(work) = gate.begin(&line) else {
        log.line("refused: too many messages at once");
        return Ok(respond(StatusCode::SERVICE_UNAVAILABLE, &Reply::Busy.to_string()));
    };
    let answer = spawn_blocking(move || {
        let reply = session.answer(&text, arrived);
        drop((text, load));
        // It is at work as long as this takes, also when whoever asked has hung up; and otherwise
        // until the reply is on its way, so that the connection is not closed before.
        (reply, work)
    });
    Ok(match answer.await {
        Ok((reply, _work)) => {
            let is_refused = matches!(reply, Reply::Refused(_));
            let status = if is_refused { StatusCode::BAD_REQUEST } else { StatusCode::OK };
            respond(status, &reply.to_string())
        }
        Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string(), &log),
    })
}

/// The text of a body, however it is sent, up to the limit.
async fn collect(
    body: impl Stream<Item = Result<impl warp::Buf, warp::Error>>,
    load: &mut Load,
) -> Result<String, (StatusCode, String)> {
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    while let Some(part) = body.next().await {
        let mut part =
            part.map_err(|error| (StatusCode::BAD_REQUEST, format!("no message: {error}")))?;
        while part.has_remaining() {
            let chunk = part.chunk();
            if bytes.len() + chunk.len() > MAX_BODY {
                let why = format!("the message has more than {} MB", MAX_BODY >> 20);
                return Err((StatusCode::PAYLOAD_TOO_LARGE, why));
            }
            if !load.add(chunk.len()) {
                let why = "too much is sent at once; try again later".to_string();
                return Err((StatusCode::SERVICE_UNAVAILABLE, why));
            }
            bytes.extend_from_slice(chunk);
            let read = chunk.len();
            part.advance(read);
        }
    }
    // What is no UTF-8 is a complaint about the place where it stands.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Tells a browser that a page may send its messages, with whatever headers it wishes.
fn permit(wished: Option<HeaderValue>) -> Response<String> {
    let mut response = respond(StatusCode::OK, "");
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, POST, OPTIONS");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(wished) = wished {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wished);
    }
    response
}

fn refuse(status: StatusCode, why: &str, log: &Log) -> Response<String> {
    log.line(&format!("refused: {why}"));
    respond(status, &Reply::Refused(why.to_string()).to_string())
}

fn respond(status: StatusCode, text: &str) -> Response<String> {
    let mut response = Response::new(text.to_string());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/acl"));
    // Managers in web pages come from anywhere, and want to read what was wrong, too.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
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
        let limits = Limits { silence: Duration::from_millis(50), ..Limits::for_matches(1) };
        let session = Arc::new(Session::new(SessionOptions::default()));
        runtime.spawn(serve(listener, session, Arc::new(Gate::new(limits)), Log::default()));
        let mut stream = TcpStream::connect(address).expect("it listens");
        // A line that stays open fails the test instead of holding it up.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        let mut said = Vec::new();
        stream.read_to_end(&mut said).expect("the line is closed");
        runtime.shutdown_background();
    }
}
