//! A search as a player, in this process.

use super::seat::{Ask, Fault, Mind, Said};
use crate::agent::{Agent, AgentError, AgentOptions, Ender};

/// A search that plays.
pub(super) struct StrategyPlayer {
    pub(super) sheet: String,
    pub(super) role: String,
    pub(super) options: AgentOptions,
    pub(super) agent: Option<Agent>,
    pub(super) ender: Ender,
}

impl Mind for StrategyPlayer {
    fn answer(&mut self, ask: &Ask) -> Result<Said, Fault> {
        if ask.turn == 0 {
            let (sheet, role, ender) = (&self.sheet, &self.role, &self.ender);
            let agent = Agent::start_endable(sheet, role, &self.options, ask.deadline, ender);
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
