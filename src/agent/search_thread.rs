//! What the thread of a search worker does: rules and options -> a search, on the circuit or on the
//! reference reasoner.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use propnet::game::{PlayError, Role};
use propnet::reference::{Reasoner, WorkWatch};

use super::builder;
use super::limits::LIMITS;
use super::match_tracker::SharedProgram;
use super::options::AgentOptions;
use super::scheme_choice::SchemeChoice;
use super::search_worker::SearchWorker;
use super::signals::Signals;
use super::turn::{Origin, Turn};
use crate::pipeline::Stages;
use crate::search::{Chooser, GameFor, Search, SearchGame};

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
        self.think(search, Origin::Reference, None, turns, signals);
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
                let game = SearchGame::Lanes(program.clone());
                let search = self.search(&game);
                let chooser = self.scheme_choice(&game, begun.elapsed(), &signals);
                if search.is_ok() {
                    // Only this thread sets it.
                    let _ = self.program_cell.set(program);
                    if let Some(other) = other {
                        other.stop();
                    }
                }
                self.think(search, Origin::Circuit, chooser, turns, signals);
            }
            Err(error) => {
                log.line(&format!("no circuit after {seconds:.3} s: {error}"));
                if other.is_none() {
                    let search = self.plain_search(&signals);
                    self.think(search, Origin::Reference, None, turns, signals);
                }
            }
        }
    }

    fn think(
        &self,
        search: Result<Search, PlayError>,
        origin: Origin,
        choice: Option<SchemeChoice>,
        turns: Receiver<Turn>,
        signals: Arc<Signals>,
    ) {
        let (role, log) = (self.role, self.options.log.clone());
        let ponders = self.options.budget.is_none();
        match search {
            Ok(search) => {
                let ends_early = self.options.settings.ends_early;
                let worker = SearchWorker {
                    search,
                    role,
                    origin,
                    ponders,
                    ends_early,
                    choice,
                    turns,
                    signals,
                    log,
                };
                worker.run();
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
        Search::new(game, &self.options.settings.search.base(), self.options.seed)
    }

    /// The choice of a scheme by contests, if the settings ask for it. `cost` is the time that it took
    /// to make the program.
    fn scheme_choice(
        &self,
        game: &SearchGame,
        cost: Duration,
        signals: &Arc<Signals>,
    ) -> Option<SchemeChoice> {
        let AgentOptions { settings, seed, budget, log, .. } = &self.options;
        if !settings.search.scheme.is_auto() {
            return None;
        }
        let (stages, roles) = (self.stages.clone(), self.roles);
        let (options, signals) = (self.options.clone(), signals.clone());
        let games: GameFor = Arc::new(move |settings| {
            let mut options = options.clone();
            options.settings.search = settings.clone();
            let program = builder::program(&stages, roles, &options, &signals);
            program.map(SearchGame::Lanes).map_err(|error| error.to_string())
        });
        match Chooser::new(game, &settings.search, games, *seed) {
            Ok(chooser) => Some(SchemeChoice::new(chooser, budget.as_ref(), cost, *seed)),
            Err(error) => {
                log.line(&format!("no scheme is chosen: {error}"));
                None
            }
        }
    }
}
