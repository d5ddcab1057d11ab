//! Playouts on lanes, which several simulators may share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use propnet::circuit::plan::OpenGoals;
use propnet::game::{Game, PlayError};
use propnet::lanes::{Batch, Job, LanesGame, Outcome, PartyId, Replay, SharedJobs, Word};
use propnet::names::Names;
use propnet::program::Program;

use super::ends::ends_after;
use super::replay;
use super::simulator::{Effort, End, EndQuestion, Line, LineGoals, SharedLanes, Simulator};
use crate::pipeline::LaneProgram;
use crate::playouts::Codes;
use crate::search::budget::Budget;
use crate::search::policy::{CreditedLine, LaneChoice, MetTerms, Policy};

/// Lanes that play jobs, and the game for other questions.
pub(crate) struct LaneSimulator<W: Word> {
    lanes: Held<W>,
    party: PartyId,
    game: LanesGame<W>,
    program: Arc<Program>,
    codes: Codes,
    /// Whether it already runs the fastest code.
    is_settled: bool,
    move_counts: Vec<usize>,
    weight_bits: Option<usize>,
    /// By role and move: the weight that lanes have.
    weights: Vec<Vec<u32>>,
    /// What makes recorded moves again, once that was asked for.
    replay: Option<Replay<W>>,
    effort: Effort,
}

/// Lanes that a simulator has for itself, or shares with others.
enum Held<W> {
    Own(Box<SharedJobs<W>>),
    Shared(Arc<Mutex<SharedJobs<W>>>),
}

impl<W: Word> Held<W> {
    /// Does something with them.
    #[inline(always)]
    fn with<T>(&mut self, task: impl FnOnce(&mut SharedJobs<W>) -> T) -> T {
        match self {
            Held::Own(jobs) => task(jobs),
            Held::Shared(jobs) => task(&mut lock(jobs)),
        }
    }
}

/// Lanes stay usable if another search has panicked: the panic is reported anyway.
fn lock<W>(jobs: &Mutex<SharedJobs<W>>) -> MutexGuard<'_, SharedJobs<W>> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lanes for the simulators that it makes.
pub(super) struct LaneHall<W> {
    program: LaneProgram,
    jobs: Arc<Mutex<SharedJobs<W>>>,
}

impl<W: Word> LaneHall<W> {
    pub(super) fn new(program: &LaneProgram) -> Self {
        let jobs = SharedJobs::new(&program.program, program.codes.best());
        LaneHall { program: program.clone(), jobs: Arc::new(Mutex::new(jobs)) }
    }
}

impl<W: Word> SharedLanes for LaneHall<W> {
    fn simulator(&self, seed: u64) -> Box<dyn Simulator> {
        let lanes = Held::Shared(self.jobs.clone());
        Box::new(LaneSimulator::on(lanes, &self.program, seed))
    }

    fn step(&self, unfinished: &mut Vec<usize>) {
        let mut jobs = lock(&self.jobs);
        jobs.run(1);
        unfinished.clear();
        unfinished.extend(jobs.unfinished());
    }
}

impl<W: Word> LaneSimulator<W> {
    /// A simulator with lanes of its own.
    pub(crate) fn new(program: &LaneProgram, seed: u64) -> Self {
        let jobs = SharedJobs::new(&program.program, program.codes.best());
        let mut simulator = Self::on(Held::Own(Box::new(jobs)), program, seed);
        simulator.claim(W::LANES);
        simulator
    }

    /// A simulator that has not claimed any of these lanes yet.
    fn on(mut lanes: Held<W>, program: &LaneProgram, seed: u64) -> Self {
        let party = lanes.with(|jobs| jobs.join(seed));
        let LaneProgram { program, codes, .. } = program;
        // Asked first: code that becomes ready in between is used later.
        let is_settled = codes.is_settled();
        let code = codes.best();
        let names = &program.names;
        let counts = (0..names.roles().len()).map(|role| names.move_count(role));
        let move_counts: Vec<usize> = counts.collect();
        let weight_bits = program.step.options.weights;
        let mut simulator = LaneSimulator {
            lanes,
            party,
            game: LanesGame::new(program.clone(), code),
            program: program.clone(),
            codes: codes.clone(),
            is_settled,
            weights: move_counts.iter().map(|&count| vec![0; count]).collect(),
            move_counts,
            weight_bits,
            replay: None,
            effort: Effort::default(),
        };
        if let Some(bits) = weight_bits {
            let even: Vec<Vec<u32>> =
                simulator.move_counts.iter().map(|&count| vec![(1 << bits) - 1; count]).collect();
            simulator.set_weights(even);
        }
        simulator
    }

    /// Switches to faster code if it is ready.
    fn improve_code(&mut self) {
        if self.codes.is_settled() {
            self.lanes.with(|jobs| jobs.set_code(self.codes.best()));
            self.game.set_code(self.codes.best());
            self.is_settled = true;
        }
    }

    fn set_weights(&mut self, weights: Vec<Vec<u32>>) {
        let LaneSimulator { lanes, party, program, weights: known, .. } = self;
        lanes.with(|jobs| {
            for (role, (old, new)) in known.iter_mut().zip(weights).enumerate() {
                let moves = program.names.moves(role);
                for (chosen, (old, new)) in moves.zip(old.iter_mut().zip(new)) {
                    if *old != new {
                        *old = new;
                        let set = jobs.set_weight(*party, role, chosen, new);
                        set.expect("a move of the program");
                    }
                }
            }
        });
    }
}

impl<W: Word> Simulator for LaneSimulator<W> {
    fn lanes(&self) -> usize {
        W::LANES
    }

    fn claim(&mut self, lanes: usize) -> Option<usize> {
        let party = self.party;
        self.lanes.with(|jobs| jobs.claim(party, lanes)).then(|| party.index())
    }

    fn release(&mut self) {
        let party = self.party;
        self.lanes.with(|jobs| jobs.release(party));
    }

    fn begin(&mut self, _: &Budget) {
        let party = self.party;
        self.lanes.with(|jobs| jobs.clear(party));
    }

    fn push(&mut self, job: Job) {
        let party = self.party;
        let pushed = self.lanes.with(|jobs| jobs.push(party, job));
        pushed.expect("the program was made for such jobs");
    }

    fn open_goals(&self) -> Option<Arc<OpenGoals>> {
        self.program.open_goals.clone()
    }

    fn step(&mut self) {
        if !self.is_settled {
            self.improve_code();
        }
        let party = self.party;
        let at_play = self.lanes.with(|jobs| {
            jobs.run(1);
            jobs.at_play(party)
        });
        self.effort.lane_steps += W::LANES as u64;
        self.effort.busy_lane_steps += at_play as u64;
    }

    fn unfinished(&self) -> usize {
        let count = |jobs: &SharedJobs<W>| jobs.queued(self.party) + jobs.at_play(self.party);
        match &self.lanes {
            Held::Own(jobs) => count(jobs),
            Held::Shared(jobs) => count(&lock(jobs)),
        }
    }

    fn outcomes(&mut self) -> Vec<Outcome> {
        let party = self.party;
        self.lanes.with(|jobs| jobs.outcomes(party))
    }

    fn prefer(&mut self, policy: &Policy) {
        match self.lane_choice(policy) {
            None => {}
            Some(LaneChoice::Weights(weights)) => self.set_weights(weights),
            Some(LaneChoice::Values(table)) => {
                let party = self.party;
                let set = self.lanes.with(|jobs| jobs.set_values(party, &table));
                set.expect("values that fit the program");
            }
        }
    }

    fn lane_choice(&self, policy: &Policy) -> Option<LaneChoice> {
        let is_in_playouts = |fluent| self.program.is_in_playouts(fluent);
        Some(policy.on_lanes(&self.move_counts, self.weight_bits?, &is_in_playouts))
    }

    fn game(&mut self) -> &mut dyn Game {
        &mut self.game
    }

    fn goals_along(
        &mut self,
        lines: &[Line],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<LineGoals>>, PlayError> {
        let mut batch = Batch::<W>::new(&self.program, self.codes.best());
        let portions = lines.chunks(W::LANES);
        let portions =
            portions.map(|lines| replay::goals_along(&mut batch, &self.program, lines, goes_on));
        let portions: Option<Vec<_>> = portions.collect::<Result<_, _>>()?;
        Ok(portions.map(|portions| portions.concat()))
    }

    fn states_along(
        &mut self,
        lines: &[CreditedLine],
        show: &mut dyn FnMut(usize, usize, &[u32]),
    ) -> Result<(), PlayError> {
        let (program, codes) = (&self.program, &self.codes);
        let replay = self.replay.get_or_insert_with(|| Replay::new(program, codes.best()));
        replay::states_along(replay, program.names.fluent_count(), lines, show)
    }

    fn names(&mut self, _: &MetTerms) -> Option<Arc<Names>> {
        Some(self.program.names.clone())
    }

    fn ends_after(&mut self, questions: &[EndQuestion]) -> Result<Vec<End>, PlayError> {
        ends_after(self.game.batch(), &self.program, questions)
    }

    fn move_counts(&self) -> Vec<usize> {
        self.move_counts.clone()
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

impl<W: Word> Drop for LaneSimulator<W> {
    /// Others may go on.
    fn drop(&mut self) {
        if let Held::Shared(jobs) = &self.lanes {
            lock(jobs).leave(self.party);
        }
    }
}
