//! All searches of the page: an analysis engine over HTTP.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::analysis::Analysis;
use super::error::ApiError;
use super::feed::{Feed, Viewer};
use super::position::{PositionRequest, state_of};
use super::sheets::Sheets;
use crate::manager::{Player, PlayerKind};
use crate::search::machine_bytes;

/// A request for a search.
#[derive(Deserialize)]
pub(super) struct AnalysisRequest {
    #[serde(flatten)]
    position: PositionFields,
    /// A strategy with its parameters, such as `uct:c=60`.
    #[serde(default = "usual_strategy")]
    strategy: String,
    /// The longest time, in seconds.
    #[serde(default = "usual_seconds")]
    seconds: f64,
}

/// The position of a search.
#[derive(Deserialize)]
struct PositionFields {
    sheet: String,
    state: Option<Vec<String>>,
    #[serde(default)]
    moves: Vec<Vec<String>>,
}

fn usual_strategy() -> String {
    "uct".to_string()
}

fn usual_seconds() -> f64 {
    3600.0
}

/// The searches that are going on, or ended a short while ago.
#[derive(Default)]
pub(super) struct Analyses {
    running: Mutex<BTreeMap<u64, RunningAnalysis>>,
    next: AtomicU64,
}

struct RunningAnalysis {
    feed: Arc<Feed>,
    stop: Arc<AtomicBool>,
}

/// So many searches may go on at once.
const MOST: usize = 8;

/// How long a search goes on without a viewer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest time of a search, in seconds.
const LONGEST: f64 = 24.0 * 3600.0;

impl Analyses {
    /// Begins a search.
    pub(super) fn begin(
        &self,
        sheets: &Sheets,
        request: &AnalysisRequest,
    ) -> Result<Value, ApiError> {
        let sheet = sheets.get(&request.position.sheet)?;
        let player: Player = request.strategy.parse().map_err(ApiError::bad)?;
        let PlayerKind::Strategy(mut settings) = player.kind else {
            return Err(ApiError::bad("an analysis needs a strategy, such as uct or mast"));
        };
        settings.search.limit_memory(machine_bytes() / 4 / MOST as u64);
        if !(0.0..=LONGEST).contains(&request.seconds) {
            return Err(ApiError::bad(format!("the time is from 0 to {LONGEST} seconds")));
        }
        let PositionFields { state, moves, .. } = &request.position;
        let (state, moves) = (state.clone(), moves.clone());
        let position = PositionRequest { state, moves, ..PositionRequest::default() };
        let sentences = sheet.ask(|game| {
            let (state, _) = state_of(game, &position)?;
            game.sentences(&state).map_err(ApiError::bad)
        })?;
        let (feed, stop) = (Arc::new(Feed::latest()), Arc::new(AtomicBool::new(false)));
        let number = self.admit(RunningAnalysis { feed: feed.clone(), stop: stop.clone() })?;
        let id = number.to_string();
        let time = Duration::from_secs_f64(request.seconds);
        let (settings, shown) = (*settings, id.clone());
        let analysis = Analysis { id, sheet, sentences, settings, time, feed, stop };
        let thread = thread::Builder::new().name(format!("analysis {shown}"));
        if let Err(error) = thread.spawn(move || analysis.run()) {
            self.lock().remove(&number);
            return Err(ApiError::busy(error));
        }
        Ok(json!({ "id": shown }))
    }

    /// Keeps a new search; those that have ended and are not watched make room.
    fn admit(&self, analysis: RunningAnalysis) -> Result<u64, ApiError> {
        let mut running = self.lock();
        if running.values().filter(|one| !one.feed.is_closed()).count() >= MOST {
            return Err(ApiError::busy(format!("{MOST} searches are going on; stop one first")));
        }
        let number = self.next.fetch_add(1, Relaxed) + 1;
        running.insert(number, analysis);
        Ok(number)
    }

    /// One more viewer of a search.
    pub(super) fn watch(&self, id: &str) -> Result<Viewer, ApiError> {
        let running = self.lock();
        let found = id.parse().ok().and_then(|number: u64| running.get(&number));
        found.map(|one| one.feed.watch()).ok_or_else(unknown)
    }

    /// Stops a search.
    pub(super) fn stop(&self, id: &str) -> Result<Value, ApiError> {
        let running = self.lock();
        let found = id.parse().ok().and_then(|number: u64| running.get(&number));
        found.ok_or_else(unknown)?.stop.store(true, Relaxed);
        Ok(json!({ "stopped": id }))
    }

    /// All searches.
    pub(super) fn list(&self) -> Value {
        let running = self.lock();
        let one = |(number, one): (&u64, &RunningAnalysis)| {
            let viewers = one.feed.viewers();
            json!({"id": number.to_string(), "viewers": viewers, "done": one.feed.is_closed()})
        };
        Value::Array(running.iter().map(one).collect())
    }

    /// Ends searches that nobody watches, and forgets those that have ended.
    pub(super) fn tidy(&self) {
        let mut running = self.lock();
        for one in running.values().filter(|one| one.feed.is_abandoned(PATIENCE)) {
            one.stop.store(true, Relaxed);
        }
        running.retain(|_, one| !(one.feed.is_closed() && one.feed.is_abandoned(PATIENCE)));
    }

    /// Ends all searches.
    pub(super) fn end_all(&self) {
        self.lock().values().for_each(|one| one.stop.store(true, Relaxed));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, RunningAnalysis>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown() -> ApiError {
    ApiError::unknown("there is no such analysis, or it ended long ago")
}
