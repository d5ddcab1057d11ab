//! Playouts from one state, counted together and never one by one.

use std::ops::Range;
use std::sync::Arc;

use super::code::{Code, Part};
use super::harvest::Harvest;
use super::lengths;
use super::refill::Refill;
use super::stepper::{Over, Stepper, true_words};
use super::word::Word;
use crate::game::{ForeignError, Move, Role, State, goal_value};
use crate::machine::{Task, at_full_speed};
use crate::program::Program;

/// What many playouts came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// By number of joint moves: playouts of that length, if lengths are counted.
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

    /// By role: its mean goal over the playouts that ended with one that is a number; nothing where
    /// none did. The program is the one that was played.
    pub fn mean_goals(&self, program: &Program) -> Vec<Option<f64>> {
        let mean = |(values, counts): (&Vec<String>, &Vec<u64>)| {
            let (mut sum, mut number) = (0.0, 0);
            for (value, &count) in values.iter().zip(counts) {
                if let Some(value) = goal_value(value) {
                    sum += f64::from(value) * count as f64;
                    number += count;
                }
            }
            (number > 0).then(|| sum / number as f64)
        };
        program.goals.iter().zip(&self.goals).map(mean).collect()
    }

    /// The mean number of joint moves of a playout; nothing where there was none.
    pub fn mean_length(&self) -> Option<f64> {
        (self.playouts > 0).then(|| self.steps as f64 / self.playouts as f64)
    }
}

/// The weigher of all lanes.
const WEIGHER: usize = 0;

/// A part of the work in a step, for measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The step itself, in all lanes.
    Step,
    /// Counting the lanes that are over, and their goals.
    Goals,
    /// Giving lanes their next jobs.
    Refill,
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
    /// Lanes that go on at once when they are over.
    ready: W,
    /// How many lanes are at play.
    at_play: u32,
}

/// A number of steps to be made by lanes.
struct PlayoutSteps<'l, W, F> {
    lanes: &'l mut Playouts<W>,
    steps: u64,
    done: &'l mut F,
}

impl<W: Word, F: FnMut(Phase)> Task for PlayoutSteps<'_, W, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for _ in 0..self.steps {
            if self.lanes.is_done() {
                break;
            }
            self.lanes.step(self.done);
        }
    }
}

impl<W: Word> Playouts<W> {
    /// Lanes that will play the jobs of a range from this state; an error where it is of another
    /// engine.
    pub fn new(
        program: &Arc<Program>,
        code: &Arc<Code>,
        state: &State,
        seed: u64,
        jobs: &Range<u64>,
    ) -> Result<Self, ForeignError> {
        program.names.table().check_state(state)?;
        let mut lanes = Stepper::new(program, code);
        lanes.set_weigher(WEIGHER);
        lanes.set_lanes_of_weigher(WEIGHER, W::splat(true));
        let mut playouts = Playouts {
            lanes,
            refill: Refill::new(program.seed.work_words, seed, jobs),
            harvest: Harvest::new(program),
            start: true_words(program, state).collect(),
            limit: None,
            counts_lengths: false,
            totals: Totals::new(program),
            ready: W::ZERO,
            at_play: 0,
        };
        playouts.mix();
        playouts.fill(W::splat(true));
        Ok(playouts)
    }

    /// Ends playouts after `limit` joint moves, or as many as the program's step can count, if
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
    pub fn set_weight(
        &mut self,
        role: Role,
        chosen: Move,
        weight: u32,
    ) -> Result<(), ForeignError> {
        self.lanes.set_weight(WEIGHER, role, chosen, weight)
    }

    /// Whether all jobs are done.
    pub fn is_done(&self) -> bool {
        self.lanes.active.is_zero()
    }

    /// Makes a number of steps, or fewer if all jobs are done before.
    pub fn run(&mut self, steps: u64) {
        self.run_watched(steps, &mut |_| ());
    }

    /// The same. `done` is called at the end of each phase; the last two occur only in steps
    /// after which a lane is over.
    pub fn run_watched(&mut self, steps: u64, done: &mut impl FnMut(Phase)) {
        at_full_speed(PlayoutSteps { lanes: self, steps, done });
    }

    /// The words of the states that the lanes are in, as the program's step reads them.
    pub fn state_words(&self) -> &[W] {
        &self.lanes.before
    }

    /// What the playouts that have ended came to.
    pub fn totals(&mut self) -> &Totals {
        self.count_goals();
        &self.totals
    }

    #[inline(always)]
    fn step(&mut self, finished: &mut impl FnMut(Phase)) {
        let over = self.lanes.step();
        finished(Phase::Step);
        let done = over.any();
        if done.is_zero() {
            self.totals.steps += u64::from(self.at_play);
            self.lanes.go_on(done);
            return;
        }
        let number = done.count();
        self.totals.steps += u64::from(self.at_play - number);
        self.totals.playouts += u64::from(number);
        self.count(&over);
        finished(Phase::Goals);
        let idle = done & !self.ready;
        self.lanes.go_on(idle);
        self.start(done & self.ready);
        if !idle.is_zero() {
            self.fill(idle);
        }
        finished(Phase::Refill);
    }

    /// Counts playouts that are over.
    #[inline(always)]
    fn count(&mut self, over: &Over<W>) {
        let done = over.any();
        let failed = over.stuck | over.cut;
        if !failed.is_zero() {
            self.totals.stuck += u64::from(over.stuck.count());
            self.totals.cut += u64::from(over.cut.count());
        }
        if let (true, Some(limit)) = (self.counts_lengths, self.limit) {
            let step = &self.lanes.program.step;
            let left = &self.lanes.before[step.left(0)..step.state_words()];
            lengths::count(done, left, limit + 1, &mut self.totals.lengths);
        }
        if self.harvest.is_due(over.ended) {
            self.count_goals();
        }
        let Stepper { code, program, before, .. } = &self.lanes;
        self.harvest.put_aside(code, program, over.ended, before);
    }

    /// Gives idle lanes their next jobs.
    #[inline(always)]
    fn fill(&mut self, lanes: W) {
        if self.refill.needs_mix(lanes) {
            self.refill.number();
            self.mix();
        }
        let random = self.lanes.program.step.random(0);
        let filled = self.refill.waiting(lanes);
        self.refill.load(filled, &mut self.lanes.before[random..]);
        self.lanes.active = self.lanes.active | filled;
        self.at_play = self.lanes.active.count();
        self.start(filled);
    }

    /// Lets lanes that have their generators play the jobs that waited for them.
    #[inline(always)]
    fn start(&mut self, lanes: W) {
        self.lanes.load(lanes, &self.start);
        if let Some(limit) = self.limit {
            self.lanes.limit(lanes, limit);
        }
        self.refill.take(lanes);
        if let Some(ports) = &self.lanes.program.step.ports.restart {
            self.ready = self.refill.waiting(W::splat(true));
            self.lanes.work[ports.ready.index()] = self.ready;
        }
    }

    /// Makes the jobs ready that wait.
    fn mix(&mut self) {
        let Stepper { program, code, work, .. } = &mut self.lanes;
        let (mixing, states) = self.refill.mixing();
        code.run(Part::Mix, program, &[], states, mixing);
        if let Some(ports) = &program.step.ports.restart {
            for (slot, &state) in ports.random.iter().zip(&*states) {
                work[slot.index()] = state;
            }
        }
    }

    #[inline(always)]
    fn count_goals(&mut self) {
        let (harvest, program) = (&mut self.harvest, &self.lanes.program);
        harvest.score(&self.lanes.code, program);
        let slots = program.questions.goals.iter().flatten();
        for (slot, count) in slots.zip(self.totals.goals.iter_mut().flatten()) {
            *count += u64::from((harvest.work[slot.index()] & harvest.waiting).count());
        }
        harvest.clear(program);
    }
}
