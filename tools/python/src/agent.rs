//! One role of one match within its clocks: the player of `ludens serve`, without the server.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use ludens::agent::{Agent, AgentOptions, AgentSettings, StopHandle};
use ludens::search::Settings;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{PlayError, describe, play_error, setting_error};
use crate::game::lock;
use crate::search::PyReport;

/// A player of a match. It has a legal move ready before each deadline, also while a large sheet is
/// still being grounded.
#[pyclass(frozen, name = "Agent", module = "ludens")]
pub(crate) struct PyAgent {
    agent: Mutex<Agent>,
    stop: StopHandle,
}

/// The point in time so many seconds from now.
fn deadline(seconds: Option<f64>) -> PyResult<Option<Instant>> {
    let Some(seconds) = seconds else { return Ok(None) };
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|error| PyValueError::new_err(format!("seconds: {error}")))?;
    Ok(Instant::now().checked_add(time))
}

#[pymethods]
impl PyAgent {
    /// Reads the text of a sheet, and searches until shortly before `seconds` are over.
    #[new]
    #[pyo3(signature = (sheet, role, strategy="uct", seconds=None, seed=0, margin=0.3))]
    fn new(
        py: Python<'_>,
        sheet: &str,
        role: &str,
        strategy: &str,
        seconds: Option<f64>,
        seed: u64,
        margin: f64,
    ) -> PyResult<Self> {
        let deadline = deadline(seconds)?;
        let search: Settings = strategy.parse().map_err(|error| setting_error(&error))?;
        let margin = Duration::try_from_secs_f64(margin)
            .map_err(|error| PyValueError::new_err(format!("margin: {error}")))?;
        let settings = AgentSettings { margin, ..search.into() };
        let options = AgentOptions { settings, seed, ..AgentOptions::default() };
        let stop = StopHandle::default();
        let agent = py.detach(|| Agent::start_stoppable(sheet, role, &options, deadline, &stop));
        let agent = agent.map_err(|error| play_error(&error))?;
        Ok(PyAgent { agent: Mutex::new(agent), stop })
    }

    /// The move to make now, within so many seconds: its text, where it came from (`circuit`,
    /// `reference` or `fallback`), and the report of its search, or None. `previous` is the joint
    /// move since the last question.
    #[pyo3(signature = (previous=None, seconds=None))]
    fn play(
        &self,
        py: Python<'_>,
        previous: Option<Vec<String>>,
        seconds: Option<f64>,
    ) -> PyResult<(String, &'static str, Option<PyReport>)> {
        let deadline = deadline(seconds)?;
        let answer = py.detach(|| lock(&self.agent).play(previous.as_deref(), deadline));
        let answer = answer.map_err(|error| PlayError::new_err(describe(&error)))?;
        Ok((answer.text, answer.origin.name(), answer.report.map(|report| PyReport { report })))
    }

    /// Whether the rules allow a joint move now; None if that is not known in time.
    #[pyo3(signature = (moves, seconds=None))]
    fn can_follow(
        &self,
        py: Python<'_>,
        moves: Vec<String>,
        seconds: Option<f64>,
    ) -> PyResult<Option<bool>> {
        let deadline = deadline(seconds)?;
        Ok(py.detach(|| lock(&self.agent).can_follow(&moves, deadline)))
    }

    /// What is known of the position: `step`, `sentences`, `legal`, `over` and `goals`; None if that
    /// is not known in time.
    #[pyo3(signature = (seconds=None))]
    fn position<'py>(
        &self,
        py: Python<'py>,
        seconds: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let deadline = deadline(seconds)?;
        let position = py.detach(|| lock(&self.agent).position(deadline).cloned());
        let Some(position) = position else { return Ok(None) };
        let parts = PyDict::new(py);
        parts.set_item("step", position.step)?;
        parts.set_item("sentences", position.sentences)?;
        parts.set_item("legal", position.legal)?;
        parts.set_item("over", position.is_over)?;
        parts.set_item("goals", position.goals)?;
        Ok(Some(parts))
    }

    /// The roles of the game, in the spelling of the sheet.
    #[getter]
    fn roles(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| lock(&self.agent).roles().to_vec())
    }

    /// Ends its threads soon.
    fn stop(&self) {
        self.stop.stop();
    }
}
