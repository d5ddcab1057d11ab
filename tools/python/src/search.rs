//! Searches that go on through a match, and their reports.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludens::search::{Budget, Report, Search, SearchGame, Settings};
use propnet::game::{JointMove, PlayError as RulesError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments;
use crate::errors::{LudensError, play_error, setting_error};
use crate::game::{LoadedGame, PyGame};
use crate::interrupt::{StopFlag, interruptible};
use crate::json::to_python;
use crate::state::PyState;

/// A search: `run`, look at the report, `advance`, and so on.
#[pyclass(frozen, name = "Search", module = "ludens")]
pub(crate) struct PySearch {
    game: Arc<LoadedGame>,
    search: Mutex<Search>,
    /// Shared with the run under way.
    stop: StopFlag,
}

impl PySearch {
    /// The search, unless it runs.
    fn idle(&self) -> PyResult<std::sync::MutexGuard<'_, Search>> {
        match self.search.try_lock() {
            Ok(search) => Ok(search),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => {
                let what = "the search runs in another thread: end it with stop(), or wait";
                Err(LudensError::new_err(what))
            }
        }
    }
}

#[pymethods]
impl PySearch {
    /// A search at the start of a game, or at a state of it. The strategy is written as on the
    /// command line: `uct`, `rave+mast`, `mast:c=60:threads=1`; `ludens strategies` lists them.
    #[new]
    #[pyo3(signature = (game, strategy="uct", seed=0, state=None))]
    fn new(
        py: Python<'_>,
        game: PyRef<'_, PyGame>,
        strategy: &str,
        seed: u64,
        state: Option<PyRef<'_, PyState>>,
    ) -> PyResult<Self> {
        let game = game.inner.clone();
        let settings: Settings = strategy.parse().map_err(|error| setting_error(&error))?;
        let state = match state {
            None => game.program.program.initial.clone(),
            Some(state) => state.of(&game)?.clone(),
        };
        let stop = StopFlag::default();
        let step = settings.step_options(game.names().roles().len());
        let work = || {
            let program = game.program_for(&step, &stop)?;
            Search::at(&SearchGame::Lanes(program), &settings, seed, &state)
                .map_err(|error: RulesError| play_error(&error))
        };
        let search = Mutex::new(interruptible(py, &stop, work)??);
        Ok(PySearch { game, search, stop })
    }

    /// Searches until the budget is spent: a number of simulations, seconds, or whichever ends
    /// first. On one thread the same seed and simulations give the same report.
    #[pyo3(signature = (simulations=None, seconds=None))]
    fn run(
        &self,
        py: Python<'_>,
        simulations: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<PyReport> {
        let mut budget = match seconds {
            None if simulations.is_none() => {
                let what = "a search needs a budget: simulations=..., seconds=..., or both";
                return Err(PyValueError::new_err(what));
            }
            None => Budget::default(),
            Some(seconds) => match Duration::try_from_secs_f64(seconds) {
                Ok(time) => Budget::time(time),
                Err(error) => return Err(PyValueError::new_err(format!("seconds: {error}"))),
            },
        };
        budget.simulations = simulations;
        budget.stop = Some(self.stop.0.clone());
        let mut idle = self.idle()?;
        let search = &mut *idle;
        self.stop.clear();
        let report = interruptible(py, &self.stop, || search.run(&budget))?;
        let report = report.map_err(|error| play_error(&error))?;
        Ok(PyReport { report })
    }

    /// Ends a run that is under way in another thread; it still reports.
    fn stop(&self) {
        self.stop.stop();
    }

    /// Goes on to the state after a joint move, given as for `State.step`; what can still be reached
    /// is kept.
    fn advance(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut idle = self.idle()?;
        let search = &mut *idle;
        let joint: JointMove = arguments::joint_move(&self.game, search.state(), moves)?;
        py.detach(|| search.advance(&joint)).map_err(|error| play_error(&error))
    }

    /// By role: the most promising move; empty where the game is over.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (best, mut search) = (PyDict::new(py), self.idle()?);
        for (role, name) in self.game.names().roles().iter().enumerate() {
            if let Some(chosen) = search.best_move(role) {
                let text = search.game().move_spelling(role, chosen);
                best.set_item(name, text.map_err(|error| play_error(&error))?)?;
            }
        }
        Ok(best)
    }

    /// The state that is searched.
    #[getter]
    fn state(&self) -> PyResult<PyState> {
        Ok(PyState { game: self.game.clone(), state: self.idle()?.state().clone() })
    }

    /// Whether the game is over, or cannot go on.
    #[getter]
    fn over(&self) -> PyResult<bool> {
        Ok(self.idle()?.is_over())
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { inner: self.game.clone() }
    }

    /// The strategy with all its settings, by name.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = PyDict::new(py);
        for (name, value) in self.idle()?.settings().list() {
            settings.set_item(name, value)?;
        }
        Ok(settings)
    }
}

/// What a search has done, and what it found.
#[pyclass(frozen, name = "Report", module = "ludens")]
pub(crate) struct PyReport {
    pub(crate) report: Report,
}

#[pymethods]
impl PyReport {
    /// The strategy.
    #[getter]
    fn strategy(&self) -> String {
        self.report.strategy.to_string()
    }

    /// Samples that were backed up.
    #[getter]
    fn simulations(&self) -> u64 {
        self.report.simulations
    }

    /// Playouts that ended.
    #[getter]
    fn playouts(&self) -> u64 {
        self.report.playouts
    }

    /// The seconds it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.seconds
    }

    /// Simulations a second.
    #[getter]
    fn rate(&self) -> f64 {
        self.report.rate()
    }

    /// By role: the most promising move; empty where the game is over.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let best = PyDict::new(py);
        for (role, report) in self.report.roles.iter().enumerate() {
            if let Some(text) = self.report.best_move(role) {
                best.set_item(&report.role, text)?;
            }
        }
        Ok(best)
    }

    /// By role: its moves, the most promising first, as dictionaries with `move`, `visits`, `value`
    /// (None if it was never tried), `best`, and `bounds` where a solver has proven some, ready for a
    /// DataFrame.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let moves = PyDict::new(py);
        for role in &self.report.roles {
            let rows = role.moves.iter().map(|found| {
                let row = to_python(py, found)?.cast_into::<PyDict>()?;
                row.set_item("move", &found.text)?;
                row.set_item("value", found.average)?;
                row.del_item("text")?;
                row.del_item("average")?;
                Ok(row)
            });
            let rows = rows.collect::<PyResult<Vec<_>>>()?;
            moves.set_item(&role.role, PyList::new(py, rows)?)?;
        }
        Ok(moves)
    }

    /// The principal variation: joint moves, each a list with a move for each role.
    #[getter]
    fn line(&self) -> Vec<Vec<String>> {
        self.report.principal_line.clone()
    }

    /// All figures, as JSON has them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.report)
    }

    fn __str__(&self) -> String {
        self.report.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<ludens.Report: {}>", self.report)
    }
}
