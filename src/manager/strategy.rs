//! A search as a player, in this process.

use super::player_thread::{Fault, PlayerAnswer, PlayerBackend, PlayerRequest};
use crate::agent::{Agent, AgentError, AgentOptions, Sheet, StopHandle};

/// A search that plays.
pub(super) struct StrategyPlayer {
    pub(super) sheet: Sheet,
    pub(super) role: String,
    pub(super) options: AgentOptions,
    pub(super) agent: Option<Agent>,
    pub(super) stop_handle: StopHandle,
}

impl PlayerBackend for StrategyPlayer {
    fn answer(&mut self, request: &PlayerRequest) -> Result<PlayerAnswer, Fault> {
        if request.turn == 0 {
            let (sheet, role, stop_handle) = (self.sheet.clone(), &self.role, &self.stop_handle);
            let agent =
                Agent::start_stoppable(sheet, role, &self.options, request.deadline, stop_handle);
            self.agent = Some(agent.map_err(fault)?);
            return Ok(PlayerAnswer { text: "ready".to_string(), report: None });
        }
        let Some(agent) = &mut self.agent else {
            return Err(Fault::Broken("it did not get ready".to_string()));
        };
        let answer = agent.play(request.previous.as_deref(), request.deadline).map_err(fault)?;
        Ok(PlayerAnswer { text: answer.text, report: answer.report })
    }
}

fn fault(error: AgentError) -> Fault {
    Fault::Broken(error.to_string())
}
