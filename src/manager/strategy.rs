//! A search as a player, in this process.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::seat::{Ask, Fault, Mind, Said};
use crate::agent::{Agent, AgentError, AgentOptions, Ender};

/// The way to end a player that thinks, once it has begun.
#[derive(Clone, Default)]
pub(super) struct Bell(Arc<Mutex<Option<Ender>>>);

impl Bell {
    /// Ends the thinking.
    pub(super) fn ring(&self) {
        if let Ok(ender) = self.0.lock()
            && let Some(ender) = &*ender
        {
            ender.end();
        }
    }
}

/// A search that plays.
pub(super) struct StrategyPlayer {
    pub(super) sheet: String,
    pub(super) role: String,
    pub(super) options: AgentOptions,
    pub(super) agent: Option<Agent>,
    pub(super) bell: Bell,
}

impl StrategyPlayer {
    fn start(&mut self, deadline: Option<Instant>) -> Result<(), AgentError> {
        let agent = Agent::start(&self.sheet, &self.role, &self.options, deadline)?;
        if let Ok(mut bell) = self.bell.0.lock() {
            *bell = Some(agent.ender());
        }
        self.agent = Some(agent);
        Ok(())
    }
}

impl Mind for StrategyPlayer {
    fn answer(&mut self, ask: &Ask) -> Result<Said, Fault> {
        if ask.turn == 0 {
            self.start(ask.deadline).map_err(fault)?;
            return Ok(Said { text: "ready".to_string(), report: None });
        }
        let Some(agent) = &mut self.agent else {
            return Err(Fault::Broken("it did not get ready".to_string()));
        };
        let answer = agent.play(ask.previous.as_deref(), ask.deadline).map_err(fault)?;
        Ok(Said { text: answer.text, report: answer.report })
    }
}

fn fault(error: AgentError) -> Fault {
    match error {
        AgentError::Late => Fault::Late,
        error => Fault::Broken(error.to_string()),
    }
}
