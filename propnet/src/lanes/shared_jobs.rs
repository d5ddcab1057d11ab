//! Playouts one by one: each job has its own start and its own outcome. Several parties may share the
//! lanes.
//!
//! ```text
//! queue -> idle lanes -> steps -> lanes that are over -> put aside -> outcomes
//!            ^                        |
//!            +------------------------+
//! ```
//!
//! A party has its own seed, weights, queue and outcomes, and lanes that it claims and releases. Its
//! jobs begin and end as if it were alone with as many lanes, and its outcomes come in the same order.
//!
//! What is done for a lane alone is done when its job begins and when it is over, never in a step.
//! A lane takes its next job in the step after. What it ended with waits until goals are computed
//! for many lanes at once: when a lane is over for the second time, or when the caller asks for
//! outcomes.

use std::sync::Arc;

use super::batch::Batch;
use super::code::Code;
use super::cohorts::{Beginning, Cohort, Cohorts};
use super::context::{ContextError, ValueTable};
use super::generators::Generators;
use super::goals::Goals;
use super::harvest::Harvest;
use super::history::History;
use super::job::{Ending, FirstState, Job, JobError, Outcome};
use super::party::{Bunch, More, Party, PartyId, claimed};
use super::stepper::{Over, Stepper, true_words};
use super::word::Word;
use crate::game::{ForeignError, Move, Role, State};
use crate::machine::{Task, at_full_speed};
use crate::program::{JobSeeds, Program};

/// Where a first state that is wanted comes from: the party, the bunch, the state before, the joint
/// move.
type FirstQuestion = (usize, usize, Arc<State>, Arc<[Move]>);

/// Lanes that play the jobs of parties.
pub struct SharedJobs<W> {
    lanes: Stepper<W>,
    generators: Generators<W>,
    /// By number; none where a party has left.
    parties: Vec<Option<Party<W>>>,
    /// Lanes that no party has claimed, and by lane: which one has.
    free: W,
    party_of_lane: Vec<usize>,
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
    /// By lane that waits for its goals: which bunch of its party it belongs to.
    bunch_of_lane: Vec<usize>,
    goals: Goals<W>,
    /// Whether these are the goals of all lanes that wait.
    is_scored: bool,
    /// By party and bunch: where the first state that is wanted comes from.
    firsts: Vec<FirstQuestion>,
    /// By role: how many moves it has.
    move_counts: Vec<usize>,
    batch: Batch<W>,
}

/// A number of steps to be made.
struct JobSteps<'j, W> {
    jobs: &'j mut SharedJobs<W>,
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

impl<W: Word> SharedJobs<W> {
    /// Lanes without parties.
    pub fn new(program: &Arc<Program>, code: &Arc<Code>) -> Self {
        let names = &program.names;
        SharedJobs {
            lanes: Stepper::new(program, code),
            generators: Generators::new(),
            parties: Vec::new(),
            free: W::splat(true),
            party_of_lane: vec![0; W::LANES],
            loaded: None,
            words: Vec::new(),
            cohorts: Cohorts::new(W::LANES),
            now: 0,
            history: History::new(&program.step.ports, names.table(), W::LANES),
            recorded: W::ZERO,
            wants_moves: W::ZERO,
            wants_more: W::ZERO,
            harvest: Harvest::new(program),
            bunch_of_lane: vec![0; W::LANES],
            goals: Goals::new(program),
            is_scored: false,
            firsts: Vec::new(),
            move_counts: (0..names.roles().len()).map(|role| names.move_count(role)).collect(),
            batch: Batch::new(program, code),
        }
    }

    /// Adds a party, whose jobs have this seed. It has no lanes yet.
    pub fn join(&mut self, seed: u64) -> PartyId {
        let at = self.parties.iter().position(Option::is_none).unwrap_or(self.parties.len());
        if at == self.parties.len() {
            self.parties.push(None);
        }
        self.parties[at] = Some(Party::new(JobSeeds::new(seed)));
        self.lanes.set_weigher(at);
        PartyId(at)
    }

    /// Takes a party out, with all that it has.
    pub fn leave(&mut self, party: PartyId) {
        self.release(party);
        self.parties[party.0] = None;
    }

    /// Gives a party at least this number of lanes, if so many are left. Jobs that do not fit its
    /// lanes wait until others of its own are over.
    pub fn claim(&mut self, party: PartyId, count: usize) -> bool {
        let is_weighted = !self.lanes.program.step.ports.choices.is_empty();
        let Some(lanes) = claimed(self.free, count, is_weighted) else { return false };
        for lane in lanes.lanes() {
            self.party_of_lane[lane] = party.0;
        }
        self.free = self.free & !lanes;
        let own = &mut self.party(party).lanes;
        *own = *own | lanes;
        let own = *own;
        self.lanes.set_lanes_of_weigher(party.0, own);
        true
    }

    /// Takes a party's lanes back, and calls off what it has there.
    pub fn release(&mut self, party: PartyId) {
        self.clear(party);
        let lanes = std::mem::replace(&mut self.party(party).lanes, W::ZERO);
        self.free = self.free | lanes;
        self.lanes.set_lanes_of_weigher(party.0, W::ZERO);
    }

    fn party(&mut self, party: PartyId) -> &mut Party<W> {
        self.parties[party.0].as_mut().expect("a party that has not left")
    }

    /// Goes on with other code of the same program, whatever its back end: playouts that are under
    /// way end as they would have.
    pub fn set_code(&mut self, code: &Arc<Code>) {
        self.lanes.code = code.clone();
        self.batch.set_code(code);
    }

    /// Adds a job to the queue of a party; an error where the program cannot do what it asks for.
    pub fn push(&mut self, party: PartyId, job: Job) -> Result<(), JobError> {
        let program = &self.lanes.program;
        job.check(&program.step.options, program.names.table(), &self.move_counts)?;
        if job.count > 0 {
            let own = self.party(party);
            own.queued += job.count;
            own.queue.push_back(job);
        }
        Ok(())
    }

    /// Calls off everything that a party has: what is queued, what is at play, and what it has not
    /// asked about yet. Weights stay as they are.
    pub fn clear(&mut self, party: PartyId) {
        let own = self.party(party);
        let lanes = own.lanes;
        own.clear();
        for lane in (self.lanes.active & lanes).lanes() {
            self.cohorts.leave(lane);
        }
        self.lanes.clear(lanes);
        for word in [&mut self.recorded, &mut self.wants_moves, &mut self.wants_more] {
            *word = *word & !lanes;
        }
        self.firsts.retain(|(other, ..)| *other != party.0);
        self.harvest.forget(lanes, &self.lanes.program);
    }

    /// How many playouts of a party are in its queue, in no lane yet.
    pub fn queued(&self, party: PartyId) -> usize {
        self.parties[party.0].as_ref().map_or(0, |own| own.queued)
    }

    /// How many playouts of a party are in lanes.
    pub fn at_play(&self, party: PartyId) -> usize {
        self.parties[party.0].as_ref().map_or(0, |own| own.playing)
    }

    /// By the number of a party: how many of its playouts are not over.
    pub fn unfinished(&self) -> impl Iterator<Item = usize> + '_ {
        let unfinished = |own: &Party<W>| own.queued + own.playing;
        self.parties.iter().map(move |own| own.as_ref().map_or(0, unfinished))
    }

    /// Gives a move its weight in the playouts of a party, from the next step on, where the
    /// program's step has weights.
    pub fn set_weight(
        &mut self,
        party: PartyId,
        role: Role,
        chosen: Move,
        weight: u32,
    ) -> Result<(), ForeignError> {
        self.lanes.set_weight(party.0, role, chosen, weight)
    }

    /// Has the playouts of a party choose moves by values that depend on what is true in a lane, from the
    /// next step on. The values of all moves are replaced. A weight that is set later ends that.
    ///
    /// Moves that were made before the first call do not count as made.
    pub fn set_values(&mut self, party: PartyId, table: &ValueTable) -> Result<(), ContextError> {
        self.lanes.set_values(party.0, table)
    }

    /// Makes a number of steps, or fewer if all jobs are done before.
    pub fn run(&mut self, steps: u64) {
        at_full_speed(JobSteps { jobs: self, steps });
    }

    /// The outcomes of a party's playouts that are over, in no particular order; each is given once.
    pub fn outcomes(&mut self, party: PartyId) -> Vec<Outcome> {
        self.settle(party.0);
        let outcomes = &mut self.party(party).outcomes;
        // The next ones will be about as many.
        let room = Vec::with_capacity(outcomes.len());
        std::mem::replace(outcomes, room)
    }

    /// Gives idle lanes the next playouts of their party's queue. Those of a job are set up together.
    #[inline(always)]
    fn fill(&mut self) {
        for party in 0..self.parties.len() {
            let Some(own) = &mut self.parties[party] else { continue };
            let mut idle = own.lanes & !self.lanes.active;
            while !idle.is_zero()
                && let Some(own) = &mut self.parties[party]
                && let Some(mut job) = own.queue.pop_front()
            {
                let lanes = idle.take(job.count);
                idle = idle & !lanes;
                self.set_up(party, lanes, &job);
                self.begin(party, lanes, &mut job);
                if job.count > 0
                    && let Some(own) = &mut self.parties[party]
                {
                    own.queue.push_front(job);
                }
            }
        }
        let first = self.lanes.program.step.random(0);
        self.generators.load(&mut self.lanes.before[first..]);
    }

    /// Takes playouts off a job, for lanes.
    #[inline(always)]
    fn begin(&mut self, party: usize, lanes: W, job: &mut Job) {
        let Some(own) = &mut self.parties[party] else { return };
        let count = lanes.count() as usize;
        own.queued -= count;
        own.playing += count;
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
            self.generators.add(lane, &own.seeds, job.number);
            job.number = job.number.wrapping_add(1);
        }
        job.count -= count;
        job.wants_first = false;
        job.wants_moves = job.wants_moves.saturating_sub(count);
    }

    /// Sets lanes up for playouts of a job, but for their random generators.
    #[inline(always)]
    fn set_up(&mut self, party: usize, lanes: W, job: &Job) {
        if !self.loaded.as_ref().is_some_and(|loaded| Arc::ptr_eq(loaded, &job.state)) {
            self.words.clear();
            true_words(&self.lanes.program, &job.state).for_each(|word| self.words.push(word));
            self.loaded = Some(job.state.clone());
        }
        if let Some(joint) = &job.forced {
            self.lanes.force(party, &lanes, joint);
        }
        if let Some(limit) = job.limit {
            self.lanes.limit(lanes, limit);
        }
        self.lanes.begin(party, lanes);
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
        for lane in self.harvest.due(done).lanes() {
            self.settle(self.party_of_lane[lane]);
        }
        let Stepper { code, program, before, .. } = &self.lanes;
        self.harvest.put_aside(code, program, done, before);
        self.is_scored = false;
        for lane in done.lanes() {
            let at = self.party_of_lane[lane];
            let Some(party) = &mut self.parties[at] else { continue };
            party.playing -= 1;
            let ending = over.ending(lane);
            match self.wants_more.has(lane) {
                true => self.wait_alone(at, lane, ending),
                false => {
                    let cohort = self.cohorts.leave(lane);
                    self.bunch_of_lane[lane] = party.wait(cohort, self.now, ending);
                }
            }
        }
        for lanes in [&mut self.recorded, &mut self.wants_moves, &mut self.wants_more] {
            *lanes = *lanes & !done;
        }
    }

    /// Notes what is known at once of a playout that is over and of which more is wanted.
    #[inline(always)]
    fn wait_alone(&mut self, party: usize, lane: usize, ending: Ending) {
        let Some(own) = &mut self.parties[party] else { return };
        let cohort = self.cohorts.leave(lane);
        let (at, start, length) = (own.bunches.len(), cohort.start, self.now - cohort.start);
        let moves = |count: u64| self.history.moves(lane, start, count);
        if let Some(first) = cohort.first.take_if(|first| first.lane == lane)
            && length > 0
        {
            let joint = first.forced.unwrap_or_else(|| moves(1).into());
            self.firsts.push((party, at, first.state, joint));
        }
        let moves = if self.wants_moves.has(lane) { moves(length) } else { Vec::new() };
        let mut bunch = Bunch::new(cohort.tag, length, ending);
        bunch.more = Some(Box::new(More { moves, first: None }));
        own.bunches.push(bunch);
        self.bunch_of_lane[lane] = at;
    }

    /// Completes what waits of a party.
    fn settle(&mut self, party: usize) {
        let lanes = self.parties[party].as_ref().map_or(W::ZERO, |own| own.lanes);
        let waiting = self.harvest.waiting & lanes;
        if waiting.is_zero() {
            return;
        }
        if !self.is_scored {
            // Of all parties: others may be asked in the same step.
            self.harvest.score(&self.lanes.code, &self.lanes.program);
            self.goals.find(&self.harvest, &self.lanes.program);
            self.find_first_states();
            self.is_scored = true;
        }
        if let Some(own) = &mut self.parties[party] {
            let mut rest = waiting;
            while let Some(lane) = rest.lanes().next() {
                let (goals, alike) = self.goals.of(lane, rest);
                rest = rest & !alike;
                own.tell(&goals, alike.lanes().map(|lane| self.bunch_of_lane[lane]));
            }
            own.bunches.clear();
        }
        self.harvest.forget(waiting, &self.lanes.program);
    }

    /// Computes the states after the first moves of the playouts that wait, where they are wanted.
    fn find_first_states(&mut self) {
        if self.firsts.is_empty() {
            return;
        }
        let (batch, count) = (&mut self.batch, self.firsts.len());
        let loaded = batch.load(self.firsts.iter().map(|(_, _, state, _)| &**state));
        let made = batch.make(self.firsts.iter().map(|(.., moves)| &moves[..]));
        loaded.and(made).expect("states and moves are checked when a job is pushed");
        batch.advance();
        let states = batch.next_states(count);
        batch.go_on();
        batch.look();
        let roles = 0..self.goals.roles();
        let mut legal: Vec<_> =
            roles.map(|role| batch.legal_moves(role, count).into_iter()).collect();
        for (at, ((party, bunch, _, moves), state)) in self.firsts.drain(..).zip(states).enumerate()
        {
            let legal = legal.iter_mut().flat_map(Iterator::next).collect();
            let is_terminal = batch.is_terminal(at);
            let first = FirstState { moves, state, legal, is_terminal };
            if let Some(own) = &mut self.parties[party]
                && let Some(more) = &mut own.bunches[bunch].more
            {
                more.first = Some(Box::new(first));
            }
        }
    }
}
