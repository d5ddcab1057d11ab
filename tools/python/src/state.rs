//! One position of a game.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use ludens::agent::AgentError;
use ludens::draw::Marks;
use propnet::game::State;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments;
use crate::errors::{PlayError, play_error};
use crate::game::{LoadedGame, PyGame};

/// A state of a game. It never changes, can be compared, hashed and pickled, and belongs to its game.
#[pyclass(frozen, name = "State", module = "ludens")]
pub(crate) struct PyState {
    pub(crate) game: Arc<LoadedGame>,
    pub(crate) state: State,
}

impl PyState {
    /// The state, if it is one of this game.
    pub(crate) fn of(&self, game: &Arc<LoadedGame>) -> PyResult<&State> {
        if Arc::ptr_eq(&self.game, game) {
            return Ok(&self.state);
        }
        let (own, other) = (&self.game.name, &game.name);
        Err(PlayError::new_err(format!(
            "the state belongs to another game: to {own}, not to this {other}"
        )))
    }
}

/// Makes a state again that was pickled.
#[pyfunction]
pub(crate) fn _restore_state(game: PyRef<'_, PyGame>, sentences: Vec<String>) -> PyResult<PyState> {
    let state = game.inner.names().state_of(&sentences).map_err(|error| play_error(&error))?;
    Ok(PyState { game: game.inner.clone(), state })
}

#[pymethods]
impl PyState {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { inner: self.game.clone() }
    }

    /// The legal moves of a role, in the spelling of the sheet.
    fn legal(&self, role: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let role = arguments::role(&self.game, role)?;
        let mut engine = self.game.engine();
        let legal = engine.legal_moves(&self.state, role).map_err(|error| play_error(&error))?;
        let spelling = |chosen| engine.move_spelling(role, chosen);
        let moves: Result<Vec<String>, _> = legal.iter().map(spelling).collect();
        moves.map_err(|error| play_error(&error))
    }

    /// The same as indices into `game.moves(role)`.
    fn legal_actions(&self, role: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let role = arguments::role(&self.game, role)?;
        let legal = self.game.engine().legal_moves(&self.state, role);
        let legal = legal.map_err(|error| play_error(&error))?;
        Ok(legal.iter().map(|chosen| chosen.index()).collect())
    }

    /// The state after a joint move: a list with a move for each role, a dictionary by role, or the
    /// one move in a game for one role. Roles with only one legal move may be left out, or be None.
    fn step(&self, moves: &Bound<'_, PyAny>) -> PyResult<PyState> {
        if self.terminal()? {
            return Err(play_error(&AgentError::Over));
        }
        let joint = arguments::joint_move(&self.game, &self.state, moves)?;
        let next = self.game.engine().next_state(&self.state, &joint);
        let state = next.map_err(|error| play_error(&error))?;
        Ok(PyState { game: self.game.clone(), state })
    }

    /// Whether the game is over.
    #[getter]
    fn terminal(&self) -> PyResult<bool> {
        self.game.engine().is_terminal(&self.state).map_err(|error| play_error(&error))
    }

    /// By role: its goal value, or None where the rules give none.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let goals = PyDict::new(py);
        let mut engine = self.game.engine();
        for (role, name) in self.game.names().roles().iter().enumerate() {
            let goal = engine.proper_goal(&self.state, role);
            goals.set_item(name, goal.map_err(|error| play_error(&error))?)?;
        }
        Ok(goals)
    }

    /// What is true, as sorted lower-case text.
    #[getter]
    fn sentences(&self) -> PyResult<Vec<String>> {
        self.game.names().sentences(&self.state).map_err(|error| play_error(&error))
    }

    /// The boards of the state as text, as `ludens play` shows them.
    #[getter]
    fn board(&self) -> PyResult<String> {
        Ok(self.game.boards().text.draw(&self.sentences()?))
    }

    /// The boards of the state as an SVG picture; None if the game has no board.
    fn svg(&self) -> PyResult<Option<String>> {
        let sentences = self.sentences()?;
        let picture = &mut self.game.boards().picture;
        picture.include(&sentences);
        Ok(picture.has_boards().then(|| picture.svg(&sentences, &Marks::default())))
    }

    /// What a notebook shows.
    fn _repr_svg_(&self) -> PyResult<Option<String>> {
        self.svg()
    }

    fn __str__(&self) -> PyResult<String> {
        self.board()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<ludens.State of {}: {}>", self.game.name, self.sentences()?.join(" ")))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// It never changes, so a copy would be the same.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: PyRef<'_, PyState>) -> bool {
        Arc::ptr_eq(&self.game, &other.game) && self.state == other.state
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    #[expect(clippy::type_complexity, reason = "what pickle wants")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (PyGame, Vec<String>))> {
        let restore = py.import("ludens._ludens")?.getattr("_restore_state")?;
        Ok((restore, (self.game(), self.sentences()?)))
    }
}
