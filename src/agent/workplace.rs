//! Where a thinker comes from: rules and options -> a search, on the circuit or without.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use propnet::game::{PlayError, Role};
use propnet::gdl::Rules;
use propnet::reference::{Reasoner, WorkWatch};

use super::builder;
use super::limits::LIMITS;
use super::options::AgentOptions;
use super::referee::Readiness;
use super::signals::Signals;
use super::thinker::Thinker;
use super::turn::{Origin, Turn};
use crate::search::{Search, SearchGame};

/// What a thinker needs of its agent.
pub(super) struct Workplace {
    pub(super) rules: Arc<Rules>,
    pub(super) role: Role,
    pub(super) options: AgentOptions,
    /// Gets what runs on the circuit when the search on it begins.
    pub(super) readiness: Readiness,
}

impl Workplace {
    /// Thinks with the reference reasoner.
    pub(super) fn think_plainly(self, turns: Receiver<Turn>, signals: Arc<Signals>) {
        let search = self.plain_search(&signals);
        self.think(search, Origin::Reference, turns, signals);
    }

    /// Makes the circuit, thinks with it, and lets the other thinker go.
    pub(super) fn think_on_circuit(
        self,
        turns: Receiver<Turn>,
        signals: Arc<Signals>,
        other: Option<Arc<Signals>>,
    ) {
        let begun = Instant::now();
        let program = builder::program(&self.rules, &self.options, &signals);
        let seconds = begun.elapsed().as_secs_f64();
        let log = &self.options.log;
        match program {
            Ok(_) if signals.is_ended() => {}
            Ok(program) => {
                log.line(&format!("the search on the circuit begins after {seconds:.3} s"));
                let search = self.search(&SearchGame::Lanes(program.clone()));
                if search.is_ok() {
                    // Nobody else makes one.
                    let _ = self.readiness.set(program);
                    if let Some(other) = other {
                        other.end();
                    }
                }
                self.think(search, Origin::Circuit, turns, signals);
            }
            Err(error) => {
                log.line(&format!("no circuit after {seconds:.3} s: {error}"));
                if other.is_none() {
                    let search = self.plain_search(&signals);
                    self.think(search, Origin::Reference, turns, signals);
                }
            }
        }
    }

    fn think(
        &self,
        search: Result<Search, PlayError>,
        origin: Origin,
        turns: Receiver<Turn>,
        signals: Arc<Signals>,
    ) {
        let (role, log) = (self.role, self.options.log.clone());
        let ponders = self.options.budget.is_none();
        match search {
            Ok(search) => {
                Thinker { search, role, origin, ponders, turns, signals, log }.run();
            }
            // Someone has ended the thread.
            Err(PlayError::Stopped) => {}
            Err(error) => log.line(&format!("no search can begin: {error}")),
        }
    }

    fn plain_search(&self, signals: &Arc<Signals>) -> Result<Search, PlayError> {
        let (rules, signals) = (self.rules.clone(), signals.clone());
        let watch = WorkWatch::new(move || signals.may_go_on());
        self.search(&SearchGame::Plain(Arc::new(move || {
            Box::new(Reasoner::watched(&rules, LIMITS, watch.clone()))
        })))
    }

    fn search(&self, game: &SearchGame) -> Result<Search, PlayError> {
        Search::new(game, &self.options.settings.search, self.options.seed)
    }
}
