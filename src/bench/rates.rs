//! Playouts for some time.
//!
//! Lanes are never idle while they are measured: they play before the measurement begins, have more
//! jobs than they can do, and are not waited for at its end. A playout in flight at the beginning is
//! counted when it ends, and one in flight at the end is not, which is the same on average.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use propnet::game::goal_value;
use propnet::lanes::{Job, Jobs, Totals, Word};
use propnet::program::Program;
use rayon::ThreadPoolBuilder;

use super::report::Rate;
use super::sheet::Bench;

/// Steps between two looks at the clock.
const STEPS: u64 = 64;

/// Jobs that wait in a queue, for each lane: the shortest games end every few steps.
const WAITING: usize = 24;

/// Playouts that were counted together.
pub(super) struct Counted {
    /// What they came to.
    pub(super) totals: Totals,
    /// Playouts.
    pub(super) playouts: Rate,
    /// Joint moves.
    pub(super) steps: Rate,
}

/// Plays on all threads, counting together.
pub(super) fn together<W: Word>(bench: &Bench<'_>) -> Result<Counted, String> {
    let windows = on_all_threads(bench, |thread| {
        let mut playouts = bench.playouts::<W>(thread);
        let mut window = Window::new(bench);
        while window.goes_on() {
            playouts.run(STEPS);
            window.steps += STEPS;
            if window.begins() {
                let before = playouts.totals().clone();
                window.begin(before);
            }
        }
        let totals = playouts.totals().clone();
        window.end(|before| difference(&totals, &before))
    })?;
    let mut totals = Totals::new(&bench.program);
    for (counted, _) in &windows {
        totals.add(counted);
    }
    let rate = |number: fn(&Totals) -> u64| {
        rate(windows.iter().map(|(totals, time)| (number(totals), *time)))
    };
    let (playouts, steps) = (rate(|totals| totals.playouts), rate(|totals| totals.steps));
    Ok(Counted { totals, playouts, steps })
}

/// Plays on all threads, each playout with its result.
pub(super) fn one_by_one<W: Word>(bench: &Bench<'_>) -> Result<Rate, String> {
    let state = Arc::new(bench.start().clone());
    let windows = on_all_threads(bench, |thread| {
        let mut lanes = Jobs::<W>::new(&bench.program, &bench.code, bench.options.seed);
        let mut window = Window::new(bench);
        let (mut number, mut done) = (thread << 48, 0);
        while window.goes_on() {
            while lanes.queued() < WAITING * W::LANES {
                let job = Job { limit: bench.limit, ..Job::new(number, number, &state) };
                lanes.push(job).map_err(|error| error.to_string())?;
                number += 1;
            }
            lanes.run(STEPS);
            window.steps += STEPS;
            done += lanes.outcomes().iter().map(|outcome| outcome.count as u64).sum::<u64>();
            if window.begins() {
                window.begin(done);
            }
        }
        Ok(window.end(|before| done - before))
    })?;
    let windows = windows.into_iter().collect::<Result<Vec<_>, String>>()?;
    Ok(rate(windows.into_iter()))
}

/// By role: the mean goal.
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

/// The same work on each thread, told its number.
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

/// A measurement in one thread: a tenth of the time to warm up, then the time itself. Where a
/// playout takes long, so do both: rates mean little before lanes have ended a few times.
struct Window<T> {
    time: Duration,
    /// The steps of a long playout.
    longest: u64,
    start: Instant,
    /// Steps made so far, in all lanes at once.
    steps: u64,
    begun: Option<Begun<T>>,
}

/// The beginning of the measurement.
struct Begun<T> {
    /// What had been done before.
    before: T,
    steps: u64,
    wall: Instant,
    cpu: ThreadTime,
}

impl<T> Window<T> {
    fn new(bench: &Bench<'_>) -> Self {
        let (time, longest) = (bench.options.time, bench.longest);
        Window { time, longest, start: Instant::now(), steps: 0, begun: None }
    }

    fn goes_on(&self) -> bool {
        self.begun.as_ref().is_none_or(|begun| {
            begun.wall.elapsed() < self.time || self.steps < begun.steps + 4 * self.longest
        })
    }

    /// Whether it is time to begin.
    fn begins(&self) -> bool {
        let is_warm = self.steps >= self.longest && self.start.elapsed() >= self.time / 10;
        self.begun.is_none() && is_warm
    }

    fn begin(&mut self, before: T) {
        let (wall, cpu) = (Instant::now(), ThreadTime::now());
        self.begun = Some(Begun { before, steps: self.steps, wall, cpu });
    }

    /// What was done since it began, and the time it took.
    fn end<R>(self, done: impl FnOnce(T) -> R) -> (R, Times) {
        let begun = self.begun.expect("it goes on until it has begun");
        let times = (begun.wall.elapsed(), begun.cpu.elapsed());
        (done(begun.before), times)
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
