//! A request -> a response: checks, the files of the page, the API.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use futures_util::StreamExt;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use warp::Filter;
use warp::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use warp::reply::{Reply, Response as WarpResponse};

use super::api::{WebAnswer, WebState};
use super::error::ApiError;
use super::feed::Viewer;
use super::guard::Guard;
use super::page::{self, POLICY};
use crate::protocol::{Connection, ConnectionLimiter, MessageSlot, collect};

/// Shared by all requests.
pub(super) struct WebServerState {
    pub(super) web: Arc<WebState>,
    pub(super) guard: Guard,
    pub(super) limiter: Arc<ConnectionLimiter>,
}

/// The time within which the body of a request must arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// How often a stream says that it is still there.
const ALIVE: Duration = Duration::from_secs(10);

/// All requests of a connection whose [`Connection`] is among their extensions.
pub(super) fn routes(
    state: Arc<WebServerState>,
) -> impl Filter<Extract = (WarpResponse,), Error = warp::Rejection> + Clone {
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<Arc<Connection>>())
        .and(warp::body::stream())
        .and_then(
            move |method,
                  path: warp::path::FullPath,
                  query: String,
                  headers: HeaderMap,
                  line,
                  body| {
                let state = state.clone();
                async move {
                    let answer = state.respond(method, path.as_str(), &query, &headers, line, body);
                    let mut response = answer.await.unwrap_or_else(refusal);
                    secure(response.headers_mut());
                    Ok::<_, Infallible>(response)
                }
            },
        )
}

impl WebServerState {
    async fn respond(
        &self,
        method: Method,
        path: &str,
        query: &str,
        headers: &HeaderMap,
        line: Arc<Connection>,
        body: impl Stream<Item = Result<impl warp::Buf, warp::Error>>,
    ) -> Result<WarpResponse, ApiError> {
        let admission = self.guard.check(headers, query)?;
        if let Some(file) = page::file(path) {
            if method != Method::GET {
                return Err(ApiError::bad("the page is read with GET"));
            }
            let mut response = Response::new(file.text).into_response();
            set(&mut response, header::CONTENT_TYPE, file.content_type);
            if let Some(Ok(cookie)) = admission.cookie.map(HeaderValue::try_from) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            return Ok(response);
        }
        if method == Method::POST && !is_json(headers) {
            let message = "the body of a request is JSON: Content-Type: application/json";
            return Err(ApiError {
                status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
                message: message.into(),
            });
        }
        let Some(work) = self.limiter.begin(&line) else {
            return Err(ApiError::busy("too many requests at once; try again later"));
        };
        let mut load = self.limiter.message();
        let text = match timeout(BODY_TIME, collect(body, &mut load)).await {
            Ok(text) => text.map_err(|(status, message)| ApiError { status, message })?,
            Err(_) => return Err(ApiError::bad("the request did not arrive in time")),
        };
        let (web, path) = (self.web.clone(), path.to_string());
        let answer = spawn_blocking(move || {
            let answer = web.answer(method.as_str(), &path, &text);
            drop(load);
            answer
        });
        match answer.await.map_err(ApiError::bad)?? {
            WebAnswer::Json(value) => {
                let mut response = Response::new(value.to_string()).into_response();
                set(&mut response, header::CONTENT_TYPE, "application/json");
                Ok(response)
            }
            WebAnswer::File(content_type, bytes) => {
                let mut response = Response::new(bytes).into_response();
                set(&mut response, header::CONTENT_TYPE, content_type);
                Ok(response)
            }
            WebAnswer::Events(viewer) => Ok(events(*viewer, work)),
            WebAnswer::Follow(path) => Ok(events(self.web.follow(path).watch(), work)),
        }
    }
}

/// A stream of events. It counts as work until its viewer has gone, so that its connection is not
/// closed for being idle.
fn events(viewer: Viewer, work: MessageSlot) -> WarpResponse {
    let work = Arc::new(work);
    let events = viewer.events().map(move |event| {
        let _held = &work;
        event
    });
    warp::sse::reply(warp::sse::keep_alive().interval(ALIVE).stream(events)).into_response()
}

fn is_json(headers: &HeaderMap) -> bool {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    given.is_some_and(|given| given.trim().to_ascii_lowercase().starts_with("application/json"))
}

fn refusal(error: ApiError) -> WarpResponse {
    let text = json!({ "error": error.message }).to_string();
    let mut response = Response::new(text).into_response();
    *response.status_mut() = error.status;
    set(&mut response, header::CONTENT_TYPE, "application/json");
    response
}

fn set(response: &mut WarpResponse, name: header::HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}

/// No response is kept, framed, guessed at, or read by other origins.
fn secure(headers: &mut HeaderMap) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
