//! A circuit on a back end, and what comes of its jobs; the tests on generated sheets use it too.

use std::sync::Arc;

use propnet::circuit::Circuit;
use propnet::game::State;
use propnet::lanes::{Backend, Code, Job, Jobs, Outcome, Word};
use propnet::machine::Level;
use propnet::program::{Mapping, Program, StepOptions};

/// A program and what runs it.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) program: Arc<Program>,
    pub(crate) code: Arc<Code>,
}

impl Engine {
    pub(crate) fn new(
        circuit: &Circuit,
        backend: Backend,
        mapping: Mapping,
        options: &StepOptions,
    ) -> Self {
        let program = Arc::new(Program::with_options(circuit, mapping, options));
        let code = Arc::new(Code::new(&program, backend).expect("code"));
        Engine { program, code }
    }

    pub(crate) fn initial(&self) -> Arc<State> {
        Arc::new(self.program.initial.clone())
    }

    /// The outcomes of jobs, one for each playout, by their tags, after something else is said.
    pub(crate) fn outcomes_with<W: Word>(
        &self,
        seed: u64,
        jobs: Vec<Job>,
        say: impl Fn(&mut Jobs<W>),
    ) -> Vec<Outcome> {
        let mut lanes = Jobs::<W>::new(&self.program, &self.code, seed);
        say(&mut lanes);
        let count: usize = jobs.iter().map(|job| job.count).sum();
        for job in jobs {
            lanes.push(job).expect("a job that the program can do");
        }
        lanes.finish();
        let outcomes = lanes.outcomes();
        let told: usize = outcomes.iter().map(|outcome| outcome.count).sum();
        assert_eq!(told, count, "what came of each playout is told");
        assert!(lanes.outcomes().is_empty(), "and only once");
        one_by_one(outcomes)
    }
}

/// Outcomes of several playouts as those of one each, by their tags; of a job, those with moves
/// first, then by what they are.
pub(crate) fn one_by_one(outcomes: Vec<Outcome>) -> Vec<Outcome> {
    let copies = |outcome: Outcome| {
        let count = outcome.count;
        std::iter::repeat_n(Outcome { count: 1, ..outcome }, count)
    };
    let mut outcomes: Vec<Outcome> = outcomes.into_iter().flat_map(copies).collect();
    outcomes.sort_by_cached_key(|outcome| {
        let Outcome { tag, moves, length, goals, first, .. } = outcome;
        (*tag, moves.is_empty(), moves.clone(), *length, goals.clone(), first.is_none())
    });
    outcomes
}

/// The levels that this processor has. The tests in `levels` are reported as ignored where it has not.
pub(crate) fn levels() -> Vec<Level> {
    [Level::Avx2, Level::Avx512].into_iter().filter(|level| level.is_available()).collect()
}
