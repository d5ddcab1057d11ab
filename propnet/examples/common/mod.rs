//! The sheet that an example plays.

use std::io;

/// The text of the sheet that the command line names, or that of tic-tac-toe.
pub(crate) fn sheet() -> io::Result<String> {
    match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path),
        None => Ok(include_str!("../../../games/tic_tac_toe.kif").to_string()),
    }
}
