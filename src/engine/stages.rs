//! One sheet on its way to several engines.
//!
//! Grounding and the passes over the circuit are the dear parts of making an engine; whoever
//! compares engines grounds a sheet once, and optimises its circuit once.

use std::sync::Arc;

use propnet::circuit::optimize::Pass;
use propnet::circuit::{Circuit, CircuitGame};
use propnet::game::Game;
use propnet::gdl::Rules;
use propnet::ground::{GroundGame, GroundRules};
use propnet::reference::Reasoner;

use super::lanes::Lanes;
use super::options::EngineOptions;
use super::registry::Engine;
use crate::circuit::circuit_in_time;
use crate::ground::{Bounds, Ungrounded, ground_within};

/// A game that was made.
pub struct Made {
    /// The game.
    pub game: Box<dyn Game>,
    /// What it runs on, where that is lanes: for questions about many states.
    pub lanes: Option<Lanes>,
}

/// The rules of a sheet, with their ground rules and their circuit once an engine has asked for
/// them.
pub struct Stages<'r> {
    rules: &'r Rules,
    ground: Option<(Bounds, Result<Arc<GroundRules>, Ungrounded>)>,
    circuit: Option<((Bounds, Vec<Pass>), Circuit)>,
}

impl<'r> Stages<'r> {
    /// The stages of rules that `propnet::reference::load` gave.
    pub fn new(rules: &'r Rules) -> Self {
        Stages { rules, ground: None, circuit: None }
    }

    /// Makes a game; see [`Engine::start`].
    pub fn start(
        &mut self,
        engine: Engine,
        options: &EngineOptions,
    ) -> Result<Box<dyn Game>, Ungrounded> {
        Ok(self.make(engine, options)?.game)
    }

    /// Makes a game, together with the lanes that it runs on.
    pub fn make(&mut self, engine: Engine, options: &EngineOptions) -> Result<Made, Ungrounded> {
        let game: Box<dyn Game> = match engine {
            Engine::Reference => Box::new(Reasoner::new(self.rules)),
            Engine::Ground => Box::new(GroundGame::new(self.ground_rules(&options.bounds)?)),
            Engine::Circuit => Box::new(CircuitGame::new(self.circuit(options)?.clone())),
            Engine::Scalar | Engine::Lanes => {
                let setup = engine.lanes(options).unwrap_or_default();
                let lanes = Lanes::new(self.circuit(options)?, setup)?;
                return Ok(Made { game: lanes.game(), lanes: Some(lanes) });
            }
        };
        Ok(Made { game, lanes: None })
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

    /// The circuit, made once for the same bounds and passes.
    fn circuit(&mut self, options: &EngineOptions) -> Result<&Circuit, Ungrounded> {
        let wanted = (options.bounds, options.passes.clone());
        let known = self.circuit.take_if(|(made_with, _)| *made_with == wanted);
        let circuit = match known {
            Some((_, circuit)) => circuit,
            None => {
                let rules = self.ground_rules(&options.bounds)?;
                circuit_in_time(rules.as_ref(), &options.passes, &options.bounds)?
            }
        };
        Ok(&self.circuit.insert((wanted, circuit)).1)
    }

    /// Lets ground rules and circuit go; an engine that asks for them makes them anew.
    pub fn forget(&mut self) {
        (self.ground, self.circuit) = (None, None);
    }
}
