//! A player that may still be reading its sheet.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::agent::Agent;
use super::error::AgentError;
use super::options::AgentOptions;
use super::referee::receive;
use super::signals::Ender;

/// A player that starts in a thread of its own: whoever has to say something when the start clock
/// is over can say it, and have the player later.
pub struct Starting {
    started: Receiver<Result<Agent, AgentError>>,
    margin: Duration,
}

impl Starting {
    /// Starts a player as [`Agent::start_endable`] does.
    pub fn begin(
        sheet: &str,
        role: &str,
        options: &AgentOptions,
        deadline: Instant,
        ender: &Ender,
    ) -> Result<Self, AgentError> {
        let (sheet, role) = (sheet.to_string(), role.to_string());
        let (options, ender) = (options.clone(), ender.clone());
        let margin = options.settings.margin;
        let (start, started) = channel();
        let work = move || {
            let agent = Agent::start_endable(&sheet, &role, &options, Some(deadline), &ender);
            // Nobody may be there any more.
            let _ = start.send(agent);
        };
        let thread = thread::Builder::new().name("start".to_string()).spawn(work);
        thread.map_err(|error| AgentError::Broken(error.to_string()))?;
        Ok(Starting { started, margin })
    }

    /// The player, or why there is none; nothing if that is not known in time.
    pub fn wait(&self, deadline: Instant) -> Option<Result<Agent, AgentError>> {
        // A little longer than the player itself takes if it has read its sheet.
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
