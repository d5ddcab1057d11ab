//! Games: loading, and what there is to know about one.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use ludens::draw::{BoardPicture, Drawing, Knowledge};
use ludens::findings::SheetFindings;
use ludens::library::ENTRIES;
use ludens::pipeline::{
    Compile, Control, LaneProgram, PipelineOptions, Stages, no_peak, survey_while,
};
use ludens::run::Setup;
use ludens::sheets::{game_name, read_file, read_sheet};
use propnet::game::Game;
use propnet::gdl::Source;
use propnet::names::Names;
use propnet::program::StepOptions;
use propnet::reference::{self, WorkWatch};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments;
use crate::batch::PyBatch;
use crate::circuit::PyCircuit;
use crate::errors::{LudensError, named_sheet_error, sheet_error};
use crate::interrupt::{StopFlag, interruptible};
use crate::json::to_python;
use crate::playouts::{self, PyPlayouts};
use crate::state::PyState;

/// A playout is cut after this many joint moves.
pub(crate) const MOST_MOVES: u64 = 10_000;

/// A sheet and all that was made of it. States, batches and searches share it.
pub(crate) struct LoadedGame {
    pub(crate) name: String,
    sheet: String,
    pub(crate) stages: Stages,
    pub(crate) options: PipelineOptions,
    /// For questions and playouts.
    pub(crate) program: LaneProgram,
    /// Answers about one state at a time.
    engine: Mutex<Box<dyn Game + Send>>,
    boards: OnceLock<Mutex<Boards>>,
}

/// How states of a game are drawn.
pub(crate) struct Boards {
    pub(crate) text: Drawing,
    pub(crate) picture: BoardPicture,
}

/// Games by name and sheet, as long as something uses them: what is loaded or unpickled twice is
/// one game, and its states fit each other.
static LOADED: LazyLock<Mutex<HashMap<(String, String), Weak<LoadedGame>>>> =
    LazyLock::new(Mutex::default);

impl LoadedGame {
    /// The game of a text; made anew unless it is loaded already.
    pub(crate) fn get(py: Python<'_>, name: String, source: Source) -> PyResult<Arc<Self>> {
        let key = (name, source.text().to_string());
        let known = |key: &(String, String)| lock(&LOADED).get(key).and_then(Weak::upgrade);
        if let Some(game) = known(&key) {
            return Ok(game);
        }
        let stop = StopFlag::default();
        let (name, sheet) = key.clone();
        let made = interruptible(py, &stop, || LoadedGame::make(name, sheet, source, &stop))??;
        let mut loaded = lock(&LOADED);
        loaded.retain(|_, game| game.strong_count() > 0);
        // Another thread may have been faster.
        if let Some(game) = loaded.get(&key).and_then(Weak::upgrade) {
            return Ok(game);
        }
        let game = Arc::new(made);
        loaded.insert(key, Arc::downgrade(&game));
        Ok(game)
    }

    fn make(name: String, sheet: String, source: Source, stop: &StopFlag) -> PyResult<Self> {
        let shown = source.name().to_string();
        let rules = reference::load_watched(source, &watch(stop))
            .map_err(|error| named_sheet_error(&format!("{shown} cannot be played"), &error))?;
        let stages = Stages::new(rules);
        let options = PipelineOptions::default();
        let step = StepOptions {
            limit_bits: StepOptions::bits_for(MOST_MOVES),
            restart: true,
            ..StepOptions::default()
        };
        let may_go_on = || stop.may_go_on();
        let control = Control::stoppable(&may_go_on);
        let program = stages
            .program(&options, &step, Compile::First, control)
            .map_err(|error| named_sheet_error(&shown, &error))?;
        let engine = Mutex::new(program.game());
        Ok(LoadedGame { name, sheet, stages, options, program, engine, boards: OnceLock::new() })
    }

    pub(crate) fn names(&self) -> &Arc<Names> {
        &self.program.program.names
    }

    /// The game, one state at a time.
    pub(crate) fn engine(&self) -> MutexGuard<'_, Box<dyn Game + Send>> {
        lock(&self.engine)
    }

    /// A program with another step; made once.
    pub(crate) fn program_for(&self, step: &StepOptions, stop: &StopFlag) -> PyResult<LaneProgram> {
        let may_go_on = || stop.may_go_on();
        self.stages
            .program(&self.options, step, Compile::First, Control::stoppable(&may_go_on))
            .map_err(|error| named_sheet_error(&self.name, &error))
    }

    /// How states of this game are drawn.
    pub(crate) fn boards(&self) -> MutexGuard<'_, Boards> {
        let boards = self.boards.get_or_init(|| {
            let (rules, bounds) = (self.stages.rules(), &self.options.bounds);
            let (setup, control) = (Setup::default(), Control::default());
            let mut engine = self.engine();
            let knowledge = Knowledge::learn(rules, &mut **engine, &setup, bounds, control);
            let picture = BoardPicture::new(&knowledge);
            Mutex::new(Boards { text: Drawing::new(&knowledge), picture })
        });
        lock(boards)
    }
}

/// What the reasoner asks whether it may go on.
fn watch(stop: &StopFlag) -> WorkWatch {
    let stop = stop.clone();
    WorkWatch::new(move || stop.may_go_on())
}

/// A lock; what a panic left behind is still whole here.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game: its rules, compiled.
#[pyclass(frozen, name = "Game", module = "ludens")]
pub(crate) struct PyGame {
    pub(crate) inner: Arc<LoadedGame>,
}

/// What a caller means: the text of rules, a path, or a name.
fn source(sheet: &Bound<'_, PyAny>) -> PyResult<(String, Source)> {
    if let Ok(text) = sheet.extract::<String>() {
        if text.contains(['(', '\n']) {
            return Ok(("sheet".to_string(), Source::from_text("sheet", text.as_str())));
        }
        let source = read_sheet(&text).map_err(|error| sheet_error(&error))?;
        return Ok((game_name(&source), source));
    }
    let path: PathBuf = sheet
        .extract()
        .map_err(|_| PyTypeError::new_err("a game is a name, a path, or the text of its rules"))?;
    let source = read_file(&path.to_string_lossy()).map_err(|error| sheet_error(&error))?;
    Ok((game_name(&source), source))
}

/// Loads a game: by the name of one that comes with the package (`ludens.games()`), by the path of a
/// file, or by the text of its rules.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, sheet: &Bound<'_, PyAny>) -> PyResult<PyGame> {
    let (name, source) = source(sheet)?;
    Ok(PyGame { inner: LoadedGame::get(py, name, source)? })
}

/// The names of the games that come with the package.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    ENTRIES.iter().map(|entry| entry.name).collect()
}

/// Everything that is wrong with a sheet, as `ludens check --json` says it; also for sheets that
/// cannot be played.
#[pyfunction]
pub(crate) fn check<'py>(
    py: Python<'py>,
    sheet: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (_, source) = source(sheet)?;
    findings(py, source)
}

fn findings(py: Python<'_>, source: Source) -> PyResult<Bound<'_, PyAny>> {
    let stop = StopFlag::default();
    let found = interruptible(py, &stop, || {
        let (rules, findings) = reference::examine_watched(source, &watch(&stop))?;
        Some(SheetFindings::new(&rules, &findings))
    })?;
    to_python(py, &found.ok_or_else(|| LudensError::new_err("the check was stopped"))?)
}

/// Loads a game again that was pickled.
#[pyfunction]
pub(crate) fn _restore_game(py: Python<'_>, name: String, sheet: &str) -> PyResult<PyGame> {
    let source = Source::from_text(name.as_str(), sheet);
    Ok(PyGame { inner: LoadedGame::get(py, name, source)? })
}

#[pymethods]
impl PyGame {
    /// The name: that of its file, or `sheet`.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// The text of the rules.
    #[getter]
    fn sheet(&self) -> &str {
        &self.inner.sheet
    }

    /// The roles in their order, in lower case.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.inner.names().roles().to_vec()
    }

    /// The moves of a role, in the spelling of the sheet. Actions are their indices.
    fn moves(&self, role: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let role = arguments::role(&self.inner, role)?;
        let names = self.inner.names();
        let spelling = |chosen| names.move_spelling(role, chosen);
        let moves: Result<Vec<String>, _> = names.moves(role).map(spelling).collect();
        moves.map_err(|error| crate::errors::play_error(&error))
    }

    /// The sentences that can be true in a state: the columns of observations.
    #[getter]
    fn fluents(&self) -> Vec<String> {
        let names = self.inner.names();
        (0..names.fluent_count()).map(|at| names.fluent_text(at)).collect()
    }

    /// Everything that is wrong with the sheet, as `ludens check --json` says it.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        findings(py, Source::from_text(self.inner.name.as_str(), &self.inner.sheet))
    }

    /// What grounding costs, as `ludens ground --json` says it: seconds, stages, sizes and the rules
    /// with the most instances.
    fn ground<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let source = Source::from_text(self.inner.name.as_str(), &self.inner.sheet);
        let (bounds, stop) = (self.inner.options.bounds, StopFlag::default());
        let report = interruptible(py, &stop, || {
            let may_go_on = || stop.may_go_on();
            survey_while(source, &bounds, no_peak, Control::stoppable(&may_go_on)).0
        })?;
        to_python(py, &report)
    }

    /// The circuit: figures and diagrams.
    #[getter]
    fn circuit(&self) -> PyCircuit {
        PyCircuit { game: self.inner.clone() }
    }

    /// The state that the game starts in.
    fn initial(&self) -> PyState {
        let state = self.inner.program.program.initial.clone();
        PyState { game: self.inner.clone(), state }
    }

    /// The state in which exactly these sentences are true.
    fn state(&self, sentences: Vec<String>) -> PyResult<PyState> {
        let state = self.inner.names().state_of(&sentences);
        let state = state.map_err(|error| crate::errors::play_error(&error))?;
        Ok(PyState { game: self.inner.clone(), state })
    }

    /// Plays at random, on all cores unless `threads` says otherwise. The same seed gives the same
    /// playouts on any machine. `weights` maps roles to arrays: moves are then chosen in proportion
    /// to the weights of the legal ones.
    #[pyo3(signature = (n, seed=0, from_state=None, weights=None, threads=None))]
    fn playouts(
        &self,
        py: Python<'_>,
        n: u64,
        seed: u64,
        from_state: Option<PyRef<'_, PyState>>,
        weights: Option<&Bound<'_, PyDict>>,
        threads: Option<usize>,
    ) -> PyResult<PyPlayouts> {
        let state = match from_state {
            None => self.inner.program.program.initial.clone(),
            Some(state) => state.of(&self.inner)?.clone(),
        };
        let weights = weights.map(|given| arguments::weights(&self.inner, given)).transpose()?;
        playouts::play_at_random(py, &self.inner, n, seed, &state, weights, threads)
    }

    /// Many games side by side: `games` is their number, or a list of states to start from. A game
    /// that is over starts anew within the same step if `autoreset`; a game is given up after
    /// `max_steps` joint moves.
    #[pyo3(signature = (games, seed=0, autoreset=false, max_steps=None, threads=1))]
    fn batch(
        &self,
        py: Python<'_>,
        games: &Bound<'_, PyAny>,
        seed: u64,
        autoreset: bool,
        max_steps: Option<u32>,
        threads: usize,
    ) -> PyResult<PyBatch> {
        PyBatch::make(py, &self.inner, games, seed, autoreset, max_steps, threads)
    }

    fn __repr__(&self) -> String {
        let names = self.inner.names();
        let mut text = format!("<ludens.Game {}:", self.inner.name);
        for (role, name) in names.roles().iter().enumerate() {
            let _ = write!(text, " {name} ({} moves),", names.move_count(role));
        }
        text + &format!(" {} fluents>", names.fluent_count())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// It never changes, so a copy would be the same.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: PyRef<'_, PyGame>) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.inner) as usize
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = py.import("ludens._ludens")?.getattr("_restore_game")?;
        Ok((restore, (self.inner.name.clone(), self.inner.sheet.clone())))
    }
}
