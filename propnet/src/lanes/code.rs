//! How the routines of a program are run: by the portable simulator, or as machine code.
//!
//! Machine code is made of a routine when it is asked for, so a caller that only plays does not wait
//! for the code of questions, and the other way round.

use std::sync::OnceLock;

use super::portable::Simulation;
use super::word::Word;
use crate::machine::{Executable, Level, MachineError, assemble_while};
use crate::program::{Program, Routine};

/// What runs routines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// The portable simulator, on words of any width.
    Portable,
    /// Machine code, on words as wide as the registers of the level.
    Machine(Level),
}

impl Backend {
    /// All back ends, whether this processor has them or not.
    pub const ALL: &[Backend] =
        &[Backend::Portable, Backend::Machine(Level::Avx2), Backend::Machine(Level::Avx512)];

    /// The back end's name, for people and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
            Backend::Machine(level) => level.name(),
        }
    }
}

/// A routine of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A step of a playout, or what of it comes before a choice by weights.
    Step,
    /// The rest of a step, after a choice by weights.
    Rest,
    /// The mix of seed and job number.
    Mix,
    /// The goals.
    Score,
    /// What is legal, and whether the game is over.
    Look,
    /// The next state after given moves.
    Advance,
    /// Putting aside the states of some lanes.
    Aside,
}

impl Part {
    /// What playouts need.
    pub const PLAYOUTS: &[Part] = &[Part::Step, Part::Rest, Part::Mix, Part::Aside, Part::Score];

    /// What questions about states need.
    pub const QUESTIONS: &[Part] = &[Part::Look, Part::Score, Part::Advance];

    /// The words of the work space that the program names for it.
    fn work_words(self, program: &Program) -> usize {
        match self {
            Part::Step | Part::Rest => program.step.work_words,
            Part::Mix => program.seed.work_words,
            Part::Aside => program.aside.work_words,
            Part::Score | Part::Look | Part::Advance => program.questions.work_words,
        }
    }

    fn routine(self, program: &Program) -> &Routine {
        match self {
            Part::Step => &program.step.routine,
            Part::Rest => &program.step.rest,
            Part::Mix => &program.seed.routine,
            Part::Aside => &program.aside.routine,
            Part::Score => &program.questions.score,
            Part::Look => &program.questions.look,
            Part::Advance => &program.questions.advance,
        }
    }
}

/// The routines of one program on a back end; shared between threads.
pub struct Code {
    backend: Backend,
    /// By part, once it was asked for.
    parts: [OnceLock<Ready>; 7],
}

/// A routine that is ready to run.
enum Ready {
    Simulated(Simulation),
    Compiled(Executable),
}

impl Code {
    /// The routines of a program, ready for playouts.
    pub fn new(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        Self::with_parts(program, backend, Part::PLAYOUTS)
    }

    /// The routines of a program, ready for questions about states.
    pub fn for_questions(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        Self::with_parts(program, backend, Part::QUESTIONS)
    }

    /// These routines of a program, for a caller that may stop the work: [`MachineError::Stopped`]
    /// soon after `proceed` says no.
    pub fn new_while(
        program: &Program,
        backend: Backend,
        parts: &[Part],
        proceed: &dyn Fn() -> bool,
    ) -> Result<Self, MachineError> {
        let code = Code { backend, parts: Default::default() };
        code.prepare_while(program, parts, proceed)?;
        Ok(code)
    }

    fn with_parts(
        program: &Program,
        backend: Backend,
        parts: &[Part],
    ) -> Result<Self, MachineError> {
        Self::new_while(program, backend, parts, &|| true)
    }

    /// Makes more routines of the same program ready. One that was never prepared is made ready
    /// when it is first run; if it then cannot become machine code, the simulator runs it.
    pub fn prepare(&self, program: &Program, parts: &[Part]) -> Result<(), MachineError> {
        self.prepare_while(program, parts, &|| true)
    }

    fn prepare_while(
        &self,
        program: &Program,
        parts: &[Part],
        proceed: &dyn Fn() -> bool,
    ) -> Result<(), MachineError> {
        for &part in parts {
            let place = &self.parts[part as usize];
            if place.get().is_none() {
                let made = Ready::new(program, part, self.backend, proceed)?;
                // If another thread was faster, it made the same.
                let _ = place.set(made);
            }
        }
        Ok(())
    }

    /// What runs the routines.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The bytes of machine code made so far.
    pub fn bytes(&self) -> usize {
        self.parts.iter().filter_map(OnceLock::get).map(Ready::bytes).sum()
    }

    /// Does a routine once. The work space begins with the words that the program names, and is
    /// made longer if the routine needs more.
    pub(super) fn run<W: Word>(
        &self,
        part: Part,
        program: &Program,
        before: &[W],
        after: &mut [W],
        work: &mut Vec<W>,
    ) {
        let ready = self.parts[part as usize].get_or_init(|| {
            let made = Ready::new(program, part, self.backend, &|| true);
            made.unwrap_or_else(|_| Ready::simulated(program, part))
        });
        match ready {
            Ready::Simulated(simulation) => simulation.run(before, after, work),
            Ready::Compiled(executable) => {
                let words = executable.code().work_words();
                if work.len() < words {
                    work.resize(words, W::ZERO);
                }
                let done = W::execute(executable, before, after, work);
                done.expect("words of the level, and loops that come to rest");
            }
        }
    }
}

impl Ready {
    fn new(
        program: &Program,
        part: Part,
        backend: Backend,
        proceed: &dyn Fn() -> bool,
    ) -> Result<Self, MachineError> {
        match backend {
            Backend::Portable => Ok(Ready::simulated(program, part)),
            Backend::Machine(level) => {
                let code = assemble_while(part.routine(program), level, proceed)?;
                Executable::new(code).map(Ready::Compiled)
            }
        }
    }

    fn simulated(program: &Program, part: Part) -> Self {
        let words = part.work_words(program);
        Ready::Simulated(Simulation::new(part.routine(program), words))
    }

    fn bytes(&self) -> usize {
        match self {
            Ready::Simulated(_) => 0,
            Ready::Compiled(executable) => executable.code().bytes().len(),
        }
    }
}
