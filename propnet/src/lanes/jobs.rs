//! Playouts one by one: each job has its own start, and reports its own outcome.
//!
//! ```text
//! queue -> idle lanes -> steps -> lanes that are over -> put aside -> outcomes
//!            ^                        |
//!            +------------------------+
//! ```
//!
//! What is done for a lane alone is done when its job begins and when it is over, never in a step.
//! A lane takes its next job in the step after. What it ended with waits until goals are computed
//! for many lanes at once: when a lane is over for the second time, or when someone asks.

use std::collections::VecDeque;
use std::sync::Arc;

use smallvec::SmallVec;

use super::batch::Batch;
use super::code::Code;
use super::generators::Generators;
use super::harvest::Harvest;
use super::history::History;
use super::job::{Ending, FirstState, Job, JobError, Outcome};
use super::stepper::{Over, Stepper, true_words};
use super::word::Word;
use crate::game::{Move, Role, State};
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
    /// By lane: what it plays.
    playing: Vec<Playing>,
    /// Steps made so far.
    now: u64,
    history: History,
    /// Lanes whose moves are recorded.
    recorded: W,
    harvest: Harvest<W>,
    /// By lane: what waits for its goals.
    waiting: Vec<Waiting>,
    /// By lane and role: the goals of those that waited last.
    goals: Vec<Option<i32>>,
    /// By lane that waits for it: where the first state that is wanted comes from.
    firsts: Vec<(usize, Arc<State>, Arc<[Move]>)>,
    /// By role: how many moves it has.
    move_counts: Vec<usize>,
    /// By role and goal value: the value, where it is a number.
    goal_values: Vec<Vec<Option<i32>>>,
    batch: Batch<W>,
    outcomes: Vec<Outcome>,
}

/// A playout in a lane: what is still to be known of its job when it is over.
#[derive(Clone, Default)]
struct Playing {
    tag: u64,
    /// The number of its first step.
    start: u64,
    wants_moves: bool,
    /// Its beginning, if the state after the first move is wanted.
    first: Option<Beginning>,
}

/// Where a playout started, and the first joint move if that was forced.
#[derive(Clone)]
struct Beginning {
    state: Arc<State>,
    forced: Option<Arc<[Move]>>,
}

/// A playout that is over: what is known of its outcome but the goals.
#[derive(Clone, Default)]
struct Waiting {
    tag: u64,
    length: u64,
    ending: Ending,
    moves: Vec<Move>,
    first: Option<Box<FirstState>>,
}

/// So many steps to be made.
struct Run<'j, W> {
    jobs: &'j mut Jobs<W>,
    steps: u64,
}

impl<W: Word> Task for Run<'_, W> {
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
        let values = |values: &Vec<String>| values.iter().map(|value| value.parse().ok()).collect();
        let names = &program.names;
        Jobs {
            lanes: Stepper::new(program, code),
            generators: Generators::new(JobSeeds::new(seed)),
            queue: VecDeque::new(),
            queued: 0,
            loaded: None,
            words: Vec::new(),
            playing: vec![Playing::default(); W::LANES],
            now: 0,
            history: History::new(&program.step.ports, W::LANES),
            recorded: W::ZERO,
            harvest: Harvest::new(program),
            waiting: vec![Waiting::default(); W::LANES],
            goals: vec![None; W::LANES * names.roles().len()],
            firsts: Vec::new(),
            move_counts: (0..names.roles().len()).map(|role| names.move_count(role)).collect(),
            goal_values: program.goals.iter().map(values).collect(),
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
        job.check(&self.lanes.program.step.options, &self.move_counts)?;
        if job.count > 0 {
            self.queued += job.count;
            self.queue.push_back(job);
        }
        Ok(())
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
    pub fn set_weight(&mut self, role: Role, chosen: Move, weight: u32) {
        self.lanes.set_weight(role, chosen, weight);
    }

    /// Makes a number of steps, or fewer if all jobs are done before.
    pub fn run(&mut self, steps: u64) {
        at_full_speed(Run { jobs: self, steps });
    }

    /// Makes steps until all jobs are done. A game without end needs jobs with a limit.
    pub fn finish(&mut self) {
        while !self.queue.is_empty() || !self.lanes.active.is_zero() {
            self.run(u64::MAX);
        }
    }

    /// What came of the playouts that are over, in no particular order; each is given once.
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
            let mut lanes = W::ZERO;
            for lane in idle.lanes().take(job.count) {
                lanes.insert(lane);
                self.begin(lane, &mut job);
            }
            idle = idle & !lanes;
            self.set_up(lanes, &job);
            if job.count > 0 {
                self.queue.push_front(job);
            }
        }
        let first = self.lanes.program.step.random(0);
        self.generators.load(&mut self.lanes.before[first..]);
    }

    /// Takes a playout off a job, for a lane.
    #[inline(always)]
    fn begin(&mut self, lane: usize, job: &mut Job) {
        self.generators.add(lane, job.number);
        if job.needs_record() {
            self.recorded.insert(lane);
        }
        let playing = &mut self.playing[lane];
        (playing.tag, playing.start, playing.wants_moves) = (job.tag, self.now, job.wants_moves);
        if job.wants_first {
            let (state, forced) = (job.state.clone(), job.forced.clone());
            playing.first = Some(Beginning { state, forced });
        }
        job.number = job.number.wrapping_add(1);
        job.count -= 1;
        job.wants_first = false;
        self.queued -= 1;
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
            let oldest = self.recorded.lanes().map(|lane| self.playing[lane].start).min();
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
            let ending = match () {
                () if over.ended.has(lane) => Ending::Terminal,
                () if over.stuck.has(lane) => Ending::Stuck,
                () => Ending::Limit,
            };
            self.wait(lane, ending);
        }
        self.recorded = self.recorded & !done;
    }

    /// Notes what is known at once of a playout that is over.
    #[inline(always)]
    fn wait(&mut self, lane: usize, ending: Ending) {
        let Playing { tag, start, wants_moves, ref mut first } = self.playing[lane];
        let length = self.now - start;
        let moves = |count: u64| self.history.moves(lane, start, count);
        if let Some(Beginning { state, forced }) = first.take()
            && length > 0
        {
            let joint = forced.unwrap_or_else(|| moves(1).into());
            self.firsts.push((lane, state, joint));
        }
        let waiting = &mut self.waiting[lane];
        (waiting.tag, waiting.length, waiting.ending) = (tag, length, ending);
        if wants_moves {
            waiting.moves = moves(length);
        }
    }

    /// Completes what waits.
    fn settle(&mut self) {
        if self.harvest.waiting.is_zero() {
            return;
        }
        self.find_goals();
        self.find_first_states();
        let roles = self.goal_values.len();
        for lane in self.harvest.waiting.lanes() {
            let waiting = &mut self.waiting[lane];
            let (tag, ending, length) = (waiting.tag, waiting.ending, waiting.length);
            let (moves, first) = (std::mem::take(&mut waiting.moves), waiting.first.take());
            // Goals are added where the outcome is: it is large, and is best not moved.
            let goals = SmallVec::new();
            self.outcomes.push(Outcome { tag, ending, goals, length, moves, first });
            if let Some(outcome) = self.outcomes.last_mut() {
                outcome.goals.extend_from_slice(&self.goals[lane * roles..][..roles]);
            }
        }
        self.harvest.clear(&self.lanes.program);
    }

    /// Notes the goals of the lanes that wait.
    fn find_goals(&mut self) {
        let (harvest, program) = (&mut self.harvest, &self.lanes.program);
        harvest.score(&self.lanes.code, program);
        self.goals.fill(None);
        let roles = self.goal_values.len();
        for (role, slots) in program.questions.goals.iter().enumerate() {
            let (mut some, mut several) = (W::ZERO, W::ZERO);
            let mut note = |lanes: W, value: Option<i32>| {
                lanes.lanes().for_each(|lane| self.goals[lane * roles + role] = value);
            };
            for (slot, &value) in slots.iter().zip(&self.goal_values[role]) {
                let lanes = harvest.work[slot.index()] & harvest.waiting;
                several = several | some & lanes;
                some = some | lanes;
                note(lanes, value);
            }
            note(several, None);
        }
    }

    /// Computes the states after the first moves of the lanes that wait, where they are wanted.
    fn find_first_states(&mut self) {
        if self.firsts.is_empty() {
            return;
        }
        let (batch, count) = (&mut self.batch, self.firsts.len());
        batch.load(self.firsts.iter().map(|(_, state, _)| &**state));
        batch.make(self.firsts.iter().map(|(_, _, moves)| &moves[..]));
        batch.advance();
        let states = batch.next_states(count);
        batch.go_on();
        batch.look();
        let roles = 0..self.goal_values.len();
        let mut legal: Vec<_> =
            roles.map(|role| batch.legal_moves(role, count).into_iter()).collect();
        for (at, ((lane, _, moves), state)) in self.firsts.drain(..).zip(states).enumerate() {
            let legal = legal.iter_mut().flat_map(Iterator::next).collect();
            let is_terminal = batch.is_terminal(at);
            let first = FirstState { moves, state, legal, is_terminal };
            self.waiting[lane].first = Some(Box::new(first));
        }
    }
}
