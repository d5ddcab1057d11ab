//! Lanes that make steps: what playouts that are counted and jobs that are reported have in common.

use std::sync::Arc;

use super::code::{Code, Part};
use super::context::{ContextError, WeightInContext};
use super::job::Ending;
use super::weigher::Weigher;
use super::word::Word;
use crate::game::{ForeignError, Move, Role, State};
use crate::program::{FluentPlace, Program, Slot};

/// Lanes, each with a playout or idle.
pub(super) struct Stepper<W> {
    pub(super) program: Arc<Program>,
    pub(super) code: Arc<Code>,
    /// The states. Idle lanes are false everywhere, so that a playout is set up by adding to them.
    pub(super) before: Vec<W>,
    after: Vec<W>,
    pub(super) work: Vec<W>,
    weigher: Weigher<W>,
    /// The words in which moves are forced at present.
    forced: Vec<Slot>,
    /// Lanes at play.
    pub(super) active: W,
}

/// Lanes whose playout is over, by the reason.
#[derive(Clone, Copy)]
pub(super) struct Over<W> {
    /// The game was over.
    pub(super) ended: W,
    /// A role had no legal move.
    pub(super) stuck: W,
    /// No move was left.
    pub(super) cut: W,
}

impl<W: Word> Over<W> {
    pub(super) fn any(&self) -> W {
        self.ended | self.stuck | self.cut
    }

    /// How the playout of one of them ended.
    #[inline(always)]
    pub(super) fn ending(&self, lane: usize) -> Ending {
        if self.ended.has(lane) {
            Ending::Terminal
        } else if self.stuck.has(lane) {
            Ending::Stuck
        } else {
            Ending::Limit
        }
    }
}

impl<W: Word> Stepper<W> {
    /// Idle lanes.
    pub(super) fn new(program: &Arc<Program>, code: &Arc<Code>) -> Self {
        let words = program.step.state_words();
        Stepper {
            before: vec![W::ZERO; words],
            after: vec![W::ZERO; words],
            work: vec![W::ZERO; program.step.work_words],
            weigher: Weigher::new(program),
            forced: Vec::new(),
            active: W::ZERO,
            code: code.clone(),
            program: program.clone(),
        }
    }

    /// Makes a step in all lanes at play, and says which of them are over instead. `before` is
    /// still the state before the step.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Over<W> {
        let ports = &self.program.step.ports;
        self.work[ports.active.index()] = self.active;
        self.code.run(Part::Step, &self.program, &self.before, &mut self.after, &mut self.work);
        if !ports.choices.is_empty() {
            self.weigher.choose(self.code.backend(), &self.before, &mut self.work);
            self.code.run(Part::Rest, &self.program, &self.before, &mut self.after, &mut self.work);
            self.weigher.keep(&self.work, self.active);
        }
        for slot in self.forced.drain(..) {
            self.work[slot.index()] = W::ZERO;
        }
        let word = |slot: Slot| self.work[slot.index()];
        Over {
            ended: word(ports.ended),
            stuck: word(ports.stuck),
            cut: ports.cut.map_or(W::ZERO, word),
        }
    }

    /// Goes on to the state after the step, in which lanes that are over are idle.
    #[inline(always)]
    pub(super) fn go_on(&mut self, over: W) {
        self.active = self.active & !over;
        std::mem::swap(&mut self.before, &mut self.after);
    }

    /// Makes all lanes idle.
    pub(super) fn clear(&mut self) {
        self.before.fill(W::ZERO);
        self.active = W::ZERO;
    }

    /// Puts a state, given by its true words, into idle lanes.
    #[inline(always)]
    pub(super) fn load(&mut self, lanes: W, words: &[usize]) {
        for &word in words {
            self.before[word].add(&lanes);
        }
    }

    /// Says that new playouts begin in lanes.
    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: W) {
        self.weigher.begin(lanes);
    }

    /// Has lanes make a legal joint move in the next step.
    #[inline(always)]
    pub(super) fn force(&mut self, lanes: &W, joint: &[Move]) {
        let Some(ports) = &self.program.step.ports.forced else {
            for (role, &chosen) in joint.iter().enumerate() {
                self.weigher.force(lanes, role, chosen);
            }
            return;
        };
        let moves = ports.moves.iter().zip(joint).map(|(slots, at)| slots[at.index()]);
        for slot in moves.chain([ports.lanes]) {
            self.work[slot.index()].add(lanes);
            self.forced.push(slot);
        }
    }

    /// Limits the moves of idle lanes.
    #[inline(always)]
    pub(super) fn limit(&mut self, lanes: W, limit: u64) {
        let number = limit + 1;
        let step = &self.program.step;
        for bit in (0..step.options.limit_bits).filter(|bit| number >> bit & 1 == 1) {
            self.before[step.left(bit)].add(&lanes);
        }
    }

    /// Gives a move its weight, in all lanes. A weight that has too many bits becomes the highest
    /// one that there is; without weights in the program nothing happens.
    pub(super) fn set_weight(
        &mut self,
        role: Role,
        chosen: Move,
        weight: u32,
    ) -> Result<(), ForeignError> {
        self.program.names.table().check_move(chosen)?;
        self.weigher.set(role, chosen, weight);
        Ok(())
    }

    /// Gives a move weights that depend on what is true in a lane.
    pub(super) fn set_weights_in_context(
        &mut self,
        role: Role,
        chosen: Move,
        base: u32,
        contexts: &[WeightInContext],
    ) -> Result<(), ContextError> {
        self.weigher.set_in_context(role, chosen, base, contexts)
    }
}

/// The words that are true in a state, as far as playouts carry them.
pub(super) fn true_words(program: &Program, state: &State) -> impl Iterator<Item = usize> {
    let word = |fluent: usize| match program.fluents.get(fluent) {
        Some(&FluentPlace::Word(word)) if word < program.carried => Some(word),
        _ => None,
    };
    state.iter().filter_map(word)
}
