//! What the thread of a search worker does: rules and options -> a search, on the circuit or on the
//! reference reasoner.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use propnet::game::{PlayError, Role};
use propnet::reference::{Reasoner, WorkWatch};

use super::builder;
use super::limits::LIMITS;
use super::match_tracker::SharedProgram;
use super::options::AgentOptions;
use super::search_worker::SearchWorker;
use super::signals::Signals;
use super::turn::{Origin, Turn};
use crate::pipeline::Stages;
use crate::search::{Search, SearchGame};

/// What the thread gets from its agent.
pub(super) struct SearchThread {
    pub(super) stages: Arc<Stages>,
    /// The number of roles of the game.
    pub(super) roles: usize,
    pub(super) role: Role,
    pub(super) options: AgentOptions,
    /// Receives the compiled game when the search on the circuit begins.
    pub(super) program_cell: SharedProgram,
}

impl SearchThread {
    /// Searches on the reference reasoner.
    pub(super) fn search_reference(self, turns: Receiver<Turn>, signals: Arc<Signals>) {
        let search = self.plain_search(&signals);
        self.think(search, Origin::Reference, turns, signals);
    }

    /// Makes the circuit, stops the other worker and searches on the circuit.
    pub(super) fn search_circuit(
        self,
        turns: Receiver<Turn>,
        signals: Arc<Signals>,
        other: Option<Arc<Signals>>,
    ) {
        let begun = Instant::now();
        let program = builder::program(&self.stages, self.roles, &self.options, &signals);
        let seconds = begun.elapsed().as_secs_f64();
        let log = &self.options.log;
        match program {
            Ok(_) if signals.is_stopped() => {}
            Ok(program) => {
                log.line(&format!("the search on the circuit begins after {seconds:.3} s"));
                let search = self.search(&SearchGame::Lanes(program.clone()));
                if search.is_ok() {
                    // Only this thread sets it.
                    let _ = self.program_cell.set(program);
                    if let Some(other) = other {
                        other.stop();
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
                SearchWorker { search, role, origin, ponders, turns, signals, log }.run();
            }
            // The thread was stopped.
            Err(PlayError::Stopped) => {}
            Err(error) => log.line(&format!("no search can begin: {error}")),
        }
    }

    fn plain_search(&self, signals: &Arc<Signals>) -> Result<Search, PlayError> {
        let (rules, signals) = (self.stages.rules().clone(), signals.clone());
        let watch = WorkWatch::new(move || signals.may_go_on());
        self.search(&SearchGame::Plain(Arc::new(move || {
            Box::new(Reasoner::watched(&rules, LIMITS, watch.clone()))
        })))
    }

    fn search(&self, game: &SearchGame) -> Result<Search, PlayError> {
        Search::new(game, &self.options.settings.search, self.options.seed)
    }
}
