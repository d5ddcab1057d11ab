//! One sheet on its way to several engines.
//!
//! Grounding is the dear part of making an engine, and every engine behind it starts from the same
//! ground rules; whoever compares engines grounds a sheet once.

use std::sync::Arc;

use propnet::circuit::{Circuit, CircuitGame};
use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::ground::{GroundGame, GroundRules};
use propnet::lanes::{Code, LanesGame, PerWidth, Setup, Word};
use propnet::program::Program;
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

    /// Makes a game; see [`Engine::start`].
    pub fn start(
        &mut self,
        engine: Engine,
        options: &EngineOptions,
    ) -> Result<Box<dyn Game>, Ungrounded> {
        Ok(match engine {
            Engine::Reference => Box::new(Reasoner::new(self.rules)),
            Engine::Ground => Box::new(GroundGame::new(self.ground_rules(&options.bounds)?)),
            Engine::Circuit => Box::new(CircuitGame::new(self.circuit(options)?)),
            Engine::Scalar => lanes_game(&self.circuit(options)?, Setup::SCALAR)?,
            Engine::Lanes => lanes_game(&self.circuit(options)?, options.lanes)?,
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

    fn circuit(&mut self, options: &EngineOptions) -> Result<Circuit, Ungrounded> {
        let rules = self.ground_rules(&options.bounds)?;
        Ok(circuit_of(&rules, &options.passes)?)
    }

    /// Lets the ground rules go; an engine that asks for them makes them anew.
    pub fn forget(&mut self) {
        self.ground = None;
    }
}

/// The game of a circuit in lanes.
fn lanes_game(circuit: &Circuit, setup: Setup) -> Result<Box<dyn Game>, Ungrounded> {
    let program = Arc::new(Program::new(circuit, setup.mapping()));
    let code = Arc::new(Code::for_questions(&program, setup.backend())?);
    Ok(setup.width().dispatch(InLanes { program, code }))
}

struct InLanes {
    program: Arc<Program>,
    code: Arc<Code>,
}

impl PerWidth for InLanes {
    type Output = Box<dyn Game>;

    fn run<W: Word>(self) -> Box<dyn Game> {
        Box::new(LanesGame::<W>::new(self.program, &self.code))
    }
}
