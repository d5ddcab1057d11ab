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

use super::batch::Batch;
use super::code::Code;
use super::harvest::Harvest;
use super::history::History;
use super::job::{Ending, FirstState, Job, JobError, Outcome};
use super::stepper::{Over, Stepper, true_words};
use super::word::Word;
use crate::game::{Move, Role, State};
use crate::program::{JobSeeds, Program, Slot};

/// Lanes that play jobs from a queue.
pub struct Jobs<W> {
    lanes: Stepper<W>,
    seeds: JobSeeds,
    queue: VecDeque<Job>,
    /// By lane: what it plays.
    playing: Vec<Option<Playing>>,
    /// Steps made so far.
    now: u64,
    /// The words in which moves are forced at present.
    forced: Vec<Slot>,
    history: History<W>,
    /// Lanes whose moves are recorded.
    recorded: W,
    harvest: Harvest<W>,
    /// By lane: what waits for its goals.
    waiting: Vec<Option<Waiting>>,
    /// By role: how many moves it has.
    move_counts: Vec<usize>,
    /// By role and goal value: the value, where it is a number.
    goal_values: Vec<Vec<Option<i32>>>,
    batch: Batch<W>,
    outcomes: Vec<Outcome>,
}

/// A job in a lane.
struct Playing {
    job: Job,
    /// The number of its first step.
    start: u64,
}

/// Lanes whose jobs start alike.
struct Alike<W> {
    /// One of them, to ask for its job.
    first: usize,
    lanes: W,
}

impl<W: Word> Alike<W> {
    fn new(lane: usize) -> Self {
        let mut lanes = W::ZERO;
        lanes.insert(lane);
        Alike { first: lane, lanes }
    }
}

/// A job that is over, but for its goals and the state after its first move.
struct Waiting {
    outcome: Outcome,
    /// Where it started and the first joint move, if the state behind them is wanted.
    first: Option<(Arc<State>, Vec<Move>)>,
}

impl<W: Word> Jobs<W> {
    /// Lanes without jobs.
    pub fn new(program: &Arc<Program>, code: &Arc<Code>, seed: u64) -> Self {
        let values = |values: &Vec<String>| values.iter().map(|value| value.parse().ok()).collect();
        let names = &program.names;
        Jobs {
            lanes: Stepper::new(program, code),
            seeds: JobSeeds::new(seed),
            queue: VecDeque::new(),
            playing: (0..W::LANES).map(|_| None).collect(),
            now: 0,
            forced: Vec::new(),
            history: History::new(program.step.ports.made.clone()),
            recorded: W::ZERO,
            harvest: Harvest::new(program),
            waiting: (0..W::LANES).map(|_| None).collect(),
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
        self.queue.push_back(job);
        Ok(())
    }

    /// How many jobs are in the queue, in no lane yet.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// How many jobs are in lanes.
    pub fn at_play(&self) -> usize {
        self.lanes.active.count() as usize
    }

    /// Gives a move its weight from the next step on, where the program's step has weights.
    pub fn set_weight(&mut self, role: Role, chosen: Move, weight: u32) {
        self.lanes.set_weight(role, chosen, weight);
    }

    /// Makes a number of steps, or fewer if all jobs are done before.
    pub fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            self.fill();
            if self.lanes.active.is_zero() {
                break;
            }
            self.step();
        }
    }

    /// Makes steps until all jobs are done. A game without end needs jobs with a limit.
    pub fn finish(&mut self) {
        while !self.queue.is_empty() || !self.lanes.active.is_zero() {
            self.run(u64::MAX);
        }
    }

    /// What came of the jobs that are done, in no particular order; each is given once.
    pub fn outcomes(&mut self) -> Vec<Outcome> {
        self.settle();
        std::mem::take(&mut self.outcomes)
    }

    /// Gives idle lanes the next jobs of the queue. Those in a row that start alike are set up
    /// together.
    fn fill(&mut self) {
        if self.queue.is_empty() {
            return;
        }
        let mut alike: Option<Alike<W>> = None;
        let idle = !self.lanes.active;
        for lane in idle.lanes() {
            let Some(job) = self.queue.pop_front() else { break };
            self.load_generator(lane, job.number);
            if job.needs_record() {
                self.recorded.insert(lane);
            }
            let before = alike.as_ref().and_then(|alike| self.playing[alike.first].as_ref());
            let is_alike = before.is_some_and(|before| before.job.starts_like(&job));
            self.playing[lane] = Some(Playing { job, start: self.now });
            match &mut alike {
                Some(alike) if is_alike => alike.lanes.insert(lane),
                _ => {
                    let before = alike.replace(Alike::new(lane));
                    self.set_up(before);
                }
            }
        }
        self.set_up(alike);
    }

    /// Puts the random generator of a job into a lane.
    fn load_generator(&mut self, lane: usize, job: u64) {
        let step = &self.lanes.program.step;
        for bit in self.seeds.state(job).lanes() {
            self.lanes.before[step.random(bit)].insert(lane);
        }
    }

    /// Sets lanes up whose jobs start alike, but for their random generators.
    fn set_up(&mut self, alike: Option<Alike<W>>) {
        let Some(Alike { first, lanes }) = alike else { return };
        let Some(Playing { job, .. }) = &self.playing[first] else { return };
        let program = &self.lanes.program;
        let words = true_words(program, &job.state);
        if let (Some(joint), Some(ports)) = (&job.forced, &program.step.ports.forced) {
            let moves = ports.moves.iter().zip(&joint[..]).map(|(slots, at)| slots[at.0 as usize]);
            for slot in moves.chain([ports.lanes]) {
                let word = &mut self.lanes.work[slot.index()];
                *word = *word | lanes;
                self.forced.push(slot);
            }
        }
        if let Some(limit) = job.limit {
            self.lanes.limit(lanes, limit);
        }
        self.lanes.load(lanes, &words);
        self.lanes.active = self.lanes.active | lanes;
    }

    fn step(&mut self) {
        let over = self.lanes.step();
        for slot in self.forced.drain(..) {
            self.lanes.work[slot.index()] = W::ZERO;
        }
        self.record();
        let done = over.any();
        if !done.is_zero() {
            self.put_aside(&over);
        }
        self.lanes.go_on(done);
        self.now += 1;
    }

    /// Keeps the moves of this step, if a lane wants them.
    fn record(&mut self) {
        if self.recorded.is_zero() {
            self.history.forget_before(self.now + 1);
            return;
        }
        self.history.push(&self.lanes.work);
        if self.history.is_full() {
            let starts = self.recorded.lanes().filter_map(|lane| self.playing[lane].as_ref());
            let oldest = starts.map(|playing| playing.start).min();
            self.history.forget_before(oldest.unwrap_or(self.now));
        }
    }

    /// Takes lanes that are over out of play.
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
            let playing = self.playing[lane].take().expect("a lane that is over had a job");
            self.waiting[lane] = Some(self.waiting(lane, playing, ending));
        }
        self.recorded = self.recorded & !done;
    }

    /// What is known of a job at once when it is over.
    fn waiting(&self, lane: usize, playing: Playing, ending: Ending) -> Waiting {
        let Playing { job, start } = playing;
        let length = self.now - start;
        let moves = |count: u64| self.history.moves(lane, start, count);
        let first = (job.wants_first && length > 0).then(|| {
            let joint = job.forced.as_deref().map_or_else(|| moves(1), <[Move]>::to_vec);
            (job.state.clone(), joint)
        });
        let outcome = Outcome {
            tag: job.tag,
            ending,
            goals: self.goal_values.iter().map(|_| None).collect(),
            length,
            moves: if job.wants_moves { moves(length) } else { Vec::new() },
            first: None,
        };
        Waiting { outcome, first }
    }

    /// Completes what waits.
    fn settle(&mut self) {
        if self.harvest.waiting.is_zero() {
            return;
        }
        self.find_goals();
        self.find_first_states();
        for lane in self.harvest.waiting.lanes() {
            self.outcomes.extend(self.waiting[lane].take().map(|waiting| waiting.outcome));
        }
        self.harvest.clear(&self.lanes.program);
    }

    /// Notes the goals of the lanes that wait.
    fn find_goals(&mut self) {
        let (harvest, program) = (&mut self.harvest, &self.lanes.program);
        harvest.score(&self.lanes.code, program);
        for (role, slots) in program.questions.goals.iter().enumerate() {
            let (mut some, mut several) = (W::ZERO, W::ZERO);
            let mut note = |lanes: W, value: Option<i32>| {
                for lane in lanes.lanes() {
                    if let Some(waiting) = &mut self.waiting[lane] {
                        waiting.outcome.goals[role] = value;
                    }
                }
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
        let mut wanted: Vec<(&mut Outcome, Arc<State>, Vec<Move>)> = Vec::new();
        for waiting in self.waiting.iter_mut().flatten() {
            if let Some((state, moves)) = waiting.first.take() {
                wanted.push((&mut waiting.outcome, state, moves));
            }
        }
        if wanted.is_empty() {
            return;
        }
        let batch = &mut self.batch;
        batch.load(wanted.iter().map(|(_, state, _)| &**state));
        batch.make(wanted.iter().map(|(_, _, moves)| &moves[..]));
        batch.advance();
        let count = wanted.len();
        let states = batch.next_states(count);
        batch.go_on();
        batch.look();
        let roles = 0..self.goal_values.len();
        let mut legal: Vec<_> =
            roles.map(|role| batch.legal_moves(role, count).into_iter()).collect();
        for (at, ((outcome, _, moves), state)) in wanted.into_iter().zip(states).enumerate() {
            let legal = legal.iter_mut().flat_map(Iterator::next).collect();
            let is_terminal = batch.is_terminal(at);
            outcome.first = Some(FirstState { moves, state, legal, is_terminal });
        }
    }
}
