//! All matches of the page.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ApiError;
use super::feed::{Feed, Viewer};
use super::live_match::{LiveMatch, LiveTerms};
use super::position::{PositionRequest, state_of};
use super::seats::Seats;
use super::sheets::{OpenedSheet, Sheets};
use crate::manager::{Clocks, Player, PlayerKind};
use crate::record::pgn;

/// A request for a match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchRequest {
    sheet: String,
    /// The state to start from; the initial one if it is left out.
    state: Option<Vec<String>>,
    /// By role: `human`, `random`, `first`, a strategy, or an address.
    players: Vec<String>,
    /// Seconds.
    #[serde(default = "usual_clock")]
    start_clock: f64,
    #[serde(default = "usual_clock")]
    play_clock: f64,
    /// What strategies spend on a move instead of their time.
    simulations: Option<u64>,
    #[serde(default)]
    seed: u64,
}

fn usual_clock() -> f64 {
    2.0
}

/// A person's choice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChoiceRequest {
    role: usize,
    /// The number of joint moves so far, so that a late click is no move.
    step: u64,
    #[serde(rename = "move")]
    chosen: String,
}

/// The matches that are played, or ended a short while ago.
#[derive(Default)]
pub(super) struct Matches {
    matches: Mutex<BTreeMap<u64, Arc<LiveMatch>>>,
    next: AtomicU64,
}

/// So many matches may be played at once.
const MOST: usize = 8;

/// How long a match goes on without a viewer; long enough to load the page again.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a match that is over can be looked at again.
const KEPT: Duration = Duration::from_secs(600);

/// The longest clock, in seconds.
const LONGEST_CLOCK: f64 = 3600.0;

impl Matches {
    /// Begins a match.
    pub(super) fn begin(&self, sheets: &Sheets, request: &MatchRequest) -> Result<Value, ApiError> {
        let sheet = sheets.get(&request.sheet)?;
        sheet.rules()?;
        let players = players(request, &sheet)?;
        let position =
            PositionRequest { state: request.state.clone(), ..PositionRequest::default() };
        let sentences = sheet.ask(|game| {
            let (state, _) = state_of(game, &position)?;
            game.sentences(&state).map_err(ApiError::bad)
        })?;
        let (id, live) = self.admit(sheet, players)?;
        let seconds = Duration::from_secs_f64;
        let clocks =
            Clocks { start: seconds(request.start_clock), play: seconds(request.play_clock) };
        let terms = LiveTerms { clocks, simulations: request.simulations, seed: request.seed };
        let names: Vec<&str> = live.players.iter().map(|player| player.name.as_str()).collect();
        let first = json!({
            "kind": "match", "id": live.id, "game": live.sheet.name, "sheet": live.sheet.id,
            "roles": live.sheet.roles, "players": names, "play_clock": request.play_clock,
        });
        live.feed.publish(first.to_string());
        let thread = thread::Builder::new().name(format!("match {id}"));
        let own = live.clone();
        if let Err(error) = thread.spawn(move || own.play(&sentences, &terms)) {
            self.lock().remove(&id);
            return Err(ApiError::busy(error));
        }
        Ok(json!({ "id": live.id }))
    }

    fn admit(
        &self,
        sheet: Arc<OpenedSheet>,
        players: Vec<Player>,
    ) -> Result<(u64, Arc<LiveMatch>), ApiError> {
        let mut matches = self.lock();
        if matches.values().filter(|one| !one.feed.is_closed()).count() >= MOST {
            return Err(ApiError::busy(format!("{MOST} matches are being played; stop one first")));
        }
        let number = self.next.fetch_add(1, Relaxed) + 1;
        let live = Arc::new(LiveMatch {
            id: number.to_string(),
            sheet,
            players,
            feed: Arc::new(Feed::whole()),
            seats: Arc::new(Seats::default()),
            interrupt: Arc::new(AtomicBool::new(false)),
            now: Mutex::default(),
            record: Mutex::default(),
        });
        matches.insert(number, live.clone());
        Ok((number, live))
    }

    /// One more viewer of a match.
    pub(super) fn watch(&self, id: &str) -> Result<Viewer, ApiError> {
        Ok(self.get(id)?.feed.watch())
    }

    /// Takes a person's choice, if it is legal now.
    pub(super) fn choose(&self, id: &str, request: &ChoiceRequest) -> Result<Value, ApiError> {
        let live = self.get(id)?;
        let (step, state) = live.now.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_person = |player: &Player| player.kind == PlayerKind::Human;
        if !live.players.get(request.role).is_some_and(is_person) {
            return Err(ApiError::bad("no person plays this role"));
        }
        if step != request.step || live.feed.is_closed() {
            return Err(ApiError::bad("this joint move was made already"));
        }
        let chosen = live.sheet.ask(|game| {
            let state = game.state_of(&state).map_err(ApiError::bad)?;
            let chosen = game.move_of(request.role, &request.chosen).map_err(ApiError::bad)?;
            let legal = game.legal_moves(&state, request.role).map_err(ApiError::bad)?;
            match legal.contains(chosen) {
                true => game.move_spelling(request.role, chosen).map_err(ApiError::bad),
                false => Err(ApiError::bad("this move is not legal here")),
            }
        })?;
        // Others learn that somebody has chosen, but not what; and before the joint move is made.
        let told = json!({"kind": "chosen", "step": step, "role": request.role});
        live.feed.publish(told.to_string());
        live.seats.choose(&live.sheet.roles[request.role], &chosen);
        Ok(json!({ "chosen": true }))
    }

    /// Stops a match.
    pub(super) fn stop(&self, id: &str) -> Result<Value, ApiError> {
        self.get(id)?.stop();
        Ok(json!({ "stopped": id }))
    }

    /// The record of a match that is over: in JSON, or in the style of PGN.
    pub(super) fn record(&self, id: &str, is_pgn: bool) -> Result<String, ApiError> {
        let live = self.get(id)?;
        let record = live.record.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(record) = record.as_ref() else {
            return Err(ApiError::bad("the match is not over yet"));
        };
        match is_pgn {
            true => Ok(pgn(record)),
            false => serde_json::to_string(record).map_err(ApiError::bad),
        }
    }

    /// All matches.
    pub(super) fn list(&self) -> Value {
        let one = |(number, one): (&u64, &Arc<LiveMatch>)| {
            json!({
                "id": number.to_string(), "game": one.sheet.name, "sheet": one.sheet.id,
                "players": one.players.iter().map(|player| &player.name).collect::<Vec<_>>(),
                "viewers": one.feed.viewers(), "over": one.feed.is_closed(),
            })
        };
        Value::Array(self.lock().iter().map(one).collect())
    }

    /// Ends matches that nobody watches, and forgets those that were over long ago.
    pub(super) fn tidy(&self) {
        let mut matches = self.lock();
        for one in matches.values().filter(|one| one.feed.is_abandoned(PATIENCE)) {
            one.stop();
        }
        matches.retain(|_, one| !(one.feed.is_closed() && one.feed.is_abandoned(KEPT)));
    }

    /// Ends all matches.
    pub(super) fn end_all(&self) {
        self.lock().values().for_each(|one| one.stop());
    }

    fn get(&self, id: &str) -> Result<Arc<LiveMatch>, ApiError> {
        let matches = self.lock();
        let found = id.parse().ok().and_then(|number: u64| matches.get(&number).cloned());
        found.ok_or_else(|| ApiError::unknown("there is no such match, or it ended long ago"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Arc<LiveMatch>>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The players that a request names.
fn players(request: &MatchRequest, sheet: &OpenedSheet) -> Result<Vec<Player>, ApiError> {
    if request.players.len() != sheet.roles.len() {
        let roles = sheet.roles.join(", ");
        return Err(ApiError::bad(format!("a match needs a player for each role: {roles}")));
    }
    for clock in [request.start_clock, request.play_clock] {
        if !(0.0..=LONGEST_CLOCK).contains(&clock) {
            return Err(ApiError::bad(format!("a clock is from 0 to {LONGEST_CLOCK} seconds")));
        }
    }
    let players = request.players.iter().map(|text| text.parse::<Player>());
    let players = players.collect::<Result<Vec<_>, _>>().map_err(ApiError::bad)?;
    let is_whole = |clock: f64| clock.fract() == 0.0;
    let is_address = |player: &Player| matches!(player.kind, PlayerKind::Http(_));
    if players.iter().any(is_address)
        && !(is_whole(request.start_clock) && is_whole(request.play_clock))
    {
        return Err(ApiError::bad("players at an address need clocks of whole seconds"));
    }
    Ok(players)
}
