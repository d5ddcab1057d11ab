//! Many games side by side, as numpy arrays.

use std::sync::{Arc, Mutex};

use ludens::vector::VectorGame;
use numpy::ndarray::Array2;
use numpy::{
    AllowTypeChange, IntoPyArray, PyArray1, PyArray2, PyArrayLike1, PyArrayLike2, PyArrayMethods,
    PyReadwriteArray2, PyUntypedArrayMethods,
};
use propnet::game::State;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arguments;
use crate::errors::{PlayError, play_error};
use crate::game::{LoadedGame, PyGame, lock};
use crate::state::PyState;

/// The most games of a batch: arrays beyond that do not fit any memory.
const MOST_GAMES: usize = 1 << 26;

/// Many games side by side. Rows of arrays are games; actions are indices into `game.moves(role)`.
#[pyclass(frozen, name = "Batch", module = "ludens")]
pub(crate) struct PyBatch {
    game: Arc<LoadedGame>,
    games: Mutex<VectorGame>,
    count: usize,
}

impl PyBatch {
    pub(crate) fn make(
        py: Python<'_>,
        game: &Arc<LoadedGame>,
        games: &Bound<'_, PyAny>,
        seed: u64,
        autoreset: bool,
        max_steps: Option<u32>,
        threads: usize,
    ) -> PyResult<Self> {
        let mut vector = if let Ok(count) = games.extract::<i64>() {
            let count = usize::try_from(count).ok().filter(|&count| count <= MOST_GAMES);
            let count = count.ok_or_else(|| {
                PyValueError::new_err(format!("a batch has 0 to {MOST_GAMES} games"))
            })?;
            py.detach(|| VectorGame::new(&game.program, count, seed))
        } else {
            let states = states(game, games)?;
            py.detach(|| VectorGame::at(&game.program, &states, seed))
                .map_err(|error| play_error(&error))?
        };
        vector.rule.restarts = autoreset;
        vector.rule.limit = max_steps;
        vector.threads = threads;
        let count = vector.count();
        Ok(PyBatch { game: game.clone(), games: Mutex::new(vector), count })
    }

    /// An array with a row for each game, in the given memory or in new memory.
    fn rows<'py, T: numpy::Element + Copy + Default + Send>(
        &self,
        py: Python<'py>,
        columns: usize,
        out: Option<Bound<'py, PyArray2<T>>>,
        write: impl Fn(&mut VectorGame, &mut [T]) + Send + Sync,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        let Some(out) = out else {
            let rows = py.detach(|| {
                let mut rows = Array2::default((self.count, columns));
                if let Some(slice) = rows.as_slice_mut() {
                    write(&mut lock(&self.games), slice);
                }
                rows
            });
            return Ok(rows.into_pyarray(py));
        };
        if out.shape() != [self.count, columns] {
            let what = format!("out has to have the shape ({}, {columns})", self.count);
            return Err(PyValueError::new_err(what));
        }
        let mut rows: PyReadwriteArray2<'_, T> =
            out.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let slice =
            rows.as_slice_mut().map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.detach(|| write(&mut lock(&self.games), slice));
        Ok(out)
    }

    /// An array with a value for each game.
    fn column<'py>(
        &self,
        py: Python<'py>,
        write: impl Fn(&mut VectorGame, &mut [bool]) + Send + Sync,
    ) -> Bound<'py, PyArray1<bool>> {
        let column = py.detach(|| {
            let mut column = vec![false; self.count];
            write(&mut lock(&self.games), &mut column);
            column
        });
        column.into_pyarray(py)
    }
}

fn states(game: &Arc<LoadedGame>, given: &Bound<'_, PyAny>) -> PyResult<Vec<State>> {
    let wrong = || PyTypeError::new_err("a batch is made of a number of games, or of states");
    let iterator = given.try_iter().map_err(|_| wrong())?;
    let state = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        let state = item.cast::<PyState>().map_err(|_| wrong())?;
        state.get().of(game).cloned()
    };
    iterator.map(state).collect()
}

/// The actions of all games, row by row.
fn actions(given: &Bound<'_, PyAny>, count: usize, roles: usize) -> PyResult<Vec<i32>> {
    // Numbers with a fraction would be cut silently.
    if let Ok(kind) = given.getattr("dtype").and_then(|dtype| dtype.getattr("kind"))
        && !["i", "u"].contains(&kind.extract::<String>()?.as_str())
    {
        return Err(PyTypeError::new_err("actions are whole numbers: indices of moves"));
    }
    let shape = || {
        PyValueError::new_err(format!("actions have the shape ({count}, {roles}): games x roles"))
    };
    let flat: Vec<i32> = if let Ok(rows) = given.extract::<PyArrayLike2<'_, i32, AllowTypeChange>>()
    {
        if rows.shape() != [count, roles] {
            return Err(shape());
        }
        rows.as_array().iter().copied().collect()
    } else if roles == 1 {
        let column: PyArrayLike1<'_, i32, AllowTypeChange> = given.extract()?;
        if column.len() != count {
            return Err(shape());
        }
        column.as_array().iter().copied().collect()
    } else {
        return Err(shape());
    };
    Ok(flat)
}

#[pymethods]
impl PyBatch {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { inner: self.game.clone() }
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<ludens.Batch of {} games of {}>", self.count, self.game.name)
    }

    /// Makes an action of each role in each game: an array of games x roles. Raises PlayError, and
    /// changes nothing, where one is not legal. Games that are over take any action.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = self::actions(actions, self.count, self.game.names().roles().len())?;
        py.detach(|| lock(&self.games).step(&actions))
            .map_err(|error| PlayError::new_err(error.to_string()))
    }

    /// Makes a legal action of each role at random in each game, `steps` times: the same as
    /// `step(random_actions())`, without arrays in between. Returns how many steps of games that
    /// were.
    #[pyo3(signature = (steps=1))]
    fn step_at_random(&self, py: Python<'_>, steps: usize) -> PyResult<u64> {
        let roles = self.game.names().roles().len();
        let stop = crate::interrupt::StopFlag::default();
        let work = || {
            let mut games = lock(&self.games);
            let (mut actions, mut made) = (vec![0; self.count * roles], 0);
            for _ in 0..steps {
                if !stop.may_go_on() {
                    break;
                }
                games.sample(&mut actions);
                made += actions.chunks_exact(roles).filter(|joint| joint[0] >= 0).count() as u64;
                games.step(&actions).map_err(|error| PlayError::new_err(error.to_string()))?;
            }
            Ok(made)
        };
        crate::interrupt::interruptible(py, &stop, work)?
    }

    /// A legal action of each role at random in each game, all with the same chance; -1 where the
    /// game is over.
    #[pyo3(signature = (out=None))]
    fn random_actions<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<i32>>>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let roles = self.game.names().roles().len();
        self.rows(py, roles, out, |games, rows| games.sample(rows))
    }

    /// Which moves of a role are legal: an array of games x moves.
    #[pyo3(signature = (role, out=None))]
    fn legal<'py>(
        &self,
        py: Python<'py>,
        role: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyArray2<bool>>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let role = arguments::role(&self.game, role)?;
        let moves = self.game.names().move_count(role);
        self.rows(py, moves, out, |games, rows| games.legal(role, rows))
    }

    /// What is true: an array of games x fluents, written into `out` where it is given.
    #[pyo3(signature = (out=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<bool>>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let fluents = self.game.names().fluent_count();
        self.rows(py, fluents, out, |games, rows| games.observations(rows))
    }

    /// What is true: an array of games x fluents.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        self.observe(py, None)
    }

    /// What was true in the states that the last step reached, also where a game has started anew.
    #[getter]
    fn last_observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let fluents = self.game.names().fluent_count();
        self.rows(py, fluents, None, |games, rows| games.last_observations(rows))
    }

    /// Which games the last step ended by their rules.
    #[getter]
    fn terminal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.column(py, |games, ended| {
            let mut cut = vec![false; ended.len()];
            games.ends(ended, &mut cut);
        })
    }

    /// Which games the last step gave up: after `max_steps`, or since a role cannot move.
    #[getter]
    fn truncated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.column(py, |games, cut| {
            let mut ended = vec![false; cut.len()];
            games.ends(&mut ended, cut);
        })
    }

    /// Which games are over; without `autoreset` they wait for `reset`.
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.column(py, |games, over| games.over(over))
    }

    /// The goals of the games that the last step ended: an array of games x roles, NaN elsewhere.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let roles = self.game.names().roles().len();
        self.rows(py, roles, None, |games, rows| games.goals(rows))
    }

    /// Starts games anew: all, or those for which the mask is true.
    #[pyo3(signature = (mask=None))]
    fn reset(&self, py: Python<'_>, mask: Option<PyArrayLike1<'_, bool>>) -> PyResult<()> {
        let mask: Option<Vec<bool>> = mask.map(|mask| mask.as_array().iter().copied().collect());
        if let Some(mask) = mask.as_ref().filter(|mask| mask.len() != self.count) {
            let what = format!("the mask has {} values for {} games", mask.len(), self.count);
            return Err(PyValueError::new_err(what));
        }
        py.detach(|| lock(&self.games).restart(mask.as_deref()));
        Ok(())
    }

    /// The states of all games.
    fn states(&self, py: Python<'_>) -> Vec<PyState> {
        let states = py.detach(|| lock(&self.games).states());
        let state = |state| PyState { game: self.game.clone(), state };
        states.into_iter().map(state).collect()
    }
}
