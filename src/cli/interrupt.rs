//! Signals that end a command, which then has the time to finish properly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit code of a program that a second signal ends at once.
const ENDED: i32 = 130;

/// A flag that is set when somebody presses Ctrl-C or ends the program. Whoever does it twice does
/// not want to wait.
pub(crate) fn flag() -> Result<Arc<AtomicBool>> {
    let set = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the second signal finds the flag set by the first.
        flag::register_conditional_shutdown(signal, ENDED, set.clone())
            .and_then(|_| flag::register(signal, set.clone()))
            .context("signals cannot be received")?;
    }
    Ok(set)
}
