//! The Python package `ludens`: games, states, batches, searches and players of the Rust library.
//!
//! ```text
//! game      Game: a loaded sheet            state     State: one position of a game
//! batch     Batch: many games, as arrays    playouts  random playouts, with weights
//! search    Search and Report               puzzle    solve: games for one role
//! circuit   Circuit: diagrams and figures   agent     Agent: one role of a match, in time
//! protocol  messages of game managers       errors    exceptions
//! arguments roles, moves and arrays that Python gives
//! interrupt long work that Ctrl-C ends      json      reports as Python data
//! ```
//!
//! Long calls release the interpreter's lock. Objects never change while two threads use them:
//! they are frozen, or hold what changes behind a lock.

mod agent;
mod arguments;
mod batch;
mod circuit;
mod errors;
mod game;
mod interrupt;
mod json;
mod playouts;
mod protocol;
mod puzzle;
mod search;
mod state;

use pyo3::prelude::*;

/// The extension module; `ludens/__init__.py` gives its contents to users.
#[pymodule]
fn _ludens(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<state::PyState>()?;
    module.add_class::<batch::PyBatch>()?;
    module.add_class::<playouts::PyPlayouts>()?;
    module.add_class::<search::PySearch>()?;
    module.add_class::<search::PyReport>()?;
    module.add_class::<circuit::PyCircuit>()?;
    module.add_class::<agent::PyAgent>()?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(game::_restore_game, module)?)?;
    module.add_function(wrap_pyfunction!(state::_restore_state, module)?)?;
    module.add_function(wrap_pyfunction!(game::check, module)?)?;
    module.add_function(wrap_pyfunction!(puzzle::solve, module)?)?;
    module.add_function(wrap_pyfunction!(protocol::read_message, module)?)?;
    errors::add(module)
}
