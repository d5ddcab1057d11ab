//! Games solved: for one role by the methods for puzzles, otherwise the value for each role.

use std::thread;
use std::time::Duration;

use ludens::pipeline::Control;
use ludens::puzzle::{self, Puzzle, PuzzleOptions};
use ludens::solve::{SolveGame, SolveOptions, solve as solve_position};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{LudensError, describe, with_cause};
use crate::game::{LoadedGame, PyGame};
use crate::interrupt::{StopFlag, interruptible};
use crate::json::to_python;
use crate::state::PyState;

/// Solves a game as `ludens solve` does, from its start or from a state. For one role the result has the
/// best line: `score`, `moves`, `is_proven`, `bound`. For several it has what is proven for each: `roles`
/// with values and moves. More time and more `memory`, in megabytes, prove more.
#[pyfunction]
#[pyo3(signature = (game, seconds=10.0, state=None, seed=0, memory=2048, methods=None))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    game: PyRef<'py, PyGame>,
    seconds: f64,
    state: Option<PyRef<'py, PyState>>,
    seed: u64,
    memory: u64,
    methods: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyAny>> {
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|error| PyValueError::new_err(format!("seconds: {error}")))?;
    let game = game.inner.clone();
    let initial = game.program.program.initial.clone();
    let state = state.map_or(Ok(initial.clone()), |state| state.of(&game).cloned())?;
    let memory = memory << 20;
    if game.names().roles().len() > 1 {
        let sentences = game.names().sentences(&state);
        let sentences = sentences.map_err(|error| crate::errors::play_error(&error))?;
        let options = SolveOptions { time: Some(time), memory, ..SolveOptions::default() };
        return value(py, &game, &sentences, &options);
    }
    if state != initial {
        // How many moves were made before it is not known, and lines may be limited in length.
        let what = "a game for one role is solved from its start, not from another state";
        return Err(PyValueError::new_err(what));
    }
    let options = PuzzleOptions {
        cores: thread::available_parallelism().map_or(1, usize::from),
        time: Some(time),
        memory,
        seed,
        methods: methods.unwrap_or_default(),
    };
    best_line(py, &game, &options)
}

fn failed(game: &LoadedGame, error: &dyn std::error::Error) -> PyErr {
    let what = format!("{} cannot be solved", game.name);
    LudensError::new_err(with_cause(&what, &describe(error)))
}

/// The best line for the only role.
fn best_line<'py>(
    py: Python<'py>,
    game: &LoadedGame,
    options: &PuzzleOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let stop = StopFlag::default();
    let work = || {
        let may_go_on = || stop.may_go_on();
        let control = Control::stoppable(&may_go_on);
        let puzzle = Puzzle::new(&game.stages, &game.options, control)?;
        puzzle::solve(game.stages.rules(), &puzzle, options, &may_go_on)
    };
    let report = interruptible(py, &stop, work)?.map_err(|error| failed(game, &error))?;
    to_python(py, &report)
}

/// What is proven for each role.
fn value<'py>(
    py: Python<'py>,
    game: &LoadedGame,
    sentences: &[String],
    options: &SolveOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let stop = StopFlag::default();
    let work = || {
        let may_go_on = || stop.may_go_on();
        let control = Control::stoppable(&may_go_on);
        let position = SolveGame::new(&game.stages, &game.options, control, Some(sentences))?;
        solve_position(&position, options, &mut |_| may_go_on())
    };
    let solution = interruptible(py, &stop, work)?.map_err(|error| failed(game, &error))?;
    to_python(py, &solution)
}
