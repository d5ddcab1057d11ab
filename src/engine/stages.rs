//! One sheet on its way to several engines.
//!
//! Grounding is the dear part of making an engine, and every engine behind it starts from the same
//! ground rules; whoever compares engines grounds a sheet once.

use std::sync::Arc;

use propnet::circuit::CircuitGame;
use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::ground::{GroundGame, GroundRules};
use propnet::reference::Reasoner;

use super::options::EngineOptions;
use super::registry::Engine;
use crate::circuit::circuit_of;
use crate::ground::{Bounds, Ungrounded, ground_within};

/// The rules of a sheet, and their ground rules once an engine has asked for them.
pub struct Stages<'r> {
    rules: &'r Rules,
    ground: Option<(Bounds, Result<Arc<GroundRules>, Ungrounded>)>,
}

impl<'r> Stages<'r> {
    /// The stages of rules that `propnet::reference::load` gave.
    pub fn new(rules: &'r Rules) -> Self {
        Stages { rules, ground: None }
    }

    /// Makes a game. Only an engine that grounds the rules can fail.
    pub fn start(
        &mut self,
        engine: Engine,
        options: &EngineOptions,
    ) -> Result<Box<dyn Game>, Ungrounded> {
        Ok(match engine {
            Engine::Reference => Box::new(Reasoner::new(self.rules)),
            Engine::Ground => Box::new(GroundGame::new(self.ground_rules(&options.bounds)?)),
            Engine::Circuit => {
                let rules = self.ground_rules(&options.bounds)?;
                Box::new(CircuitGame::new(circuit_of(&rules, &options.passes)?))
            }
        })
    }

    /// The ground rules, made once for the same bounds.
    pub fn ground_rules(&mut self, bounds: &Bounds) -> Result<Arc<GroundRules>, Ungrounded> {
        if let Some((known, rules)) = &self.ground
            && known == bounds
        {
            return rules.clone();
        }
        let rules = ground_within(self.rules, bounds).map(|grounding| Arc::new(grounding.rules));
        self.ground = Some((*bounds, rules.clone()));
        rules
    }

    /// Lets the ground rules go; an engine that asks for them makes them anew.
    pub fn forget(&mut self) {
        self.ground = None;
    }
}
