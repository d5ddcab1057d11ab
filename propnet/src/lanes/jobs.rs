//! Lanes that play the jobs of one party, which has all of them.

use std::sync::Arc;

use super::code::Code;
use super::context::{ContextError, ValueTable};
use super::job::{Job, JobError, Outcome};
use super::party::PartyId;
use super::shared_jobs::SharedJobs;
use super::word::Word;
use crate::game::{ForeignError, Move, Role};
use crate::program::Program;

/// Lanes that play jobs from a queue.
pub struct Jobs<W> {
    shared: SharedJobs<W>,
    party: PartyId,
}

impl<W: Word> Jobs<W> {
    /// Lanes without jobs.
    pub fn new(program: &Arc<Program>, code: &Arc<Code>, seed: u64) -> Self {
        let mut shared = SharedJobs::new(program, code);
        let party = shared.join(seed);
        shared.claim(party, W::LANES);
        Jobs { shared, party }
    }

    /// Goes on with other code of the same program, whatever its back end: playouts that are under
    /// way end as they would have.
    pub fn set_code(&mut self, code: &Arc<Code>) {
        self.shared.set_code(code);
    }

    /// Adds a job to the queue; an error where the program cannot do what it asks for.
    pub fn push(&mut self, job: Job) -> Result<(), JobError> {
        self.shared.push(self.party, job)
    }

    /// Calls everything off: what is queued, what is at play, and what nobody has asked about yet.
    /// Weights stay as they are.
    pub fn clear(&mut self) {
        self.shared.clear(self.party);
    }

    /// How many playouts are in the queue, in no lane yet.
    pub fn queued(&self) -> usize {
        self.shared.queued(self.party)
    }

    /// How many playouts are in lanes.
    pub fn at_play(&self) -> usize {
        self.shared.at_play(self.party)
    }

    /// Gives a move its weight from the next step on, where the program's step has weights.
    pub fn set_weight(
        &mut self,
        role: Role,
        chosen: Move,
        weight: u32,
    ) -> Result<(), ForeignError> {
        self.shared.set_weight(self.party, role, chosen, weight)
    }

    /// Has moves chosen by values that depend on what is true in a lane, from the next step on; see
    /// [`SharedJobs::set_values`].
    pub fn set_values(&mut self, table: &ValueTable) -> Result<(), ContextError> {
        self.shared.set_values(self.party, table)
    }

    /// Makes a number of steps, or fewer if all jobs are done before.
    pub fn run(&mut self, steps: u64) {
        self.shared.run(steps);
    }

    /// Makes steps until all jobs are done. A game without end needs jobs with a limit.
    pub fn finish(&mut self) {
        while self.queued() > 0 || self.at_play() > 0 {
            self.run(u64::MAX);
        }
    }

    /// The outcomes of the playouts that are over, in no particular order; each is given once.
    pub fn outcomes(&mut self) -> Vec<Outcome> {
        self.shared.outcomes(self.party)
    }
}
