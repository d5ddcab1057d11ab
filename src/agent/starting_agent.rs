//! A player that may still be reading its sheet.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::agent::Agent;
use super::error::AgentError;
use super::match_tracker::receive;
use super::options::AgentOptions;
use super::sheet::Sheet;
use super::signals::StopHandle;

/// A player that starts in its own thread, so that a caller can answer at the end of the start
/// clock and get the player later.
pub struct StartingAgent {
    started: Receiver<Result<Agent, AgentError>>,
    margin: Duration,
}

impl StartingAgent {
    /// Starts a player as [`Agent::start_stoppable`] does.
    pub fn begin(
        sheet: impl Into<Sheet>,
        role: &str,
        options: &AgentOptions,
        deadline: Instant,
        stop_handle: &StopHandle,
    ) -> Result<Self, AgentError> {
        let (sheet, role) = (sheet.into(), role.to_string());
        let (options, stop_handle) = (options.clone(), stop_handle.clone());
        let margin = options.settings.margin;
        let (start, started) = channel();
        let work = move || {
            let agent =
                Agent::start_stoppable(sheet, &role, &options, Some(deadline), &stop_handle);
            // The receiver may be gone.
            let _ = start.send(agent);
        };
        let thread = thread::Builder::new().name("start".to_string()).spawn(work);
        thread.map_err(|error| AgentError::Broken(error.to_string()))?;
        Ok(StartingAgent { started, margin })
    }

    /// The player, or why there is none; nothing if that is not known in time.
    pub fn wait(&self, deadline: Instant) -> Option<Result<Agent, AgentError>> {
        // A little longer than the player itself takes once it has read its sheet.
        let left = deadline.saturating_duration_since(Instant::now());
        let patience = left - self.margin.min(left / 2) / 2;
        match receive(&self.started, Some(Instant::now() + patience)) {
            Ok(agent) => Some(agent),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err(AgentError::Broken("its start failed".to_string())))
            }
        }
    }
}
