//! A request -> a response: each message is the body of a POST, each reply the body of its answer.
//! GET gives the health of the server and its metrics.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{Stream, StreamExt};
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::Level;
use warp::Filter;
use warp::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};

use super::access::{Access, Permission};
use super::connections::{Connection, ConnectionLimiter, MessageBytes};
use super::message::read_message;
use super::metrics::{CONTENT_TYPE, Now};
use super::reply::Reply;
use super::session::Session;
use crate::agent::Log;

/// The longest message that is read, in bytes.
pub const MAX_BODY: usize = 16 << 20;

/// The sender of a refused message gets its reply after at most this many bytes: clients that get
/// it before they have sent everything often take it for a broken connection.
const MAX_DISCARDED: usize = 2 * MAX_BODY;

/// The time within which a message must arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Shared by all requests.
pub(super) struct ServerState {
    pub(super) session: Arc<Session>,
    pub(super) limiter: Arc<ConnectionLimiter>,
    pub(super) access: Access,
    pub(super) log: Log,
}

/// All requests of a connection whose [`Connection`] is among their extensions.
pub(super) fn routes(
    state: Arc<ServerState>,
) -> impl Filter<Extract = (Response<String>,), Error = warp::Rejection> + Clone {
    warp::method()
        .and(warp::path::full())
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<Arc<Connection>>())
        .and(warp::body::stream())
        .and_then(
            move |method, path: warp::path::FullPath, headers: HeaderMap, connection, body| {
                let state = state.clone();
                async move {
                    let permission = match state.access.check(&headers) {
                        Ok(permission) => permission,
                        Err(why) => return Ok::<_, Infallible>(state.forbid(&why)),
                    };
                    let mut response = match method {
                        Method::POST => state.receive(body, connection).await,
                        Method::OPTIONS => {
                            permit(headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS))
                        }
                        Method::GET => state.show(path.as_str()),
                        _ => not_allowed(),
                    };
                    tell_origin(&mut response, permission);
                    Ok(response)
                }
            },
        )
}

impl ServerState {
    /// Reads a message and answers it.
    async fn receive(
        &self,
        body: impl Stream<Item = Result<impl warp::Buf, warp::Error>>,
        connection: Arc<Connection>,
    ) -> Response<String> {
        let arrived = Instant::now();
        let mut load = self.limiter.message();
        let text = match timeout(BODY_TIME, collect(body, &mut load)).await {
            Ok(Ok(text)) => text,
            Ok(Err((status, why))) => return self.refuse(status, &why),
            Err(_) => {
                let why = "the message did not arrive in time";
                return self.refuse(StatusCode::REQUEST_TIMEOUT, why);
            }
        };
        let Some(work) = self.limiter.begin(&connection) else {
            self.log.write(Level::WARN, "refused: too many messages at once");
            self.session.metrics().busy.inc();
            return respond(StatusCode::SERVICE_UNAVAILABLE, &Reply::Busy.to_string());
        };
        let session = self.session.clone();
        let answer = spawn_blocking(move || {
            let message = read_message(&text);
            // The parts that are needed were copied. It still counts until it is answered.
            drop(text);
            let kind = message.as_ref().map_or("invalid", |message| message.kind());
            let reply = session.reply(message, arrived);
            drop(load);
            // It is at work as long as this takes, even if the client has hung up; and otherwise
            // until the reply is on its way, so that the connection is not closed before.
            (kind, reply, work)
        });
        match answer.await {
            Ok((kind, reply, _work)) => {
                let seconds = arrived.elapsed().as_secs_f64();
                self.log.write(Level::DEBUG, &format!("{kind}: answered after {seconds:.3} s"));
                let is_refused = matches!(reply, Reply::Refused(_));
                let status = if is_refused { StatusCode::BAD_REQUEST } else { StatusCode::OK };
                respond(status, &reply.to_string())
            }
            Err(error) => self.refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        }
    }

    /// Answers a GET request.
    fn show(&self, path: &str) -> Response<String> {
        let (content_type, text) = match path {
            "/health" => ("application/json", self.health()),
            "/metrics" => (CONTENT_TYPE, self.metrics()),
            _ => return not_allowed(),
        };
        let mut response = respond(StatusCode::OK, &text);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    fn health(&self) -> String {
        json!({
            "status": "ok",
            "version": env!("CARGO_PKG_VERSION"),
            "uptime_seconds": self.session.metrics().uptime().as_secs(),
            "matches": {
                "running": self.session.running(),
                "most": self.session.most_matches(),
            },
        })
        .to_string()
    }

    fn metrics(&self) -> String {
        self.session.metrics().text(Now {
            matches: self.session.running(),
            bytes: self.limiter.held(),
            connections: self.limiter.connections(),
        })
    }

    fn forbid(&self, why: &str) -> Response<String> {
        self.session.metrics().forbidden.inc();
        self.refuse(StatusCode::FORBIDDEN, why)
    }

    fn refuse(&self, status: StatusCode, why: &str) -> Response<String> {
        self.log.write(Level::WARN, &format!("refused: {why}"));
        respond(status, &Reply::Refused(why.to_string()).to_string())
    }
}

/// The text of a body, however it is sent, up to the limit.
pub(crate) async fn collect(
    body: impl Stream<Item = Result<impl warp::Buf, warp::Error>>,
    load: &mut MessageBytes,
) -> Result<String, (StatusCode, String)> {
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    let mut refusal = None;
    let mut read = 0;
    while let Some(part) = body.next().await {
        let mut part =
            part.map_err(|error| (StatusCode::BAD_REQUEST, format!("no message: {error}")))?;
        while part.has_remaining() {
            let chunk = part.chunk();
            let length = chunk.len();
            read += length;
            if read > MAX_BODY {
                let why = format!("the message has more than {} MB", MAX_BODY >> 20);
                refusal = Some((StatusCode::PAYLOAD_TOO_LARGE, why));
            } else if refusal.is_none() && !load.add(length) {
                let why = "too much is sent at once; try again later".to_string();
                refusal = Some((StatusCode::SERVICE_UNAVAILABLE, why));
            }
            match &refusal {
                None => bytes.extend_from_slice(chunk),
                Some(_) => {
                    bytes = Vec::new();
                    load.clear();
                }
            }
            part.advance(length);
        }
        if read > MAX_DISCARDED {
            break;
        }
    }
    // Invalid UTF-8 is reported with its place.
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let text = |bytes| String::from_utf8(bytes).unwrap_or_else(|error| lossy(error.as_bytes()));
    refusal.map_or_else(|| Ok(text(bytes)), Err)
}

/// Tells a browser that a page may send its messages, with whatever headers it wishes.
fn permit(wished: Option<&HeaderValue>) -> Response<String> {
    let mut response = respond(StatusCode::OK, "");
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, POST, OPTIONS");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(wished) = wished {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wished.clone());
    }
    response
}

/// Tells a browser that the page that asked may read the reply, errors included.
fn tell_origin(response: &mut Response<String>, permission: Permission) {
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = permission.origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}

fn not_allowed() -> Response<String> {
    let text = "a game manager sends its messages by POST, such as (info); GET has /health and \
                /metrics";
    respond(StatusCode::METHOD_NOT_ALLOWED, text)
}

fn respond(status: StatusCode, text: &str) -> Response<String> {
    let mut response = Response::new(text.to_string());
    *response.status_mut() = status;
    let content_type = HeaderValue::from_static("text/acl");
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    response
}
