//! A match that is played on the server, told as it goes on.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use propnet::game::State;
use propnet::gdl::Source;
use propnet::reference;
use serde_json::{Value, json};

use super::analysis::{shortened, values};
use super::error::ApiError;
use super::feed::Feed;
use super::seats::Seats;
use super::sheets::{OpenedSheet, pipeline_options};
use crate::manager::{
    Clocks, Console, EndReason, MatchEvent, MatchSetup, Player, play_match, starting_at,
};
use crate::pipeline::Stages;
use crate::record::MatchRecord;

/// A match, its viewers and its people.
pub(super) struct LiveMatch {
    pub(super) id: String,
    pub(super) sheet: Arc<OpenedSheet>,
    pub(super) players: Vec<Player>,
    pub(super) feed: Arc<Feed>,
    pub(super) seats: Arc<Seats>,
    pub(super) interrupt: Arc<AtomicBool>,
    /// The number of the next joint move, and the state before it.
    pub(super) now: Mutex<(u64, Vec<String>)>,
    /// At the end.
    pub(super) record: Mutex<Option<MatchRecord>>,
}

/// How a match is played.
pub(super) struct LiveTerms {
    pub(super) clocks: Clocks,
    pub(super) simulations: Option<u64>,
    pub(super) seed: u64,
}

/// The match ends after this many joint moves.
const LONGEST: u64 = 2_000;

impl LiveMatch {
    /// Plays it to its end, from the state with these sentences.
    pub(super) fn play(&self, sentences: &[String], terms: &LiveTerms) {
        let result = self.referee(sentences, terms);
        self.seats.close();
        if let Err(error) = result {
            self.feed.publish(json!({"kind": "end", "reason": error.message}).to_string());
        }
        self.feed.close();
    }

    fn referee(&self, sentences: &[String], terms: &LiveTerms) -> Result<(), ApiError> {
        let mut game = self.sheet.new_game()?;
        let state = game.state_of(sentences).map_err(ApiError::bad)?;
        let is_first = game.initial_state().map_err(ApiError::bad)? == state;
        let setup = self.setup(sentences, is_first, terms)?;
        let begun = Instant::now();
        let mut tell = |event: MatchEvent<'_>| {
            self.tell(event, begun);
            Ok(())
        };
        let outcome = play_match(&mut *game, State::clone(&state), &setup, None, &mut tell);
        let outcome = outcome.map_err(ApiError::bad)?;
        let reason = match &outcome.end {
            EndReason::Completed(_) => "over".to_string(),
            EndReason::Limit => format!("no end after {LONGEST} joint moves"),
            EndReason::Stuck(error) => error.to_string(),
            EndReason::Interrupted | EndReason::Left(_) => "stopped".to_string(),
        };
        let goals = outcome.record.is_completed.then(|| outcome.record.goal_values.clone());
        *self.record.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome.record);
        self.feed.publish(json!({"kind": "end", "reason": reason, "goals": goals}).to_string());
        Ok(())
    }

    fn setup(
        &self,
        sentences: &[String],
        is_first: bool,
        terms: &LiveTerms,
    ) -> Result<MatchSetup, ApiError> {
        let rules = self.sheet.rules()?;
        let (sheet, stages) = if is_first {
            (starting_at(rules, None), Some(self.sheet.stages()?.clone()))
        } else {
            let sheet = starting_at(rules, Some(sentences));
            // If it cannot be read, strategies report that themselves.
            let rules = reference::load(Source::from_text(self.sheet.name.clone(), &sheet)).ok();
            (sheet, rules.map(|rules| Arc::new(Stages::for_players(rules))))
        };
        Ok(MatchSetup {
            match_id: format!("{}.{}", self.sheet.name, self.id),
            game: self.sheet.name.clone(),
            sheet,
            roles: self.sheet.roles.clone(),
            players: self.players.clone(),
            clocks: terms.clocks,
            simulations: terms.simulations,
            seed: terms.seed,
            max_steps: LONGEST,
            pipeline: pipeline_options(),
            stages,
            console: Console::asking(self.seats.clone()),
            interrupt: self.interrupt.clone(),
        })
    }

    /// Publishes an event.
    fn tell(&self, event: MatchEvent<'_>, begun: Instant) {
        let seconds = begun.elapsed().as_secs_f64();
        let document = match event {
            MatchEvent::Start { errors } => json!({"kind": "start", "errors": errors}),
            MatchEvent::State { step, sentences } => {
                self.seats.clear();
                *self.now.lock().unwrap_or_else(PoisonError::into_inner) =
                    (step, sentences.to_vec());
                json!({"kind": "state", "step": step, "state": sentences, "seconds": seconds})
            }
            MatchEvent::Moves { step, moves, errors, reports } => {
                let values: Vec<Value> =
                    reports.iter().map(|report| json!(report.as_ref().map(values))).collect();
                let reports: Vec<Option<Value>> =
                    reports.iter().map(|report| report.as_ref().map(shortened)).collect();
                json!({
                    "kind": "moves", "step": step, "moves": moves, "errors": errors,
                    "reports": reports, "values": values, "seconds": seconds,
                })
            }
        };
        self.feed.publish(document.to_string());
    }

    /// Ends it soon.
    pub(super) fn stop(&self) {
        self.interrupt.store(true, Relaxed);
        self.seats.close();
    }
}
