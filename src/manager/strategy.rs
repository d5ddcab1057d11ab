//! A search as a player, in this process.

use super::seat::{Ask, Fault, Mind, Said};
use crate::agent::{Agent, AgentError, AgentOptions, StopHandle};

/// A search that plays.
pub(super) struct StrategyPlayer {
    pub(super) sheet: String,
    pub(super) role: String,
    pub(super) options: AgentOptions,
    pub(super) agent: Option<Agent>,
    pub(super) stop_handle: StopHandle,
}

impl Mind for StrategyPlayer {
    fn answer(&mut self, ask: &Ask) -> Result<Said, Fault> {
        if ask.turn == 0 {
            let (sheet, role, stop_handle) = (&self.sheet, &self.role, &self.stop_handle);
            let agent =
                Agent::start_stoppable(sheet, role, &self.options, ask.deadline, stop_handle);
            self.agent = Some(agent.map_err(fault)?);
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
    Fault::Broken(error.to_string())
}
