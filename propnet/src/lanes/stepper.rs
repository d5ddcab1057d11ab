//! Lanes that make steps: what playouts that are counted and jobs that are reported have in common.

use std::sync::Arc;

use super::code::{Code, Part};
use super::context::{ContextError, ValueTable};
use super::job::Ending;
use super::weigher::Weigher;
use super::word::Word;
use crate::game::{ForeignError, Move, Role, State};
use crate::machine::VectorOffer;
use crate::program::{FluentPlace, Program, Slot};

/// Lanes, each with a playout or idle.
pub(super) struct Stepper<W> {
    pub(super) program: Arc<Program>,
    pub(super) code: Arc<Code>,
    /// The states. Idle lanes are false everywhere, so that a playout is set up by adding to them.
    pub(super) before: Vec<W>,
    after: Vec<W>,
    pub(super) work: Vec<W>,
    /// What chooses by weights, each in lanes of its own.
    weighers: Vec<(W, Weigher<W>)>,
    /// By choice: what they choose from.
    offers: Vec<VectorOffer>,
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
            weighers: Vec::new(),
            offers: program.step.ports.choices.iter().map(|_| VectorOffer::default()).collect(),
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
            let backend = self.code.backend();
            self.offers.iter_mut().for_each(VectorOffer::renew);
            for (lanes, weigher) in &mut self.weighers {
                if !(*lanes & self.active).is_zero() {
                    weigher.choose(backend, &mut self.offers, *lanes, &self.before, &mut self.work);
                }
            }
            self.code.run(Part::Rest, &self.program, &self.before, &mut self.after, &mut self.work);
            for (lanes, weigher) in &mut self.weighers {
                weigher.keep(&self.work, *lanes & self.active);
            }
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

    /// Makes lanes idle.
    pub(super) fn clear(&mut self, lanes: W) {
        if (self.active & lanes).is_zero() {
            return;
        }
        for word in &mut self.before {
            *word = *word & !lanes;
        }
        self.active = self.active & !lanes;
    }

    /// Adds a weigher without lanes, with this number or in the place of the one that has it. All its
    /// weights are 0.
    pub(super) fn set_weigher(&mut self, at: usize) {
        let weigher = (W::ZERO, Weigher::new(&self.program));
        match self.weighers.get_mut(at) {
            Some(old) => *old = weigher,
            None => self.weighers.push(weigher),
        }
    }

    /// Says in which lanes a weigher chooses.
    pub(super) fn set_lanes_of_weigher(&mut self, at: usize, lanes: W) {
        self.weighers[at].0 = lanes;
    }

    /// Puts a state, given by its true words, into idle lanes.
    #[inline(always)]
    pub(super) fn load(&mut self, lanes: W, words: &[usize]) {
        for &word in words {
            self.before[word].add(&lanes);
        }
    }

    /// Says that new playouts begin in lanes of a weigher.
    #[inline(always)]
    pub(super) fn begin(&mut self, weigher: usize, lanes: W) {
        self.weighers[weigher].1.begin(lanes);
    }

    /// Has lanes of a weigher make a legal joint move in the next step.
    #[inline(always)]
    pub(super) fn force(&mut self, weigher: usize, lanes: &W, joint: &[Move]) {
        let Some(ports) = &self.program.step.ports.forced else {
            for (role, &chosen) in joint.iter().enumerate() {
                self.weighers[weigher].1.force(lanes, role, chosen);
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

    /// Gives a move its weight, in all lanes of a weigher. A weight that has too many bits becomes the
    /// highest one that there is; without weights in the program nothing happens.
    pub(super) fn set_weight(
        &mut self,
        weigher: usize,
        role: Role,
        chosen: Move,
        weight: u32,
    ) -> Result<(), ForeignError> {
        self.program.names.table().check_move(chosen)?;
        self.weighers[weigher].1.set(role, chosen, weight);
        Ok(())
    }

    /// Has the lanes of a weigher choose by values that depend on what is true in them.
    pub(super) fn set_values(
        &mut self,
        weigher: usize,
        table: &ValueTable,
    ) -> Result<(), ContextError> {
        self.weighers[weigher].1.set_values(table)
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
