//! Playouts one by one: each job has its own start and its own outcome.
//!
//! ```text
//! queue -> idle lanes -> steps -> lanes that are over -> put aside -> outcomes
//!            ^                        |
//!            +------------------------+
//! ```
//!
//! What is done for a lane alone is done when its job begins and when it is over, never in a step.
//! A lane takes its next job in the step after. What it ended with waits until goals are computed
//! for many lanes at once: when a lane is over for the second time, or when the caller asks for
//! outcomes.

use std::collections::VecDeque;
use std::sync::Arc;

use super::batch::Batch;
use super::code::Code;
use super::cohorts::{Beginning, Cohort, Cohorts};
use super::context::{ContextError, WeightInContext};
use super::generators::Generators;
use super::goals::{Goals, LaneGoals};
use super::harvest::Harvest;
use super::history::History;
use super::job::{Ending, FirstState, Job, JobError, Outcome};
use super::stepper::{Over, Stepper, true_words};
use super::word::Word;
use crate::game::{ForeignError, Move, Role, State};
use crate::machine::{Task, at_full_speed};
use crate::program::{JobSeeds, Program};

/// Lanes that play jobs from a queue.
pub struct Jobs<W> {
    lanes: Stepper<W>,
    generators: Generators<W>,
    queue: VecDeque<Job>,
    /// How many playouts are in the queue.
    queued: usize,
    /// The state that was loaded last, and the words that are true in it.
    loaded: Option<Arc<State>>,
    words: Vec<usize>,
    cohorts: Cohorts,
    /// Steps made so far.
    now: u64,
    history: History,
    /// Lanes whose moves are recorded, lanes whose moves are wanted, and lanes of which these or the
    /// first state are.
    recorded: W,
    wants_moves: W,
    wants_more: W,
    harvest: Harvest<W>,
    /// What waits for its goals, and by lane: which of these it is.
    bunches: Vec<Bunch>,
    bunch_of_lane: Vec<usize>,
    goals: Goals<W>,
    /// By bunch: where the first state that is wanted comes from.
    firsts: Vec<(usize, Arc<State>, Arc<[Move]>)>,
    /// By role: how many moves it has.
    move_counts: Vec<usize>,
    batch: Batch<W>,
    outcomes: Vec<Outcome>,
}

/// Playouts that are over: what is known of their outcome but the goals.
struct Bunch {
    tag: u64,
    length: u64,
    ending: Ending,
    /// What else is wanted, of one playout.
    more: Option<Box<More>>,
    /// The outcome that was made of it last, if there is one.
    outcome: usize,
}

#[derive(Default)]
struct More {
    moves: Vec<Move>,
    first: Option<Box<FirstState>>,
}

/// A number of steps to be made.
struct JobSteps<'j, W> {
    jobs: &'j mut Jobs<W>,
    steps: u64,
}

impl<W: Word> Task for JobSteps<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for _ in 0..self.steps {
            self.jobs.fill();
            if self.jobs.lanes.active.is_zero() {
                break;
            }
            self.jobs.step();
        }
    }
}

impl<W: Word> Jobs<W> {
    /// Lanes without jobs.
    pub fn new(program: &Arc<Program>, code: &Arc<Code>, seed: u64) -> Self {
        let names = &program.names;
        Jobs {
            lanes: Stepper::new(program, code),
            generators: Generators::new(JobSeeds::new(seed)),
            queue: VecDeque::new(),
            queued: 0,
            loaded: None,
            words: Vec::new(),
            cohorts: Cohorts::new(W::LANES),
            now: 0,
            history: History::new(&program.step.ports, names.table(), W::LANES),
            recorded: W::ZERO,
            wants_moves: W::ZERO,
            wants_more: W::ZERO,
            harvest: Harvest::new(program),
            bunches: Vec::new(),
            bunch_of_lane: vec![0; W::LANES],
            goals: Goals::new(program),
            firsts: Vec::new(),
            move_counts: (0..names.roles().len()).map(|role| names.move_count(role)).collect(),
            batch: Batch::new(program, code),
            outcomes: Vec::new(),
        }
    }

    /// Goes on with other code of the same program, whatever its back end: playouts that are under
    /// way end as they would have.
    pub fn set_code(&mut self, code: &Arc<Code>) {
        self.lanes.code = code.clone();
        self.batch.set_code(code);
    }

    /// Adds a job to the queue; an error where the program cannot do what it asks for.
    pub fn push(&mut self, job: Job) -> Result<(), JobError> {
        let program = &self.lanes.program;
        job.check(&program.step.options, program.names.table(), &self.move_counts)?;
        if job.count > 0 {
            self.queued += job.count;
            self.queue.push_back(job);
        }
        Ok(())
    }

    /// Calls everything off: what is queued, what is at play, and what nobody has asked about yet.
    /// Weights stay as they are.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.queued = 0;
        self.lanes.clear();
        self.cohorts.clear();
        for lanes in [&mut self.recorded, &mut self.wants_moves, &mut self.wants_more] {
            *lanes = W::ZERO;
        }
        self.bunches.clear();
        self.firsts.clear();
        self.harvest.clear(&self.lanes.program);
        self.outcomes.clear();
    }

    /// How many playouts are in the queue, in no lane yet.
    pub fn queued(&self) -> usize {
        self.queued
    }

    /// How many playouts are in lanes.
    pub fn at_play(&self) -> usize {
        self.lanes.active.count() as usize
    }

    /// Gives a move its weight from the next step on, where the program's step has weights.
    pub fn set_weight(
        &mut self,
        role: Role,
        chosen: Move,
        weight: u32,
    ) -> Result<(), ForeignError> {
        self.lanes.set_weight(role, chosen, weight)
    }

    /// Gives a move weights that depend on what is true in a lane, from the next step on: that of the
    /// first context, in this order, whose conditions all hold there, or else the base weight.
    ///
    /// Moves that were made before the first call with contexts do not count as made.
    pub fn set_weights_in_context(
        &mut self,
        role: Role,
        chosen: Move,
        base: u32,
        contexts: &[WeightInContext],
    ) -> Result<(), ContextError> {
        self.lanes.set_weights_in_context(role, chosen, base, contexts)
    }

    /// Makes a number of steps, or fewer if all jobs are done before.
    pub fn run(&mut self, steps: u64) {
        at_full_speed(JobSteps { jobs: self, steps });
    }

    /// Makes steps until all jobs are done. A game without end needs jobs with a limit.
    pub fn finish(&mut self) {
        while !self.queue.is_empty() || !self.lanes.active.is_zero() {
            self.run(u64::MAX);
        }
    }

    /// The outcomes of the playouts that are over, in no particular order; each is given once.
    pub fn outcomes(&mut self) -> Vec<Outcome> {
        self.settle();
        // The next ones will be about as many.
        let room = Vec::with_capacity(self.outcomes.len());
        std::mem::replace(&mut self.outcomes, room)
    }

    /// Gives idle lanes the next playouts of the queue. Those of a job are set up together.
    #[inline(always)]
    fn fill(&mut self) {
        let mut idle = !self.lanes.active;
        while !idle.is_zero()
            && let Some(mut job) = self.queue.pop_front()
        {
            let lanes = idle.take(job.count);
            idle = idle & !lanes;
            self.set_up(lanes, &job);
            self.begin(lanes, &mut job);
            if job.count > 0 {
                self.queue.push_front(job);
            }
        }
        let first = self.lanes.program.step.random(0);
        self.generators.load(&mut self.lanes.before[first..]);
    }

    /// Takes playouts off a job, for lanes.
    #[inline(always)]
    fn begin(&mut self, lanes: W, job: &mut Job) {
        let count = lanes.count() as usize;
        if job.needs_record() {
            self.recorded = self.recorded | lanes.take(job.wants_moves.max(1));
        }
        if job.wants_moves > 0 {
            let wants_moves = lanes.take(job.wants_moves);
            self.wants_moves = self.wants_moves | wants_moves;
            self.wants_more = self.wants_more | wants_moves;
        }
        let first = lanes.lanes().next().filter(|_| job.wants_first).map(|lane| {
            self.wants_more.insert(lane);
            let (state, forced) = (job.state.clone(), job.forced.clone());
            Box::new(Beginning { lane, state, forced })
        });
        let cohort = self.cohorts.add(Cohort::new(job.tag, self.now, count, first));
        for lane in lanes.lanes() {
            self.cohorts.enter(lane, cohort);
            self.generators.add(lane, job.number);
            job.number = job.number.wrapping_add(1);
        }
        job.count -= count;
        job.wants_first = false;
        job.wants_moves = job.wants_moves.saturating_sub(count);
        self.queued -= count;
    }

    /// Sets lanes up for playouts of a job, but for their random generators.
    #[inline(always)]
    fn set_up(&mut self, lanes: W, job: &Job) {
        if !self.loaded.as_ref().is_some_and(|loaded| Arc::ptr_eq(loaded, &job.state)) {
            self.words.clear();
            true_words(&self.lanes.program, &job.state).for_each(|word| self.words.push(word));
            self.loaded = Some(job.state.clone());
        }
        if let Some(joint) = &job.forced {
            self.lanes.force(&lanes, joint);
        }
        if let Some(limit) = job.limit {
            self.lanes.limit(lanes, limit);
        }
        self.lanes.begin(lanes);
        self.lanes.load(lanes, &self.words);
        self.lanes.active = self.lanes.active | lanes;
    }

    #[inline(always)]
    fn step(&mut self) {
        let over = self.lanes.step();
        self.record();
        let done = over.any();
        if !done.is_zero() {
            self.put_aside(&over);
        }
        self.lanes.go_on(done);
        self.now += 1;
    }

    /// Keeps the moves of this step, if a lane wants them.
    #[inline(always)]
    fn record(&mut self) {
        if self.recorded.is_zero() {
            self.history.forget_before(self.now + 1);
            return;
        }
        self.history.push(&self.lanes.work);
        if self.history.is_full() {
            let oldest = self.recorded.lanes().map(|lane| self.cohorts.at(lane).start).min();
            self.history.forget_before(oldest.unwrap_or(self.now));
        }
    }

    /// Takes lanes that are over out of play.
    #[inline(always)]
    fn put_aside(&mut self, over: &Over<W>) {
        let done = over.any();
        if self.harvest.is_due(done) {
            self.settle();
        }
        let Stepper { code, program, before, .. } = &self.lanes;
        self.harvest.put_aside(code, program, done, before);
        for lane in done.lanes() {
            match self.wants_more.has(lane) {
                true => self.wait_alone(lane, over.ending(lane)),
                false => self.wait(lane, over.ending(lane)),
            }
        }
        for lanes in [&mut self.recorded, &mut self.wants_moves, &mut self.wants_more] {
            *lanes = *lanes & !done;
        }
    }

    /// Notes what is known at once of a playout that is over.
    #[inline(always)]
    fn wait(&mut self, lane: usize, ending: Ending) {
        let cohort = self.cohorts.leave(lane);
        let (bunch, is_new) = cohort.bunch(self.now, ending, self.bunches.len());
        if is_new {
            self.bunches.push(Bunch::new(cohort.tag, self.now - cohort.start, ending));
        }
        self.bunch_of_lane[lane] = bunch;
    }

    /// The same for a playout of which more is wanted.
    fn wait_alone(&mut self, lane: usize, ending: Ending) {
        let cohort = self.cohorts.leave(lane);
        let (at, start, length) = (self.bunches.len(), cohort.start, self.now - cohort.start);
        let moves = |count: u64| self.history.moves(lane, start, count);
        if let Some(first) = cohort.first.take_if(|first| first.lane == lane)
            && length > 0
        {
            let joint = first.forced.unwrap_or_else(|| moves(1).into());
            self.firsts.push((at, first.state, joint));
        }
        let moves = if self.wants_moves.has(lane) { moves(length) } else { Vec::new() };
        let more = Some(Box::new(More { moves, first: None }));
        self.bunches.push(Bunch { more, ..Bunch::new(cohort.tag, length, ending) });
        self.bunch_of_lane[lane] = at;
    }

    /// Completes what waits.
    fn settle(&mut self) {
        if self.harvest.waiting.is_zero() {
            return;
        }
        self.harvest.score(&self.lanes.code, &self.lanes.program);
        self.goals.find(&self.harvest, &self.lanes.program);
        self.find_first_states();
        let mut rest = self.harvest.waiting;
        while let Some(lane) = rest.lanes().next() {
            let (goals, alike) = self.goals.of(lane, rest);
            rest = rest & !alike;
            self.tell(&goals, alike);
        }
        self.bunches.clear();
        self.harvest.clear(&self.lanes.program);
    }

    /// Makes outcomes of all lanes that wait and have these goals.
    fn tell(&mut self, goals: &LaneGoals, lanes: W) {
        let new = self.outcomes.len();
        for lane in lanes.lanes() {
            let bunch = &mut self.bunches[self.bunch_of_lane[lane]];
            match self.outcomes.get_mut(bunch.outcome).filter(|_| bunch.outcome >= new) {
                Some(outcome) => outcome.count += 1,
                None => {
                    bunch.outcome = self.outcomes.len();
                    self.outcomes.push(bunch.outcome(goals));
                }
            }
        }
    }

    /// Computes the states after the first moves of the playouts that wait, where they are wanted.
    fn find_first_states(&mut self) {
        if self.firsts.is_empty() {
            return;
        }
        let (batch, count) = (&mut self.batch, self.firsts.len());
        let loaded = batch.load(self.firsts.iter().map(|(_, state, _)| &**state));
        let made = batch.make(self.firsts.iter().map(|(_, _, moves)| &moves[..]));
        loaded.and(made).expect("states and moves are checked when a job is pushed");
        batch.advance();
        let states = batch.next_states(count);
        batch.go_on();
        batch.look();
        let roles = 0..self.goals.roles();
        let mut legal: Vec<_> =
            roles.map(|role| batch.legal_moves(role, count).into_iter()).collect();
        for (at, ((bunch, _, moves), state)) in self.firsts.drain(..).zip(states).enumerate() {
            let legal = legal.iter_mut().flat_map(Iterator::next).collect();
            let is_terminal = batch.is_terminal(at);
            let first = FirstState { moves, state, legal, is_terminal };
            if let Some(more) = &mut self.bunches[bunch].more {
                more.first = Some(Box::new(first));
            }
        }
    }
}

impl Bunch {
    #[inline(always)]
    fn new(tag: u64, length: u64, ending: Ending) -> Self {
        Bunch { tag, length, ending, more: None, outcome: usize::MAX }
    }

    /// The outcome of one of its playouts, with these goals.
    fn outcome(&mut self, goals: &LaneGoals) -> Outcome {
        let More { moves, first } = self.more.take().map_or_else(More::default, |more| *more);
        Outcome {
            tag: self.tag,
            count: 1,
            ending: self.ending,
            goals: LaneGoals::from_slice(goals),
            length: self.length,
            moves,
            first,
        }
    }
}
