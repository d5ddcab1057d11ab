//! A step -> the time of its parts.
//!
//! State, choice and next are one routine, in which their operations are mixed. So two more
//! routines are made: one ends when the legal moves are known, the other when the moves are chosen
//! ([`StepPrefix`]). All three run in turn on the same states, and the time of a part is the
//! difference between two of them. The values that a prefix would pass on are folded into one word,
//! which costs a little, so the earlier parts come out slightly too large and `next` too small.
//!
//! Goals and refill are separate calls. Lanes play once more with a clock that is read at the end
//! of each phase; reading it takes time as well, which is measured and subtracted. The resulting
//! shares of the phases are applied to the step of the undisturbed measurement, which is the one
//! that is reported.

use std::time::{Duration, Instant};

use propnet::lanes::{Backend, Phase, Simulation, Word};
use propnet::machine::{Executable, assemble};
use propnet::program::{Reach, Routine, StepPrefix};

use super::report::SplitNanoseconds;
use super::sheet::Bench;

/// Calls between two readings of the clock.
const CALLS: usize = 16;

/// A round that takes this many times as long as usual was interrupted. Some rounds take longer
/// than others, since lanes that began together end together, but not that much longer.
const INTERRUPTED: f64 = 10.0;

/// The parts of a step that takes this time in a lane, and the words that its routine works with.
pub(super) fn split<W: Word>(
    bench: &Bench<'_>,
    total: f64,
) -> Result<(SplitNanoseconds, usize), String> {
    let time = bench.options.time / 4;
    let mut lanes = bench.playouts::<W>(0);
    let origin = Instant::now();
    let clock = || origin.elapsed();
    let [step, goal, refill] = phases(time, clock, |done| {
        lanes.run_watched(CALLS as u64, &mut |phase| done(phase));
    });
    let (program, options) = (&bench.program, &bench.program.step.options);
    let mapping = bench.options.pipeline.lanes.mapping();
    let prefix = |reach| StepPrefix::new(bench.circuit, mapping, options, reach);
    let (state, choice) = (prefix(Reach::State), prefix(Reach::Choice));
    let mut routines = Vec::new();
    let whole = (&program.step.routine, program.step.work_words);
    for (routine, words) in
        [(&state.routine, state.work_words), (&choice.routine, choice.work_words), whole]
    {
        routines.push(StepPart::<W>::new(bench, routine, words)?);
    }
    let times = in_turn(&mut routines, lanes.state_words(), time);
    // The simulator makes the work space longer when it first runs.
    let words = routines[2].work.len();
    let phases = step + goal + refill;
    let share = |part: f64| total * part / phases;
    let [state, choice, next] = parts([times[0], times[1], times[2]]).map(|of| share(step) * of);
    let split =
        SplitNanoseconds { total, state, choice, next, goal: share(goal), refill: share(refill) };
    Ok((split, words))
}

/// The shares of three parts of a whole, given the times of the first part, of the first two, and
/// of all three. A part that takes almost no time may appear to take negative time.
fn parts([first, two, whole]: [f64; 3]) -> [f64; 3] {
    let two = two.min(whole);
    let first = first.min(two);
    [first, two - first, whole - two].map(|part| part / whole)
}

/// The seconds of each phase, by a clock that gives the time since some moment. The time that the
/// clock itself takes is not counted. Rounds that another process interrupted are left out.
fn phases(
    time: Duration,
    mut clock: impl FnMut() -> Duration,
    mut steps: impl FnMut(&mut dyn FnMut(Phase)),
) -> [f64; 3] {
    let reading = reading_time(&mut clock);
    let start = clock();
    let mut rounds = Vec::new();
    loop {
        let mut last = clock();
        if last - start >= time && !rounds.is_empty() {
            break;
        }
        let mut round = [0.0; 3];
        let mut done = |phase: Phase| {
            let now = clock();
            round[phase as usize] += (now - last).as_secs_f64() - reading;
            last = now;
        };
        steps(&mut done);
        rounds.push(round);
    }
    let took = |round: &[f64; 3]| round.iter().sum::<f64>();
    rounds.sort_by(|one, other| took(one).total_cmp(&took(other)));
    let most = INTERRUPTED * took(&rounds[rounds.len() / 2]);
    let kept = rounds.iter().filter(|round| took(round) <= most);
    let sums = kept.fold([0.0; 3], |sums, round| [0, 1, 2].map(|at| sums[at] + round[at]));
    sums.map(|sum: f64| sum.max(0.0))
}

/// The seconds that reading the clock takes.
fn reading_time(clock: &mut impl FnMut() -> Duration) -> f64 {
    const READINGS: u32 = 10_000;
    let start = clock();
    let mut last = start;
    for _ in 0..READINGS {
        last = clock();
    }
    (last - start).as_secs_f64() / f64::from(READINGS)
}

/// A routine with words of its own.
struct StepPart<W> {
    made: CompiledPart,
    after: Vec<W>,
    work: Vec<W>,
}

enum CompiledPart {
    Simulated(Simulation),
    Compiled(Executable),
}

impl<W: Word> StepPart<W> {
    fn new(bench: &Bench<'_>, routine: &Routine, words: usize) -> Result<Self, String> {
        let (made, words) = match bench.options.pipeline.lanes.backend() {
            Backend::Portable => (CompiledPart::Simulated(Simulation::new(routine, words)), words),
            Backend::Machine(level) => {
                let made = assemble(routine, level).and_then(Executable::new);
                let made = made.map_err(|error| error.to_string())?;
                let words = words.max(made.code().work_words());
                (CompiledPart::Compiled(made), words)
            }
        };
        let step = &bench.program.step;
        let mut work = vec![W::ZERO; words];
        work[step.ports.active.index()] = W::splat(true);
        Ok(StepPart { made, after: vec![W::ZERO; step.state_words()], work })
    }

    fn call(&mut self, before: &[W]) {
        match &self.made {
            CompiledPart::Simulated(made) => made.run(before, &mut self.after, &mut self.work),
            CompiledPart::Compiled(made) => {
                W::execute(made, before, &mut self.after, &mut self.work)
                    .expect("words of the level, and loops that come to rest")
            }
        }
    }
}

/// The seconds that each routine takes; the routines are called in turn for about this time.
fn in_turn<W: Word>(parts: &mut [StepPart<W>], before: &[W], time: Duration) -> Vec<f64> {
    let start = Instant::now();
    let mut best = vec![f64::INFINITY; parts.len()];
    // The best of many short rounds is one that nothing disturbed.
    while start.elapsed() < time || best[0].is_infinite() {
        for (part, best) in parts.iter_mut().zip(&mut best) {
            // The first call brings the words into the cache, as they are in the middle of
            // playouts.
            part.call(before);
            let start = Instant::now();
            for _ in 0..CALLS {
                part.call(before);
            }
            *best = best.min(start.elapsed().as_secs_f64() / CALLS as f64);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn parts_add_up_to_the_whole() {
        assert_eq!(parts([1.0, 3.0, 4.0]), [0.25, 0.5, 0.25]);
        assert_eq!(parts([3.0, 4.5, 4.0]), [0.75, 0.25, 0.0]);
        assert_eq!(parts([5.0, 4.5, 4.0]), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn phases_are_told_apart_without_the_time_of_the_clock() {
        let now = Cell::new(Duration::ZERO);
        let pass = |micros| now.set(now.get() + Duration::from_micros(micros));
        let clock = || {
            pass(7);
            now.get()
        };
        let mut rounds = 0.0;
        let found = phases(Duration::from_millis(120), clock, |done| {
            for (phase, micros) in [(Phase::Step, 300), (Phase::Goals, 0), (Phase::Refill, 40)] {
                // Something else happens in the middle of one of the rounds.
                pass(if rounds == 5.0 { 30_000 } else { micros });
                done(phase);
            }
            rounds += 1.0;
        });
        let rounds = rounds - 1.0;
        for (found, micros) in found.into_iter().zip([300.0, 0.0, 40.0]) {
            assert!((found - rounds * micros * 1e-6).abs() < 1e-9, "{found}");
        }
        assert!(rounds > 10.0);
    }
}
