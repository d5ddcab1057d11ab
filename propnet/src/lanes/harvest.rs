//! The goals of playouts that ended.
//!
//! Goals are asked for once in a playout, so computing them in every step would be a waste. What
//! they depend on is put aside for lanes that ended, and the goals of all lanes are computed at
//! once, when a lane ends whose last end was not counted yet.

use super::code::{Code, Part};
use super::word::Word;
use crate::program::{AsideProgram, Program};

/// Ended lanes whose goals are not counted yet.
pub(super) struct Harvest<W> {
    /// What is put aside: the work space of that routine.
    aside: Vec<W>,
    /// The lanes that wait.
    pub(super) waiting: W,
    /// The work space of the goals.
    pub(super) work: Vec<W>,
}

impl<W: Word> Harvest<W> {
    pub(super) fn new(program: &Program) -> Self {
        Harvest {
            aside: vec![W::ZERO; program.aside.work_words],
            waiting: W::ZERO,
            work: vec![W::ZERO; program.questions.work_words],
        }
    }

    /// Whether the lanes that wait must be counted before these are put aside.
    #[inline(always)]
    pub(super) fn is_due(&self, ended: W) -> bool {
        !self.due(ended).is_zero()
    }

    /// The lanes that must be counted before these are put aside.
    #[inline(always)]
    pub(super) fn due(&self, ended: W) -> W {
        self.waiting & ended
    }

    /// Puts lanes aside that ended in this state.
    #[inline(always)]
    pub(super) fn put_aside(&mut self, code: &Code, program: &Program, ended: W, state: &[W]) {
        self.aside[AsideProgram::LANES] = ended;
        code.run(Part::Aside, program, state, &mut [], &mut self.aside);
        self.waiting = self.waiting | ended;
    }

    /// Computes the goals of the lanes that wait.
    #[inline(always)]
    pub(super) fn score(&mut self, code: &Code, program: &Program) {
        let state = &self.aside[AsideProgram::KEPT..];
        code.run(Part::Score, program, state, &mut [], &mut self.work);
    }

    /// Forgets the lanes that wait.
    #[inline(always)]
    pub(super) fn clear(&mut self, program: &Program) {
        for &word in &program.aside.words {
            self.aside[AsideProgram::KEPT + word] = W::ZERO;
        }
        self.waiting = W::ZERO;
    }

    /// Forgets some of them.
    #[inline(always)]
    pub(super) fn forget(&mut self, lanes: W, program: &Program) {
        if (self.waiting & !lanes).is_zero() {
            return self.clear(program);
        }
        for &word in &program.aside.words {
            let kept = &mut self.aside[AsideProgram::KEPT + word];
            *kept = *kept & !lanes;
        }
        self.waiting = self.waiting & !lanes;
    }
}
