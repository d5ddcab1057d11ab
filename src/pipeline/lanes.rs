//! Circuit -> a program that lanes can run: the program, its code, and how wide the lanes are.

use std::sync::Arc;

use propnet::circuit::Circuit;
use propnet::game::Game;
use propnet::lanes::{Backend, Code, LanesGame, Part, PerWidth, Setup, Word};
use propnet::machine::MachineError;
use propnet::program::{Program, StepOptions};

use super::control::Control;
use super::error::PipelineError;
use crate::playouts::Codes;

/// A program and its code, for lanes of one width. Threads share it.
#[derive(Clone)]
pub struct LaneProgram {
    /// The program.
    pub program: Arc<Program>,
    /// What runs it.
    pub codes: Codes,
    /// The width of the lanes, and what they are to run on.
    pub setup: Setup,
}

/// When machine code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compile {
    /// Before the first playout.
    First,
    /// During the first playouts: the portable simulator runs until a separate thread has compiled
    /// the code, and then lanes switch over. Results are the same either way, but when they switch
    /// depends on the clock.
    Beside,
}

impl LaneProgram {
    /// The program of a circuit, for playouts with this step and for questions.
    pub fn new(
        circuit: &Circuit,
        setup: Setup,
        step: &StepOptions,
        compile: Compile,
    ) -> Result<Self, MachineError> {
        let program = Program::with_options(circuit, setup.mapping(), step);
        Self::with_code(program, setup, compile, Part::QUESTIONS, &|| true)
    }

    /// The same, unless the caller stops the work.
    pub fn new_while(
        circuit: &Circuit,
        setup: Setup,
        step: &StepOptions,
        compile: Compile,
        control: Control<'_>,
    ) -> Result<Self, PipelineError> {
        let program =
            Program::with_options_while(circuit, setup.mapping(), step, control.may_go_on);
        let program = program.ok_or(PipelineError::Stopped { work: "making the program" })?;
        Ok(Self::with_code(program, setup, compile, Part::QUESTIONS, control.may_go_on)?)
    }

    /// The program of a circuit for nothing but playouts, of this many joint moves at most.
    pub fn for_playouts(
        circuit: &Circuit,
        setup: Setup,
        limit: u64,
        compile: Compile,
    ) -> Result<Self, MachineError> {
        let limit_bits = StepOptions::bits_for(limit);
        let step = StepOptions { limit_bits, restart: true, ..StepOptions::default() };
        let program = Program::with_options(circuit, setup.mapping(), &step);
        Self::with_code(program, setup, compile, &[], &|| true)
    }

    /// The program of a circuit for nothing but questions.
    pub fn for_questions(circuit: &Circuit, setup: Setup) -> Result<Self, MachineError> {
        let program = Arc::new(Program::new(circuit, setup.mapping()));
        let codes = Codes::of(Code::for_questions(&program, setup.backend())?);
        Ok(LaneProgram { program, codes, setup })
    }

    /// The same, unless the caller stops the work.
    pub fn for_questions_while(
        circuit: &Circuit,
        setup: Setup,
        control: Control<'_>,
    ) -> Result<Self, PipelineError> {
        let step = StepOptions { restart: true, ..StepOptions::default() };
        let program =
            Program::with_options_while(circuit, setup.mapping(), &step, control.may_go_on);
        let program = program.ok_or(PipelineError::Stopped { work: "making the program" })?;
        let code = Code::new_while(&program, setup.backend(), Part::QUESTIONS, control.may_go_on)?;
        Ok(LaneProgram { program: Arc::new(program), codes: Codes::of(code), setup })
    }

    /// With code for playouts, and for more. Code that is compiled first is given up as soon as
    /// `proceed` says no.
    fn with_code(
        program: Program,
        setup: Setup,
        compile: Compile,
        more: &'static [Part],
        proceed: &dyn Fn() -> bool,
    ) -> Result<Self, MachineError> {
        let program = Arc::new(program);
        let codes = match (compile, setup.backend()) {
            (Compile::Beside, Backend::Machine(level)) => Codes::later_with(&program, level, more)?,
            (_, backend) => Codes::ready_while(&program, backend, more, proceed)?,
        };
        Ok(LaneProgram { program, codes, setup })
    }

    /// The game, one state at a time.
    pub fn game(&self) -> Box<dyn Game + Send> {
        self.setup.width().dispatch(MakeGame(self))
    }

    /// Whether the code is the fastest that will be available.
    pub fn is_settled(&self) -> bool {
        self.codes.is_settled()
    }
}

struct MakeGame<'p>(&'p LaneProgram);

impl PerWidth for MakeGame<'_> {
    type Output = Box<dyn Game + Send>;

    fn run<W: Word>(self) -> Box<dyn Game + Send> {
        let LaneProgram { program, codes, .. } = self.0;
        Box::new(LanesGame::<W>::new(program.clone(), codes.best()))
    }
}

#[cfg(test)]
mod tests {
    use propnet::gdl::Source;
    use propnet::reference::load;

    use super::*;
    use crate::library;
    use crate::pipeline::{PipelineOptions, circuit_within};

    #[test]
    fn compiling_can_be_stopped() {
        let entry = library::find("tic_tac_toe").expect("a game");
        let rules = load(Source::from_text(entry.name, entry.text)).expect("rules");
        let circuit = circuit_within(&rules, &PipelineOptions::default()).expect("a circuit");
        let setup = Setup::default();
        let program = || Program::new(&circuit, setup.mapping());
        if setup.backend() == Backend::Portable {
            return;
        }
        let make = |compile, proceed: &dyn Fn() -> bool| {
            LaneProgram::with_code(program(), setup, compile, Part::QUESTIONS, proceed)
        };
        let error = make(Compile::First, &|| false).err().expect("it was stopped");
        assert_eq!(
            PipelineError::from(error),
            PipelineError::Stopped { work: "compiling the program" }
        );
        assert!(make(Compile::First, &|| true).is_ok());
        // The thread that compiles has its own stop signal.
        assert!(make(Compile::Beside, &|| false).is_ok());
    }
}
