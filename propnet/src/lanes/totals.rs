//! Playouts from one state, counted together and never one by one.

use std::ops::Range;
use std::sync::Arc;

use super::code::Code;
use super::harvest::Harvest;
use super::refill::Refill;
use super::word::Word;
use crate::game::State;
use crate::program::{FluentPlace, Program};

/// What many playouts came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Playouts that ended.
    pub playouts: u64,
    /// Joint moves in all of them.
    pub steps: u64,
    /// Of the playouts, those that ended because a role had no legal move.
    pub stuck: u64,
    /// By role and goal value (in the order of [`Program::goals`]): playouts that ended with it.
    pub goals: Vec<Vec<u64>>,
}

impl Totals {
    /// Nothing yet, for a program.
    pub fn new(program: &Program) -> Self {
        let goals = program.goals.iter().map(|values| vec![0; values.len()]).collect();
        Totals { goals, ..Totals::default() }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Totals) {
        self.playouts += other.playouts;
        self.steps += other.steps;
        self.stuck += other.stuck;
        for (own, other) in self.goals.iter_mut().flatten().zip(other.goals.iter().flatten()) {
            *own += other;
        }
    }
}

/// Lanes that play jobs from one state.
pub struct Playouts<W> {
    program: Arc<Program>,
    code: Arc<Code>,
    before: Vec<W>,
    after: Vec<W>,
    work: Vec<W>,
    refill: Refill<W>,
    harvest: Harvest<W>,
    /// The words of the state that are true at the start of a playout.
    start: Vec<usize>,
    /// Lanes at play.
    active: W,
    totals: Totals,
}

impl<W: Word> Playouts<W> {
    /// Lanes that will play the jobs of a range from this state.
    pub fn new(
        program: &Arc<Program>,
        code: &Arc<Code>,
        state: &State,
        seed: u64,
        jobs: &Range<u64>,
    ) -> Self {
        let words = program.step.state_words();
        let start = state.iter().filter_map(|fluent| match program.fluents.get(fluent) {
            Some(&FluentPlace::Word(word)) if word < program.carried => Some(word),
            _ => None,
        });
        let mut lanes = Playouts {
            before: vec![W::ZERO; words],
            after: vec![W::ZERO; words],
            work: vec![W::ZERO; code.step_words(program)],
            refill: Refill::new(code.mix_words(program), seed, jobs),
            harvest: Harvest::new(program, code.score_words(program)),
            start: start.collect(),
            active: W::splat(true),
            totals: Totals::new(program),
            code: code.clone(),
            program: program.clone(),
        };
        lanes.mix();
        lanes.fill(W::splat(true));
        std::mem::swap(&mut lanes.before, &mut lanes.after);
        lanes
    }

    /// Whether all jobs are done.
    pub fn is_done(&self) -> bool {
        self.active.is_zero()
    }

    /// Makes a number of steps, or fewer if all jobs are done before.
    pub fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            if self.is_done() {
                break;
            }
            self.step();
        }
    }

    /// What the playouts that have ended came to.
    pub fn totals(&mut self) -> &Totals {
        self.count_goals();
        &self.totals
    }

    fn step(&mut self) {
        let step = &self.program.step;
        self.work[step.active.index()] = self.active;
        self.code.step(&self.program, &self.before, &mut self.after, &mut self.work);
        let (ended, stuck) = (self.work[step.ended.index()], self.work[step.stuck.index()]);
        let done = ended | stuck;
        self.totals.steps += u64::from(self.active.count() - done.count());
        if !done.is_zero() {
            self.totals.playouts += u64::from(done.count());
            self.totals.stuck += u64::from(stuck.count());
            if self.harvest.is_due(ended) {
                self.count_goals();
            }
            self.harvest.put_aside(ended, &self.before);
            self.fill(done);
        }
        std::mem::swap(&mut self.before, &mut self.after);
    }

    /// Gives lanes their next jobs; they are false in the state that was made.
    fn fill(&mut self, lanes: W) {
        if self.refill.needs_mix(lanes) {
            self.refill.number();
            self.mix();
        }
        let carried = self.program.carried;
        let idle = self.refill.take(lanes, &mut self.after[carried..]);
        self.active = self.active & !idle;
        let filled = lanes & !idle;
        for &word in &self.start {
            self.after[word] = self.after[word] | filled;
        }
    }

    fn mix(&mut self) {
        let (work, states) = self.refill.mixing();
        self.code.mix(&self.program, states, work);
    }

    fn count_goals(&mut self) {
        let harvest = &mut self.harvest;
        self.code.score(&self.program, &harvest.state, &mut harvest.work);
        let slots = self.program.questions.goals.iter().flatten();
        for (slot, count) in slots.zip(self.totals.goals.iter_mut().flatten()) {
            *count += u64::from((harvest.work[slot.index()] & harvest.waiting).count());
        }
        harvest.clear();
    }
}
