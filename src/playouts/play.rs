//! Playouts by several threads that share a program.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use propnet::game::{ForeignError, State};
use propnet::lanes::{PerWidth, Playouts, Totals, Width, Word};
use propnet::program::Program;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::codes::Codes;
use super::queue::Queue;

/// The approximate time of a portion. Lanes run empty at its end, which costs little at this
/// length, while progress is still reported often and faster code is adopted soon.
const PORTION: Duration = Duration::from_millis(150);

/// What is to be played.
pub struct PlayoutPlan<'a> {
    /// The game.
    pub program: &'a Arc<Program>,
    /// The code that runs it.
    pub codes: &'a Codes,
    /// Where every playout starts.
    pub state: &'a State,
    /// The seed of all random choices.
    pub seed: u64,
    /// How much is played.
    pub budget: PlayoutBudget,
    /// The number of joint moves after which a playout is cut, if the program's step counts them.
    /// Lengths are only counted in that case.
    pub limit: u64,
    /// By role and move: its weight, where playouts prefer some moves and the program's step has
    /// weights; empty otherwise.
    pub weights: &'a [Vec<u32>],
    /// How many threads play.
    pub threads: usize,
    /// The number of lanes of each thread; that of the code.
    pub width: Width,
}

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutBudget {
    /// A number of playouts.
    Playouts(u64),
    /// As many as fit into this time. What has begun by then is played to its end, since the
    /// statistics would be biased if long playouts were left out.
    Time(Duration),
}

/// What was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The totals of the playouts.
    pub totals: Totals,
    /// The time it took.
    pub wall: Duration,
    /// The processor time of all threads that played.
    pub cpu: Duration,
}

/// Why nothing was played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayoutsError {
    /// The state does not belong to the program.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadPoolBuildError),
}

/// Plays. `progress` gets the number of finished playouts from time to time, and says whether to go
/// on; if not, what was played until then is returned.
pub fn play(
    plan: &PlayoutPlan<'_>,
    progress: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Played, PlayoutsError> {
    plan.program.names.table().check_state(plan.state)?;
    let threads = plan.threads.max(1);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let end = match plan.budget {
        PlayoutBudget::Playouts(number) => number,
        PlayoutBudget::Time(_) => u64::MAX,
    };
    let work = Work {
        plan,
        start: Instant::now(),
        queue: Queue::new(end, threads),
        done: AtomicU64::new(0),
        is_stopped: AtomicBool::new(false),
        sums: Mutex::new((Totals::new(plan.program), Duration::ZERO)),
        progress,
    };
    pool.broadcast(|_| plan.width.dispatch(Thread(&work)));
    let wall = work.start.elapsed();
    let (totals, cpu) = work.sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Played { totals, wall, cpu })
}

/// What the threads share.
struct Work<'a> {
    plan: &'a PlayoutPlan<'a>,
    start: Instant,
    queue: Queue,
    /// Playouts done.
    done: AtomicU64,
    /// The caller wants no more.
    is_stopped: AtomicBool,
    /// The totals, and the processor time.
    sums: Mutex<(Totals, Duration)>,
    progress: &'a (dyn Fn(u64) -> bool + Sync),
}

/// What each thread does.
struct Thread<'a>(&'a Work<'a>);

impl PerWidth for Thread<'_> {
    type Output = ();

    fn run<W: Word>(self) {
        self.0.run::<W>();
    }
}

impl Work<'_> {
    fn run<W: Word>(&self) {
        let cpu = ThreadTime::now();
        let mut totals = Totals::new(self.plan.program);
        let lanes = W::LANES as u64;
        let mut wanted = 4 * lanes;
        while !self.is_over()
            && let Some(jobs) = self.queue.take(wanted, lanes)
        {
            let start = Instant::now();
            totals.add(&self.portion::<W>(&jobs));
            let number = jobs.end - jobs.start;
            if !(self.progress)(self.done.fetch_add(number, Ordering::Relaxed) + number) {
                self.is_stopped.store(true, Ordering::Relaxed);
            }
            let time = start.elapsed();
            if time < PORTION / 2 {
                wanted = wanted.saturating_mul(2);
            } else if time > 2 * PORTION {
                wanted = (wanted / 2).max(lanes);
            }
        }
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.0.add(&totals);
        sums.1 += cpu.elapsed();
    }

    fn is_over(&self) -> bool {
        let is_time_up = match self.plan.budget {
            PlayoutBudget::Playouts(_) => false,
            PlayoutBudget::Time(time) => self.start.elapsed() >= time,
        };
        is_time_up || self.is_stopped.load(Ordering::Relaxed)
    }

    fn portion<W: Word>(&self, jobs: &Range<u64>) -> Totals {
        let PlayoutPlan { program, codes, state, seed, limit, .. } = *self.plan;
        let lanes = Playouts::<W>::new(program, codes.best(), state, seed, jobs);
        let mut lanes = lanes.expect("the state was checked before the threads began");
        for (role, weights) in self.plan.weights.iter().enumerate() {
            for (chosen, &weight) in program.names.moves(role).zip(weights) {
                lanes.set_weight(role, chosen, weight).expect("a move of this program");
            }
        }
        lanes.set_limit(limit);
        lanes.count_lengths();
        lanes.run(u64::MAX);
        lanes.totals().clone()
    }
}
