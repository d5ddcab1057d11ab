//! A sheet -> its figures. The library does not read a clock, so times are measured here, around
//! each stage.

use std::sync::Arc;
use std::time::{Duration, Instant};

use propnet::circuit::Circuit;
use propnet::game::State;
use propnet::gdl::Source;
use propnet::lanes::{Code, PerWidth, Playouts, Word};
use propnet::program::{Program, Routine, StepOptions};

use super::rates::{self, Counted};
use super::report::{MakeSeconds, SheetRates};
use super::scalar;
use super::split::split;
use crate::pipeline::PipelineOptions;
use crate::pipeline::measure;

/// How a benchmark is run.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// How programs are made, and what runs them.
    pub pipeline: PipelineOptions,
    /// How long each of the two ways to play is measured.
    pub time: Duration,
    /// How many threads play.
    pub threads: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of joint moves after which playouts are cut, if some do not end before.
    pub limit: u64,
}

/// A game that is ready to be measured.
pub(super) struct Bench<'a> {
    pub(super) options: &'a BenchOptions,
    pub(super) circuit: &'a Circuit,
    pub(super) program: Arc<Program>,
    pub(super) code: Arc<Code>,
    /// The number of joint moves after which playouts are cut, if some are.
    pub(super) limit: Option<u64>,
    /// The steps of a long playout.
    pub(super) longest: u64,
}

/// Measures a sheet, or says why that is impossible.
pub fn bench(sheet: Source, options: &BenchOptions) -> Result<SheetRates, String> {
    let (report, circuit) = measure(sheet, &options.pipeline);
    let Some(circuit) = circuit else {
        return Err(report.message.unwrap_or_else(|| report.result.to_string()));
    };
    let made = report.seconds;
    let mut seconds = MakeSeconds {
        parse: made.parse,
        ground: made.ground,
        build: made.build,
        passes: made.passes,
        ..MakeSeconds::default()
    };
    let bench = Bench::new(&circuit, options, &mut seconds)?;
    let figures = options.pipeline.lanes.width().dispatch(Measure { bench })?;
    Ok(SheetRates { make_seconds: seconds, gates: circuit.two_input_gates(), ..figures })
}

impl<'a> Bench<'a> {
    /// The fastest program that can be measured: it only counts moves if some playouts would never
    /// end otherwise.
    fn new(
        circuit: &'a Circuit,
        options: &'a BenchOptions,
        seconds: &mut MakeSeconds,
    ) -> Result<Self, String> {
        let plain = Bench::with_limit(circuit, options, None, seconds)?;
        if let Some(longest) = options.pipeline.lanes.width().dispatch(Longest { bench: &plain }) {
            return Ok(Bench { longest, ..plain });
        }
        Bench::with_limit(circuit, options, Some(options.limit), seconds)
    }

    fn with_limit(
        circuit: &'a Circuit,
        options: &'a BenchOptions,
        limit: Option<u64>,
        seconds: &mut MakeSeconds,
    ) -> Result<Self, String> {
        let lanes = options.pipeline.lanes;
        let bits = limit.map_or(0, StepOptions::bits_for);
        let step = StepOptions { limit_bits: bits, restart: true, ..StepOptions::default() };
        let start = Instant::now();
        let program = Program::with_options(circuit, lanes.mapping(), &step);
        seconds.map = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let code = Code::new(&program, lanes.backend()).map_err(|error| error.to_string())?;
        seconds.compile = start.elapsed().as_secs_f64();
        let (program, code) = (Arc::new(program), Arc::new(code));
        Ok(Bench { options, circuit, program, code, limit, longest: options.limit })
    }

    /// The state in which playouts start.
    pub(super) fn start(&self) -> &State {
        &self.program.initial
    }

    /// Lanes that never run out of jobs, for the thread with this number.
    pub(super) fn playouts<W: Word>(&self, thread: u64) -> Playouts<W> {
        let jobs = thread << 48..(thread + 1) << 48;
        let (program, code, seed) = (&self.program, &self.code, self.options.seed);
        let playouts = Playouts::new(program, code, self.start(), seed, &jobs);
        let mut playouts = playouts.expect("a program has its own initial state");
        if let Some(limit) = self.limit {
            playouts.set_limit(limit);
        }
        playouts
    }
}

/// The steps of the longest of a few playouts; `None` if one does not end before the limit.
struct Longest<'a> {
    bench: &'a Bench<'a>,
}

impl PerWidth for Longest<'_> {
    type Output = Option<u64>;

    fn run<W: Word>(self) -> Option<u64> {
        let Bench { options, program, code, .. } = self.bench;
        let (state, jobs) = (self.bench.start(), 0..W::LANES as u64);
        let playouts = Playouts::<W>::new(program, code, state, options.seed, &jobs);
        let mut playouts = playouts.expect("a program has its own initial state");
        let mut steps = 0;
        while !playouts.is_done() && steps < options.limit {
            playouts.run(1);
            steps += 1;
        }
        playouts.is_done().then_some(steps)
    }
}

struct Measure<'a> {
    bench: Bench<'a>,
}

impl PerWidth for Measure<'_> {
    type Output = Result<SheetRates, String>;

    fn run<W: Word>(self) -> Result<SheetRates, String> {
        let bench = &self.bench;
        let Counted { totals, playouts, spread, steps } = rates::together::<W>(bench)?;
        if totals.playouts == 0 || totals.steps == 0 {
            return Err("no playout ended within the given time".to_string());
        }
        let jobs = rates::one_by_one::<W>(bench)?;
        let scalar = scalar::steps_per_cpu_second(bench);
        let (split, step_words) = split::<W>(bench, 1e9 / steps.per_cpu_second)?;
        Ok(SheetRates {
            lookup_tables: operations(&bench.program.step.routine),
            goal_lookup_tables: operations(&bench.program.questions.score),
            code_bytes: bench.code.bytes(),
            data_bytes: data_words(&bench.program, step_words) * size_of::<W>(),
            limit: bench.limit,
            playouts_per_second: playouts.per_second,
            playouts_per_cpu_second: playouts.per_cpu_second,
            playouts_per_cpu_second_spread: spread,
            steps_per_second: steps.per_second,
            steps_per_cpu_second: steps.per_cpu_second,
            job_playouts_per_second: jobs.per_second,
            job_playouts_per_cpu_second: jobs.per_cpu_second,
            scalar_steps_per_cpu_second: scalar,
            times_scalar: steps.per_cpu_second / scalar,
            lane_step_nanoseconds: split,
            mean_length: totals.steps as f64 / totals.playouts as f64,
            mean_goals: rates::mean_goals(&bench.program, &totals),
            playouts: totals.playouts,
            stuck: totals.stuck,
            cut: totals.cut,
            ..SheetRates::default()
        })
    }
}

fn operations(routine: &Routine) -> usize {
    routine.blocks.iter().map(|block| block.ops.len()).sum()
}

/// The words of one thread: the state before and after a step, the work space of the step, the
/// inputs of the goals, and the next jobs.
fn data_words(program: &Program, step_words: usize) -> usize {
    let questions = &program.questions;
    2 * program.step.state_words()
        + step_words
        + program.aside.work_words
        + questions.work_words
        + program.seed.work_words
}
