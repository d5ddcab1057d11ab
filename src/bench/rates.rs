//! Playouts for a given time.
//!
//! Lanes are never idle while they are measured: they play before the measurement begins, have more
//! jobs than they can do, and are not awaited at its end. A playout in flight at the beginning is
//! counted when it ends, and one in flight at the end is not; on average the two cancel out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use propnet::game::goal_value;
use propnet::lanes::{Job, Jobs, Totals, Word};
use propnet::program::Program;
use rayon::ThreadPoolBuilder;

use super::report::Rate;
use super::sheet::Bench;
use crate::statistics::Spread;

/// Steps between two readings of the clock.
const STEPS: u64 = 64;

/// A measurement is divided into this many slices, whose rates show the spread.
const SLICES: u32 = 5;

/// Jobs that wait in a queue, for each lane: the shortest games end every few steps.
const WAITING: usize = 24;

/// Playouts that were counted together.
pub(super) struct Counted {
    /// Their totals.
    pub(super) totals: Totals,
    /// Playouts.
    pub(super) playouts: Rate,
    /// Playouts per processor second, slice by slice.
    pub(super) spread: Option<Spread>,
    /// Joint moves.
    pub(super) steps: Rate,
}

/// Plays on all threads, counting together.
pub(super) fn together<W: Word>(bench: &Bench<'_>) -> Result<Counted, String> {
    let windows = on_all_threads(bench, |thread| {
        let mut playouts = bench.playouts::<W>(thread);
        let mut window = Window::new(bench);
        while window.goes_on(playouts.totals().playouts) {
            playouts.run(STEPS);
            window.steps += STEPS;
            if window.begins() {
                let before = playouts.totals().clone();
                window.begin(before.playouts, before);
            }
        }
        let totals = playouts.totals().clone();
        window.end(|before| difference(&totals, &before))
    })?;
    let mut totals = Totals::new(&bench.program);
    for window in &windows {
        totals.add(&window.done);
    }
    let rate = |number: fn(&Totals) -> u64| {
        rate(windows.iter().map(|window| (number(&window.done), window.times)))
    };
    let (playouts, steps) = (rate(|totals| totals.playouts), rate(|totals| totals.steps));
    let slices: Vec<&[Slice]> = windows.iter().map(|window| window.slices.as_slice()).collect();
    Ok(Counted { totals, playouts, spread: spread(&slices), steps })
}

/// Plays on all threads, each playout with its result.
pub(super) fn one_by_one<W: Word>(bench: &Bench<'_>) -> Result<Rate, String> {
    let state = Arc::new(bench.start().clone());
    let windows = on_all_threads(bench, |thread| {
        let mut lanes = Jobs::<W>::new(&bench.program, &bench.code, bench.options.seed);
        let mut window = Window::new(bench);
        let (mut number, mut done) = (thread << 48, 0);
        while window.goes_on(done) {
            while lanes.queued() < WAITING * W::LANES {
                let job = Job { limit: bench.limit, ..Job::new(number, number, &state) };
                lanes.push(job).map_err(|error| error.to_string())?;
                number += 1;
            }
            lanes.run(STEPS);
            window.steps += STEPS;
            done += lanes.outcomes().iter().map(|outcome| outcome.count as u64).sum::<u64>();
            if window.begins() {
                window.begin(done, done);
            }
        }
        Ok(window.end(|before| done - before))
    })?;
    let windows = windows.into_iter().collect::<Result<Vec<_>, String>>()?;
    Ok(rate(windows.into_iter().map(|window| (window.done, window.times))))
}

/// The mean goal of each role.
pub(super) fn mean_goals(program: &Program, totals: &Totals) -> Vec<Option<f64>> {
    let roles = program.goals.iter().zip(&totals.goals);
    let mean = |(values, counts): (&Vec<String>, &Vec<u64>)| {
        let numbers = values.iter().zip(counts);
        let numbers = numbers.filter_map(|(value, &count)| Some((goal_value(value)?, count)));
        let (sum, count) = numbers.fold((0.0, 0), |(sum, all), (value, count)| {
            (sum + f64::from(value) * count as f64, all + count)
        });
        (count > 0).then(|| sum / count as f64)
    };
    roles.map(mean).collect()
}

/// Runs the same work on each thread, which gets its number.
fn on_all_threads<T: Send>(
    bench: &Bench<'_>,
    work: impl Fn(u64) -> T + Sync,
) -> Result<Vec<T>, String> {
    let pool = ThreadPoolBuilder::new().num_threads(bench.options.threads).build();
    let pool = pool.map_err(|error| error.to_string())?;
    Ok(pool.broadcast(|context| work(context.index() as u64)))
}

/// The time of a measurement, by the wall clock and by the processor.
type Times = (Duration, Duration);

/// A measurement in one thread: a tenth of the time to warm up, then the time itself. Both take
/// longer if a playout takes long: rates mean little before lanes have ended a few times.
struct Window<T> {
    time: Duration,
    /// The steps of a long playout.
    longest: u64,
    start: Instant,
    /// Steps made so far, in all lanes at once.
    steps: u64,
    begun: Option<Begun<T>>,
    slices: Vec<Slice>,
}

/// The amount of work done up to the end of a slice, and the processor time until then.
type Slice = (u64, Duration);

/// A measurement that is over.
struct Measured<R> {
    done: R,
    times: Times,
    slices: Vec<Slice>,
}

/// The beginning of the measurement.
struct Begun<T> {
    /// The amount of work done before.
    before: T,
    /// Playouts that had ended before.
    playouts: u64,
    steps: u64,
    wall: Instant,
    cpu: ThreadTime,
}

impl<T> Window<T> {
    fn new(bench: &Bench<'_>) -> Self {
        let (time, longest) = (bench.options.time, bench.longest);
        let (start, slices) = (Instant::now(), Vec::new());
        Window { time, longest, start, steps: 0, begun: None, slices }
    }

    /// Whether the measurement goes on after this many playouts.
    fn goes_on(&mut self, playouts: u64) -> bool {
        let Some(begun) = &self.begun else { return true };
        let slices = self.slices.len() as u32 + 1;
        let (time, steps) = (self.time / SLICES * slices, 4 * self.longest * u64::from(slices));
        if begun.wall.elapsed() >= time
            && self.steps >= begun.steps + steps.div_ceil(u64::from(SLICES))
        {
            self.slices.push((playouts - begun.playouts, begun.cpu.elapsed()));
        }
        self.slices.len() < SLICES as usize
    }

    /// Whether it is time to begin.
    fn begins(&self) -> bool {
        let is_warm = self.steps >= self.longest && self.start.elapsed() >= self.time / 10;
        self.begun.is_none() && is_warm
    }

    fn begin(&mut self, playouts: u64, before: T) {
        let (wall, cpu) = (Instant::now(), ThreadTime::now());
        self.begun = Some(Begun { before, playouts, steps: self.steps, wall, cpu });
    }

    /// The amount of work done since it began, and the time it took.
    fn end<R>(self, done: impl FnOnce(T) -> R) -> Measured<R> {
        let begun = self.begun.expect("it goes on until it has begun");
        let times = (begun.wall.elapsed(), begun.cpu.elapsed());
        Measured { done: done(begun.before), times, slices: self.slices }
    }
}

/// The rate of all threads together.
fn rate(windows: impl Iterator<Item = (u64, Times)>) -> Rate {
    let (mut per_second, mut number, mut cpu) = (0.0, 0, Duration::ZERO);
    for (events, (wall, of_thread)) in windows {
        per_second += events as f64 / wall.as_secs_f64();
        number += events;
        cpu += of_thread;
    }
    Rate { per_second, per_cpu_second: number as f64 / cpu.as_secs_f64() }
}

/// The rates of slices, over all threads.
fn spread(threads: &[&[Slice]]) -> Option<Spread> {
    let until = |at: usize| {
        let ends = threads.iter().filter_map(|slices| slices.get(at.checked_sub(1)?));
        ends.fold((0, 0.0), |(done, cpu), end| (done + end.0, cpu + end.1.as_secs_f64()))
    };
    let rate = |at: usize| {
        let (before, after) = (until(at), until(at + 1));
        let cpu: f64 = after.1 - before.1;
        (cpu > 0.0).then(|| (after.0 - before.0) as f64 / cpu)
    };
    Spread::of((0..SLICES as usize).filter_map(rate))
}

/// What was counted after the first count.
fn difference(after: &Totals, before: &Totals) -> Totals {
    let mut totals = after.clone();
    totals.playouts -= before.playouts;
    totals.steps -= before.steps;
    totals.stuck -= before.stuck;
    totals.cut -= before.cut;
    let counts = totals.goals.iter_mut().flatten().zip(before.goals.iter().flatten());
    counts.for_each(|(count, before)| *count -= before);
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_add_up_by_the_wall_clock_but_not_by_processor_time() {
        let second = Duration::from_secs(1);
        let windows = [(100, (second, second / 2)), (60, (second, second / 2))];
        let rate = rate(windows.into_iter());
        assert_eq!(rate, Rate { per_second: 160.0, per_cpu_second: 160.0 });
        let windows = [(100, (second, second)), (60, (second, second))];
        assert_eq!(super::rate(windows.into_iter()).per_cpu_second, 80.0);
    }

    #[test]
    fn slices_are_compared_over_all_threads() {
        let second = Duration::from_secs(1);
        let one: Vec<Slice> = [2, 4, 6, 8, 10].map(|done| (done, second * done as u32)).to_vec();
        let other: Vec<Slice> = [6, 8, 10, 12, 14].map(|done| (done, second)).to_vec();
        // 8 in 3 s in the first slice; 4 in 2 s in the later ones.
        let found = spread(&[&one, &other]).expect("rates");
        assert_eq!((found.runs, found.min, found.median), (5, 2.0, 2.0));
        assert!((found.max - 8.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert_eq!(spread(&[]), None);
    }

    #[test]
    fn what_came_before_is_taken_off() {
        let totals = |number| Totals {
            playouts: number,
            steps: 10 * number,
            stuck: number / 2,
            cut: number / 4,
            goals: vec![vec![number, 2 * number]],
            lengths: Vec::new(),
        };
        assert_eq!(difference(&totals(12), &totals(4)), totals(8));
    }
}
