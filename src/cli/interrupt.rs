//! Signals that end a command after it has finished properly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit code of a program that a second signal ends at once.
const ENDED: i32 = 130;

/// A flag that is set by Ctrl-C or another signal to end. A second signal ends the program at
/// once.
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
