//! A search at one position that goes on and tells what it finds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use propnet::reference::{Reasoner, ReasonerLimits, WorkWatch};
use serde_json::{Value, json};

use super::ends::EndCounts;
use super::feed::Feed;
use super::sheets::{OpenedSheet, pipeline_options};
use crate::agent::AgentSettings;
use crate::draw::Marks;
use crate::pipeline::{Compile, Control};
use crate::search::{Budget, Report, RunEnd, Search, SearchGame, Variation};

/// What is searched, and for how long.
pub(super) struct Analysis {
    pub(super) id: String,
    pub(super) sheet: Arc<OpenedSheet>,
    pub(super) sentences: Vec<String>,
    pub(super) settings: AgentSettings,
    pub(super) time: Duration,
    pub(super) feed: Arc<Feed>,
    /// Set to end it.
    pub(super) stop: Arc<AtomicBool>,
}

/// The first reports come quickly, the later ones rarely: they change less.
const FIRST_SLICE: Duration = Duration::from_millis(150);
const LONGEST_SLICE: Duration = Duration::from_millis(1000);

/// The part of the time that goes into playouts to their ends.
const ENDS: u32 = 6;

/// The lines that are told.
const LINES: usize = 3;

/// The most moves of a role in a report.
const MOVES: usize = 100;

/// What a reference reasoner may take for one question, where there is no circuit.
const LIMITS: ReasonerLimits =
    ReasonerLimits { facts: 20_000_000, bytes: 256 << 20, work: 5_000_000_000 };

/// What all runs of a search have done together.
#[derive(Default)]
struct SearchTotals {
    simulations: u64,
    seconds: f64,
}

impl Analysis {
    /// Searches until it is stopped, its time is over, or nothing is left to learn.
    pub(super) fn run(self) {
        let result = self.search();
        let end = match result {
            Ok(end) => json!({"id": self.id, "status": "done", "end": end}),
            Err(_) if self.stop.load(Relaxed) => {
                json!({"id": self.id, "status": "done", "end": "stopped"})
            }
            Err(message) => json!({"id": self.id, "status": "failed", "error": message}),
        };
        // The last report stays the last thing that viewers see, so the end is a part of it.
        let last = self.feed.last().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let mut document = last.unwrap_or_else(|| json!({}));
        if let (Value::Object(document), Value::Object(end)) = (&mut document, end) {
            document.extend(end);
        }
        self.feed.publish(document.to_string());
        self.feed.close();
    }

    /// Why it ended.
    fn search(&self) -> Result<&'static str, String> {
        let (game, engine) = self.game()?;
        // Making the circuit has bounds of its own: even a short search of a large game finds something.
        let begun = Instant::now();
        let settings = &self.settings.search;
        let search = Search::at_sentences(&game, settings, 0, &self.sentences);
        let mut search = search.map_err(|error| error.to_string())?;
        if search.is_over() {
            return Ok("over");
        }
        let (own_game, program) = match &game {
            SearchGame::Lanes(program) => (program.game(), Some(program)),
            SearchGame::Plain(make) => (make(), None),
        };
        let ends = EndCounts::new(own_game, program, &self.sentences);
        let mut ends = ends.map_err(|error| error.to_string())?;
        let mut slice = FIRST_SLICE;
        let mut totals = SearchTotals::default();
        while begun.elapsed() < self.time && !self.stop.load(Relaxed) {
            let budget = Budget { stop: Some(self.stop.clone()), ..Budget::time(slice) };
            let report = search.run(&budget).map_err(|error| error.to_string())?;
            totals.simulations += report.simulations;
            totals.seconds += report.seconds;
            ends.play(slice / ENDS).map_err(|error| error.to_string())?;
            let lines = search.best_lines(LINES).map_err(|error| error.to_string())?;
            self.tell(&report, &lines, &totals, &ends, engine)?;
            match report.end {
                RunEnd::Budget => {}
                RunEnd::Settled => return Ok("settled"),
                RunEnd::Solved => return Ok("solved"),
            }
            slice = (slice * 3 / 2).min(LONGEST_SLICE);
        }
        Ok(if self.stop.load(Relaxed) { "stopped" } else { "time" })
    }

    /// What is searched on: the circuit, or the reference reasoner if there is none.
    fn game(&self) -> Result<(SearchGame, &'static str), String> {
        let stages = self.sheet.stages().map_err(|error| error.message)?;
        let may_go_on = || !self.stop.load(Relaxed);
        let step = self.settings.search.step_options(self.sheet.roles.len());
        let control = Control::stoppable(&may_go_on);
        match stages.program(&pipeline_options(), &step, Compile::First, control) {
            Ok(program) => {
                self.sheet.use_program(&program);
                Ok((SearchGame::Lanes(program), "circuit"))
            }
            Err(error) if self.stop.load(Relaxed) => Err(error.to_string()),
            Err(_) => {
                let (rules, stop) = (stages.rules().clone(), self.stop.clone());
                let watch = WorkWatch::new(move || !stop.load(Relaxed));
                let make = move || -> Box<dyn propnet::game::Game + Send> {
                    Box::new(Reasoner::watched(&rules, LIMITS, watch.clone()))
                };
                Ok((SearchGame::Plain(Arc::new(make)), "reference"))
            }
        }
    }

    fn tell(
        &self,
        report: &Report,
        lines: &[Variation],
        totals: &SearchTotals,
        ends: &EndCounts,
        engine: &str,
    ) -> Result<(), String> {
        let shares = ends.shares();
        let overlays = self.sheet.draw(&self.sentences, |picture| {
            let mut visits = Marks::default();
            // The role that chooses among most moves is the one to move.
            let mover = report.roles.iter().max_by_key(|role| role.moves.len());
            let moves = mover.iter().flat_map(|role| &role.moves);
            picture.mark_visits(&mut visits, moves.map(|one| (one.text.as_str(), one.visits)));
            let mut expected = Marks::default();
            picture.mark_shares(&mut expected, shares.iter().copied());
            picture.has_boards().then(|| (picture.overlay(&visits), picture.overlay(&expected)))
        });
        let (visits, expected) = overlays.map_err(|error| error.message)?.unzip();
        let document = json!({
            "id": self.id,
            "status": "running",
            "engine": engine,
            "simulations": totals.simulations,
            "seconds": totals.seconds,
            "values": values(report),
            "report": shortened(report),
            "lines": lines,
            "overlay": visits,
            "ends": { "playouts": ends.playouts, "shares": shares, "overlay": expected },
        });
        self.feed.publish(document.to_string());
        Ok(())
    }
}

/// The value of the position for each role: the mean of its moves by their visits.
pub(super) fn values(report: &Report) -> Vec<Option<f64>> {
    let value = |role: &crate::search::RoleReport| {
        let tried = || role.moves.iter().filter_map(|one| Some((one.visits, one.average?)));
        let visits: u64 = tried().map(|(visits, _)| visits).sum();
        let total: f64 = tried().map(|(visits, average)| visits as f64 * average).sum();
        (visits > 0).then(|| total / visits as f64)
    };
    report.roles.iter().map(value).collect()
}

/// A report with the most promising moves only.
pub(super) fn shortened(report: &Report) -> Value {
    let mut report = report.clone();
    for role in &mut report.roles {
        role.moves.truncate(MOVES);
    }
    serde_json::to_value(&report).unwrap_or_default()
}
