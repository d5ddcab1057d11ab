//! How the routines of a program are run: by the portable simulator, or compiled.

use super::portable;
use super::word::Word;
use crate::program::Program;

/// The routines of playouts, ready to run on words of one width.
pub struct Code<W> {
    word: std::marker::PhantomData<W>,
}

impl<W: Word> Code<W> {
    /// By the portable simulator.
    pub fn portable() -> Self {
        Code { word: std::marker::PhantomData }
    }

    pub(super) fn step(&self, program: &Program, before: &[W], after: &mut [W], work: &mut [W]) {
        portable::run(&program.step.routine, before, after, work);
    }

    pub(super) fn score(&self, program: &Program, state: &[W], work: &mut [W]) {
        portable::run(&program.questions.score, state, &mut [], work);
    }

    pub(super) fn mix(&self, program: &Program, states: &mut [W], work: &mut [W]) {
        portable::run(&program.seed.routine, &[], states, work);
    }
}
