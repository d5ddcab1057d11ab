//! How the routines of a program are run: by the portable simulator, or as machine code.

use super::portable;
use super::word::Word;
use crate::machine::{Executable, Level, MachineError, assemble};
use crate::program::{Program, Routine};

/// What runs routines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// The portable simulator, on words of any width.
    Portable,
    /// Machine code, on words as wide as the registers of the level.
    Machine(Level),
}

/// The routines of playouts, ready to run.
pub struct Code {
    /// None where the portable simulator runs the program's own routines.
    compiled: Option<Compiled>,
}

struct Compiled {
    step: Executable,
    score: Executable,
    mix: Executable,
}

impl Code {
    /// Makes the routines of a program ready.
    pub fn new(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        let compiled = match backend {
            Backend::Portable => None,
            Backend::Machine(level) => {
                let compile = |routine: &Routine| Executable::new(assemble(routine, level)?);
                Some(Compiled {
                    step: compile(&program.step.routine)?,
                    score: compile(&program.questions.score)?,
                    mix: compile(&program.seed.routine)?,
                })
            }
        };
        Ok(Code { compiled })
    }

    /// The bytes of machine code.
    pub fn bytes(&self) -> usize {
        let bytes = |compiled: &Compiled| {
            let all = [&compiled.step, &compiled.score, &compiled.mix];
            all.iter().map(|executable| executable.code().bytes().len()).sum()
        };
        self.compiled.as_ref().map_or(0, bytes)
    }

    /// How many words a routine works with; `own` are those that it names itself.
    fn words(&self, own: usize, executable: impl Fn(&Compiled) -> &Executable) -> usize {
        let compiled = self.compiled.as_ref().map(|compiled| executable(compiled).code());
        compiled.map_or(own, |code| code.work_words().max(own))
    }

    /// The words that a step works with.
    pub(super) fn step_words(&self, program: &Program) -> usize {
        self.words(program.step.work_words, |compiled| &compiled.step)
    }

    /// The words that goals are computed with.
    pub(super) fn score_words(&self, program: &Program) -> usize {
        self.words(program.questions.work_words, |compiled| &compiled.score)
    }

    /// The words that the mix works with.
    pub(super) fn mix_words(&self, program: &Program) -> usize {
        self.words(program.seed.work_words, |compiled| &compiled.mix)
    }

    pub(super) fn step<W: Word>(
        &self,
        program: &Program,
        before: &[W],
        after: &mut [W],
        work: &mut [W],
    ) {
        match &self.compiled {
            None => portable::run(&program.step.routine, before, after, work),
            Some(compiled) => run(&compiled.step, before, after, work),
        }
    }

    pub(super) fn score<W: Word>(&self, program: &Program, state: &[W], work: &mut [W]) {
        match &self.compiled {
            None => portable::run(&program.questions.score, state, &mut [], work),
            Some(compiled) => run(&compiled.score, state, &mut [], work),
        }
    }

    pub(super) fn mix<W: Word>(&self, program: &Program, states: &mut [W], work: &mut [W]) {
        match &self.compiled {
            None => portable::run(&program.seed.routine, &[], states, work),
            Some(compiled) => run(&compiled.mix, &[], states, work),
        }
    }
}

fn run<W: Word>(executable: &Executable, before: &[W], after: &mut [W], work: &mut [W]) {
    executable.run(before, after, work).expect("words of the level, and loops that come to rest");
}
