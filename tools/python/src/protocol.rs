//! Messages of game managers, read by the player's own reader.

use ludens::protocol::{Message, read_message as read};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::PlayError;

/// Reads a message of the GGP protocol: a dictionary with its `kind` (info, start, play, stop, abort
/// or preview) and its parts. Raises PlayError with what is wrong.
#[pyfunction]
pub(crate) fn read_message<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let message = read(text).map_err(|error| PlayError::new_err(error.to_string()))?;
    let parts = PyDict::new(py);
    parts.set_item("kind", message.kind())?;
    match message {
        Message::Info => {}
        Message::Start(start) => {
            parts.set_item("id", start.id)?;
            parts.set_item("role", start.role)?;
            parts.set_item("sheet", start.sheet)?;
            parts.set_item("start_clock", start.start_clock.as_secs_f64())?;
            parts.set_item("play_clock", start.play_clock.as_secs_f64())?;
        }
        Message::Play { id, previous } | Message::Stop { id, previous } => {
            parts.set_item("id", id)?;
            parts.set_item("previous", previous)?;
        }
        Message::Abort { id } => parts.set_item("id", id)?,
        Message::Preview { clock, .. } => parts.set_item("clock", clock.as_secs_f64())?,
    }
    Ok(parts)
}
