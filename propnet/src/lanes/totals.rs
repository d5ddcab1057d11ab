//! Playouts from one state, counted together and never one by one.

use std::ops::Range;
use std::sync::Arc;

use super::code::{Code, Part};
use super::harvest::Harvest;
use super::lengths;
use super::refill::Refill;
use super::stepper::{Over, Stepper, true_words};
use super::word::Word;
use crate::game::{Move, Role, State};
use crate::program::Program;

/// What many playouts came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Playouts that ended.
    pub playouts: u64,
    /// Joint moves in all of them.
    pub steps: u64,
    /// Of the playouts, those that ended because a role had no legal move.
    pub stuck: u64,
    /// Of the playouts, those that ended because they were at their limit.
    pub cut: u64,
    /// By role and goal value (in the order of [`Program::goals`]): playouts that ended with it,
    /// those excepted that were stuck or cut.
    pub goals: Vec<Vec<u64>>,
    /// By number of joint moves: playouts that made so many, if that is counted.
    pub lengths: Vec<u64>,
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
        self.cut += other.cut;
        for (own, other) in self.goals.iter_mut().flatten().zip(other.goals.iter().flatten()) {
            *own += other;
        }
        let longest = self.lengths.len().max(other.lengths.len());
        self.lengths.resize(longest, 0);
        for (own, other) in self.lengths.iter_mut().zip(&other.lengths) {
            *own += other;
        }
    }
}

/// Lanes that play jobs from one state.
pub struct Playouts<W> {
    lanes: Stepper<W>,
    refill: Refill<W>,
    harvest: Harvest<W>,
    /// The words of the state that are true at the start of a playout.
    start: Vec<usize>,
    limit: Option<u64>,
    counts_lengths: bool,
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
        let mut playouts = Playouts {
            lanes: Stepper::new(program, code),
            refill: Refill::new(program.seed.work_words, seed, jobs),
            harvest: Harvest::new(program),
            start: true_words(program, state),
            limit: None,
            counts_lengths: false,
            totals: Totals::new(program),
        };
        playouts.mix();
        playouts.fill(W::splat(true));
        playouts
    }

    /// Ends playouts after so many joint moves, or as many as the program's step can count, if
    /// that is fewer; a program without limits does not end them. To be called before the first
    /// step.
    pub fn set_limit(&mut self, limit: u64) {
        let options = &self.lanes.program.step.options;
        if options.limit_bits > 0 && self.limit.is_none() {
            let limit = limit.min(options.highest_limit());
            self.limit = Some(limit);
            self.lanes.limit(self.lanes.active, limit);
        }
    }

    /// Counts playouts by their length from now on; only where they have a limit.
    pub fn count_lengths(&mut self) {
        self.counts_lengths = true;
    }

    /// Gives a move its weight, where the program's step has weights.
    pub fn set_weight(&mut self, role: Role, chosen: Move, weight: u32) {
        self.lanes.set_weight(role, chosen, weight);
    }

    /// Whether all jobs are done.
    pub fn is_done(&self) -> bool {
        self.lanes.active.is_zero()
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
        let over = self.lanes.step();
        let done = over.any();
        self.totals.steps += u64::from(self.lanes.active.count() - done.count());
        if !done.is_zero() {
            self.count(&over);
        }
        self.lanes.go_on(done);
        if !done.is_zero() {
            self.fill(done);
        }
    }

    /// Counts playouts that are over.
    fn count(&mut self, over: &Over<W>) {
        let done = over.any();
        self.totals.playouts += u64::from(done.count());
        self.totals.stuck += u64::from(over.stuck.count());
        self.totals.cut += u64::from(over.cut.count());
        if let (true, Some(limit)) = (self.counts_lengths, self.limit) {
            let step = &self.lanes.program.step;
            let left = &self.lanes.before[step.left(0)..step.state_words()];
            lengths::count(done, left, limit + 1, &mut self.totals.lengths);
        }
        if self.harvest.is_due(over.ended) {
            self.count_goals();
        }
        self.harvest.put_aside(over.ended, &self.lanes.before);
    }

    /// Gives idle lanes their next jobs.
    fn fill(&mut self, lanes: W) {
        if self.refill.needs_mix(lanes) {
            self.refill.number();
            self.mix();
        }
        let random = self.lanes.program.step.random(0);
        let idle = self.refill.take(lanes, &mut self.lanes.before[random..]);
        let filled = lanes & !idle;
        self.lanes.active = self.lanes.active | filled;
        self.lanes.load(filled, &self.start);
        if let Some(limit) = self.limit {
            self.lanes.limit(filled, limit);
        }
    }

    fn mix(&mut self) {
        let (work, states) = self.refill.mixing();
        self.lanes.code.run(Part::Mix, &self.lanes.program, &[], states, work);
    }

    fn count_goals(&mut self) {
        let (harvest, program) = (&mut self.harvest, &self.lanes.program);
        self.lanes.code.run(Part::Score, program, &harvest.state, &mut [], &mut harvest.work);
        let slots = program.questions.goals.iter().flatten();
        for (slot, count) in slots.zip(self.totals.goals.iter_mut().flatten()) {
            *count += u64::from((harvest.work[slot.index()] & harvest.waiting).count());
        }
        harvest.clear();
    }
}
