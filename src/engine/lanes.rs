//! A game in lanes: the program, its code, and who asks.

use std::sync::Arc;

use propnet::circuit::Circuit;
use propnet::game::Game;
use propnet::lanes::{Code, LanesGame, PerWidth, Setup, Word};
use propnet::machine::MachineError;
use propnet::program::Program;

/// A program and its code, for lanes of one width.
#[derive(Clone)]
pub struct Lanes {
    /// The program.
    pub program: Arc<Program>,
    /// Its code, ready for questions.
    pub code: Arc<Code>,
    /// Their width, and what runs them.
    pub setup: Setup,
}

impl Lanes {
    /// The lanes of a circuit.
    pub fn new(circuit: &Circuit, setup: Setup) -> Result<Self, MachineError> {
        let program = Arc::new(Program::new(circuit, setup.mapping()));
        let code = Arc::new(Code::for_questions(&program, setup.backend())?);
        Ok(Lanes { program, code, setup })
    }

    /// The game, one state at a time.
    pub fn game(&self) -> Box<dyn Game> {
        self.setup.width().dispatch(MakeGame(self))
    }
}

struct MakeGame<'a>(&'a Lanes);

impl PerWidth for MakeGame<'_> {
    type Output = Box<dyn Game>;

    fn run<W: Word>(self) -> Box<dyn Game> {
        Box::new(LanesGame::<W>::new(self.0.program.clone(), &self.0.code))
    }
}
