//! Exceptions, with the messages of the command line.

use std::error::Error;

use ludens::text::plain_lines;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    ludens,
    LudensError,
    PyException,
    "What the library reports: base of all others."
);
create_exception!(
    ludens,
    SheetError,
    LudensError,
    "A sheet that cannot be read, played or compiled."
);
create_exception!(ludens, PlayError, LudensError, "A move or a state that does not fit the game.");
create_exception!(
    ludens,
    SettingError,
    LudensError,
    "A strategy or a setting that does not exist."
);

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("LudensError", py.get_type::<LudensError>())?;
    module.add("SheetError", py.get_type::<SheetError>())?;
    module.add("PlayError", py.get_type::<PlayError>())?;
    module.add("SettingError", py.get_type::<SettingError>())
}

/// An error and its causes, as the command line writes them.
pub(crate) fn describe(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = with_cause(&text, &error.to_string());
        cause = error.source();
    }
    plain_lines(&text)
}

/// What failed, and why; a cause of several lines starts on its own line.
pub(crate) fn with_cause(what: &str, why: &str) -> String {
    format!("{what}{}{why}", if why.contains('\n') { ":\n" } else { ": " })
}

/// The exception for a sheet.
pub(crate) fn sheet_error(error: &dyn Error) -> PyErr {
    SheetError::new_err(describe(error))
}

/// The same with the name of the sheet.
pub(crate) fn named_sheet_error(name: &str, error: &dyn Error) -> PyErr {
    SheetError::new_err(plain_lines(&with_cause(name, &describe(error))))
}

/// The exception for a move or a state.
pub(crate) fn play_error(error: &dyn Error) -> PyErr {
    PlayError::new_err(describe(error))
}

/// The exception for a setting.
pub(crate) fn setting_error(error: &dyn Error) -> PyErr {
    SettingError::new_err(describe(error))
}
