//! What can be asked, and by which path.

use std::sync::Arc;

use propnet::gdl::Source;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::analyses::Analyses;
use super::circuit::CircuitAnswer;
use super::error::ApiError;
use super::feed::Feed;
use super::files;
use super::matches::Matches;
use super::replays::{self, RecordRequest};
use super::sheets::Sheets;
use crate::library;
use crate::search::PRESETS;

/// One thing that can be asked.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ApiEntry {
    /// GET, POST or DELETE.
    pub method: &'static str,
    /// Its path; `ID` stands for an identifier.
    pub path: &'static str,
    /// What it takes and gives.
    pub help: &'static str,
}

const fn entry(method: &'static str, path: &'static str, help: &'static str) -> ApiEntry {
    ApiEntry { method, path, help }
}

/// Everything that can be asked. Bodies and answers are JSON; errors are {"error": text}.
pub const API: &[ApiEntry] = &[
    entry("GET", "/api", "this list"),
    entry("GET", "/api/games", "the games that come with the program, with their figures"),
    entry("GET", "/api/strategies", "the strategies that players and analyses can use"),
    entry(
        "POST",
        "/api/sheets",
        "open a sheet: {name}, {path} or {text}; gives id, text, roles and findings with their places",
    ),
    entry("GET", "/api/sheets/ID", "the same of a sheet that is open"),
    entry("GET", "/api/sheets/ID/figures", "fluents, moves, gates, and instances by rule"),
    entry(
        "GET",
        "/api/sheets/ID/ports",
        "the sentences of its circuit, with the cells they are on",
    ),
    entry(
        "POST",
        "/api/position",
        "{sheet, state?, moves?, last?, visits?}: the state after the moves, its legal moves with \
         their cells, goals, and the board as SVG",
    ),
    entry("GET", "/api/analyses", "the searches that are going on"),
    entry(
        "POST",
        "/api/analyses",
        "begin a search: {sheet, state?, moves?, strategy?, seconds?}; gives its id",
    ),
    entry(
        "GET",
        "/api/analyses/ID/events",
        "server-sent events: values by role, moves with visits, line, shares of ends. The search ends \
         a few seconds after its last viewer has gone",
    ),
    entry("DELETE", "/api/analyses/ID", "stop a search"),
    entry("GET", "/api/matches", "the matches that are played"),
    entry(
        "POST",
        "/api/matches",
        "begin a match: {sheet, state?, players, start_clock?, play_clock?, simulations?, seed?}; a \
         player is human, random, first, a strategy or an address",
    ),
    entry("GET", "/api/matches/ID/events", "server-sent events of a match, from its beginning"),
    entry("POST", "/api/matches/ID/moves", "a person's move: {role, step, move}"),
    entry("GET", "/api/matches/ID/record", "the record of a match that is over, in JSON"),
    entry("GET", "/api/matches/ID/pgn", "the same in the style of PGN"),
    entry("DELETE", "/api/matches/ID", "stop a match"),
    entry(
        "POST",
        "/api/records",
        "play a record again: {text} or {path}, {sheet?}; gives its states",
    ),
    entry(
        "POST",
        "/api/records/follow",
        "{path}: server-sent events with the record of a match that another process plays; of a folder, \
         that of its newest match",
    ),
    entry(
        "POST",
        "/api/circuit",
        "{sheet, of | gate, classic?, around?, depth?, state?, format?}: a part of the circuit; the \
         format is json, svg, png or dot",
    ),
    entry("POST", "/api/runs", "{path}: a run that was saved with --save"),
];

/// What all requests share.
#[derive(Default)]
pub(super) struct WebState {
    pub(super) sheets: Arc<Sheets>,
    pub(super) analyses: Analyses,
    pub(super) matches: Matches,
    /// Whether files may be opened by their path: only from this machine.
    pub(super) opens_files: bool,
}

/// The answer to a request.
pub(super) enum WebAnswer {
    Json(Value),
    File(&'static str, Vec<u8>),
    Events(Box<super::feed::Viewer>),
    /// A record that is followed: its feed begins in the server's threads.
    Follow(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenRequest {
    name: Option<String>,
    path: Option<String>,
    text: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PathRequest {
    path: String,
}

impl WebState {
    /// Answers a request. This may take a while.
    pub(super) fn answer(
        &self,
        method: &str,
        path: &str,
        body: &str,
    ) -> Result<WebAnswer, ApiError> {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        Ok(WebAnswer::Json(match (method, &parts[..]) {
            ("GET", ["api"]) => json!({ "version": env!("CARGO_PKG_VERSION"), "api": API }),
            ("GET", ["api", "games"]) => games(),
            ("GET", ["api", "strategies"]) => {
                let one = |preset: &crate::search::Preset| json!({"name": preset.name, "help": preset.help});
                Value::Array(PRESETS.iter().map(one).collect())
            }
            ("POST", ["api", "sheets"]) => self.open(&read(body)?)?,
            ("GET", ["api", "sheets", id]) => value(&self.sheets.get(id)?.document())?,
            ("GET", ["api", "sheets", id, "figures"]) => self.sheets.get(id)?.figures()?,
            ("GET", ["api", "sheets", id, "ports"]) => self.sheets.get(id)?.ports()?,
            ("POST", ["api", "position"]) => {
                let request: super::position::PositionRequest = read(body)?;
                value(&self.sheets.get(&request.sheet)?.position(&request)?)?
            }
            ("GET", ["api", "analyses"]) => self.analyses.list(),
            ("POST", ["api", "analyses"]) => self.analyses.begin(&self.sheets, &read(body)?)?,
            ("GET", ["api", "analyses", id, "events"]) => {
                return Ok(WebAnswer::Events(Box::new(self.analyses.watch(id)?)));
            }
            ("DELETE", ["api", "analyses", id]) => self.analyses.stop(id)?,
            ("GET", ["api", "matches"]) => self.matches.list(),
            ("POST", ["api", "matches"]) => self.matches.begin(&self.sheets, &read(body)?)?,
            ("GET", ["api", "matches", id, "events"]) => {
                return Ok(WebAnswer::Events(Box::new(self.matches.watch(id)?)));
            }
            ("POST", ["api", "matches", id, "moves"]) => self.matches.choose(id, &read(body)?)?,
            ("GET", ["api", "matches", id, form @ ("record" | "pgn")]) => {
                let is_pgn = *form == "pgn";
                let text = self.matches.record(id, is_pgn)?.into_bytes();
                let content_type =
                    if is_pgn { "text/plain; charset=utf-8" } else { "application/json" };
                return Ok(WebAnswer::File(content_type, text));
            }
            ("DELETE", ["api", "matches", id]) => self.matches.stop(id)?,
            ("POST", ["api", "records"]) => {
                let request: RecordRequest = read(body)?;
                self.allow_files(request.path.is_some())?;
                replays::replay(&self.sheets, &request)?
            }
            ("POST", ["api", "records", "follow"]) => {
                let request: PathRequest = read(body)?;
                self.allow_files(true)?;
                return Ok(WebAnswer::Follow(request.path));
            }
            ("POST", ["api", "circuit"]) => {
                let request: super::circuit::CircuitRequest = read(body)?;
                match self.sheets.get(&request.sheet)?.part(&request)? {
                    CircuitAnswer::Document(document) => document,
                    CircuitAnswer::File(content_type, bytes) => {
                        return Ok(WebAnswer::File(content_type, bytes));
                    }
                }
            }
            ("POST", ["api", "runs"]) => {
                let request: PathRequest = read(body)?;
                self.allow_files(true)?;
                let bytes = files::read(&request.path, &["json"])?;
                serde_json::from_slice(&bytes).map_err(ApiError::bad)?
            }
            _ => {
                return Err(ApiError::unknown(format!(
                    "there is no {method} {path}; GET /api lists all"
                )));
            }
        }))
    }

    fn open(&self, request: &OpenRequest) -> Result<Value, ApiError> {
        let sheet = match request {
            OpenRequest { name: Some(name), path: None, text: None } => {
                self.sheets.open_named(name)?
            }
            OpenRequest { path: Some(path), text: None, name: None } => {
                self.allow_files(true)?;
                self.sheets.open(files::sheet(path)?)
            }
            OpenRequest { text: Some(text), name, path: None } => {
                let name = name.as_deref().filter(|name| name.len() < 200).unwrap_or("sheet");
                self.sheets.open(Source::from_text(propnet::gdl::visible(name), text))
            }
            _ => return Err(ApiError::bad("a sheet is opened by its name, its path or its text")),
        };
        value(&sheet.document())
    }

    fn allow_files(&self, asks: bool) -> Result<(), ApiError> {
        match asks && !self.opens_files {
            true => Err(ApiError::forbidden(
                "files are opened by their path only where the page is for this machine alone; drop \
                 the file on the page instead",
            )),
            false => Ok(()),
        }
    }

    /// The feed of a record's file; needs the threads of a server.
    pub(super) fn follow(&self, path: String) -> Arc<Feed> {
        replays::follow(self.sheets.clone(), path)
    }

    /// Ends what nobody watches.
    pub(super) fn tidy(&self) {
        self.analyses.tidy();
        self.matches.tidy();
    }

    /// Ends everything.
    pub(super) fn end_all(&self) {
        self.analyses.end_all();
        self.matches.end_all();
    }
}

fn games() -> Value {
    let figures = library::figures();
    let one = |entry: &library::Entry| {
        json!({
            "name": entry.name, "title": entry.title(), "description": entry.description(),
            "figures": figures.get(entry.name),
        })
    };
    Value::Array(library::ENTRIES.iter().map(one).collect())
}

fn read<T: DeserializeOwned>(body: &str) -> Result<T, ApiError> {
    serde_json::from_str(body)
        .map_err(|error| ApiError::bad(format!("not such a request: {error}")))
}

fn value(document: &impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(document).map_err(ApiError::bad)
}
