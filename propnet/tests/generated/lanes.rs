//! Lanes on every back end: the same answers as the reasoner, the same playouts as each other, by
//! chance and by weights, and playouts that a slower engine can make again.

use propnet::circuit::plan::DecisiveMoves;
use propnet::circuit::{Circuit, CircuitGame};
use propnet::game::Move;
use propnet::lanes::{
    Backend, Job, Jobs, LanesGame, Outcome, PerWidth, Playouts, Totals, Width, Word,
};
use propnet::machine::Level;
use propnet::program::{Mapping, StepOptions};

use super::agree::Trace;
use super::engine::{Engine, levels};
use super::replay::replay;

/// More playouts than the lanes of the narrowest words.
const JOBS: u64 = 90;

/// The moves that a playout may take.
const LIMIT: u64 = 10;

const UNIFORM: StepOptions = StepOptions {
    weights: None,
    forced: true,
    limit_bits: 4,
    record: true,
    restart: false,
    decisive: DecisiveMoves::Off,
    ends_early: false,
    goal_sum: false,
};
const WEIGHTED: StepOptions = StepOptions { weights: Some(12), ..UNIFORM };

/// What runs a program, and at which width.
#[derive(Clone, Copy, Debug)]
struct Kind {
    backend: Backend,
    mapping: Mapping,
    width: Width,
}

/// The first is the judge of the others.
fn kinds() -> Vec<Kind> {
    let portable = |mapping, width| Kind { backend: Backend::Portable, mapping, width };
    let mut kinds = vec![
        portable(Mapping::TwoInputs, Width::Lanes64),
        portable(Mapping::TwoInputs, Width::Lanes2048),
        portable(Mapping::ThreeInputs, Width::Lanes256),
    ];
    kinds.extend(levels().into_iter().map(|level| match level {
        Level::Avx2 => Kind {
            backend: Backend::Machine(level),
            mapping: Mapping::TwoInputs,
            width: Width::Lanes256,
        },
        Level::Avx512 => Kind {
            backend: Backend::Machine(level),
            mapping: Mapping::ThreeInputs,
            width: Width::Lanes512,
        },
    }));
    kinds
}

/// Compares the back ends on a circuit. `plain` is the circuit that replays the playouts.
pub(crate) fn check_lanes(
    circuit: &Circuit,
    plain: &Circuit,
    trace: &Trace,
    seed: u64,
) -> Result<(), String> {
    for options in [UNIFORM, WEIGHTED] {
        let mut expected: Option<Played> = None;
        for kind in kinds() {
            let place = |why: String| format!("{kind:?}, weights {:?}: {why}", options.weights);
            let engine = Engine::new(circuit, kind.backend, kind.mapping, &options);
            let task = Task { engine: &engine, trace, seed };
            let played = kind.width.dispatch(task).map_err(place)?;
            match &expected {
                None => {
                    check_replays(&played, plain);
                    expected = Some(played);
                }
                Some(expected) if expected.is_same(&played) => {}
                Some(_) => return Err(place("other playouts than the first back end".into())),
            }
        }
    }
    Ok(())
}

/// Playouts: their jobs, what came of them, and totals of others.
struct Played {
    jobs: Vec<(Job, Outcome)>,
    totals: Totals,
}

impl Played {
    fn is_same(&self, other: &Played) -> bool {
        let outcomes = |played: &Played| -> Vec<Outcome> {
            played.jobs.iter().map(|(_, outcome)| outcome.clone()).collect()
        };
        outcomes(self) == outcomes(other) && self.totals == other.totals
    }
}

struct Task<'e> {
    engine: &'e Engine,
    trace: &'e Trace,
    seed: u64,
}

impl PerWidth for Task<'_> {
    type Output = Result<Played, String>;

    fn run<W: Word>(self) -> Result<Played, String> {
        let Task { engine, trace, seed } = self;
        trace.check(&mut LanesGame::<W>::new(engine.program.clone(), &engine.code))?;
        let weigh = |lanes: &mut Jobs<W>| {
            for (role, chosen, weight) in weights(engine, seed) {
                lanes.set_weight(role, chosen, weight).expect("its own move");
            }
        };
        let played = |jobs: Vec<Job>| {
            let outcomes = engine.outcomes_with::<W>(seed, jobs.clone(), weigh);
            jobs.into_iter().zip(outcomes).collect::<Vec<_>>()
        };
        let mut jobs = played(free_jobs(engine));
        jobs.extend(played(forced_jobs(engine, &jobs)));
        let mut playouts = Playouts::<W>::new(
            &engine.program,
            &engine.code,
            &engine.program.initial,
            seed,
            &(0..JOBS),
        )
        .expect("its own state");
        for (role, chosen, weight) in weights(engine, seed) {
            playouts.set_weight(role, chosen, weight).expect("its own move");
        }
        playouts.set_limit(LIMIT);
        playouts.run(u64::MAX);
        Ok(Played { jobs, totals: playouts.totals().clone() })
    }
}

/// Weights from 0 to 4,095 that differ from move to move.
fn weights(engine: &Engine, seed: u64) -> Vec<(usize, Move, u32)> {
    let names = &engine.program.names;
    let moves = (0..names.roles().len())
        .flat_map(|role| names.moves(role).map(move |chosen| (role, chosen)));
    let weight = |(role, chosen): (usize, Move)| {
        let number = (chosen.index() as u64 + 1) * (2 * role as u64 + 3) * (seed % 1_000 + 7);
        (role, chosen, (number * number % 4_099) as u32)
    };
    moves.map(weight).collect()
}

fn free_jobs(engine: &Engine) -> Vec<Job> {
    let state = engine.initial();
    let job = |tag| Job {
        limit: Some(LIMIT),
        wants_first: tag % 4 == 0,
        wants_moves: 1,
        ..Job::new(tag, tag, &state)
    };
    (0..JOBS).map(job).collect()
}

/// Jobs that begin with the first moves of others.
fn forced_jobs(engine: &Engine, played: &[(Job, Outcome)]) -> Vec<Job> {
    let roles = engine.program.names.roles().len();
    let forced = played.iter().filter(|(_, outcome)| outcome.length > 0);
    let job = |(job, outcome): &(Job, Outcome)| Job {
        forced: Some(outcome.moves[..roles].into()),
        number: job.number + JOBS,
        wants_first: true,
        ..job.clone()
    };
    forced.map(job).collect()
}

fn check_replays(played: &Played, plain: &Circuit) {
    let mut judge = CircuitGame::new(plain.clone());
    for (job, outcome) in &played.jobs {
        replay(&mut judge, job, outcome);
    }
}
