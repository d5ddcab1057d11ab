//! How methods share the cores: each works until its slice is used up, and the one that has had
//! least for its weight goes on. A method that makes progress gets more weight.
//!
//! Without a deadline, work is counted in units of about a nanosecond, so that on one core the same
//! puzzle is searched in the same way. Under a deadline, a turn counts by the time it took.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::best::Best;

/// Who is working, and how much each has done.
pub struct Turns<'s> {
    state: Mutex<Vec<Share>>,
    changed: Condvar,
    cores: usize,
    deadline: Option<Instant>,
    may_go_on: &'s (dyn Fn() -> bool + Sync),
}

#[derive(Clone, Copy, Debug)]
struct Share {
    used: u64,
    weight: u64,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Waiting,
    Working,
    Done,
}

/// How much is done between two looks at the clock, and before others have their turn.
const LOOK: u64 = 1_000_000;
const SLICE: u64 = 10_000_000;
/// Progress doubles a weight, up to this much.
const HEAVIEST: u64 = 16;

impl<'s> Turns<'s> {
    /// Turns for methods of these weights on so many cores.
    pub fn new(
        weights: impl Iterator<Item = u64>,
        cores: usize,
        deadline: Option<Instant>,
        may_go_on: &'s (dyn Fn() -> bool + Sync),
    ) -> Self {
        let share = |weight| Share { used: 0, weight, phase: Phase::Waiting };
        let state = Mutex::new(weights.map(share).collect());
        Turns { state, changed: Condvar::new(), cores: cores.max(1), deadline, may_go_on }
    }

    /// How much each method has done.
    pub fn used(&self) -> Vec<u64> {
        self.lock().iter().map(|share| share.used).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Share>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is this method's turn.
    fn wait(&self, me: usize, best: &Best) {
        let mut shares = self.lock();
        while !is_next(&shares, me, self.cores) && !best.is_over() {
            shares = self.changed.wait(shares).unwrap_or_else(PoisonError::into_inner);
        }
        shares[me].phase = Phase::Working;
    }
}

/// Whether a core is free, and no other that waits has had less.
fn is_next(shares: &[Share], me: usize, cores: usize) -> bool {
    let working = shares.iter().filter(|share| share.phase == Phase::Working).count();
    let had = |at: usize| (shares[at].used / shares[at].weight, at);
    let waiting = (0..shares.len()).filter(|&at| shares[at].phase == Phase::Waiting);
    working < cores && waiting.map(had).min() == Some(had(me))
}

/// The turns of one method.
pub struct MethodPace<'t> {
    turns: &'t Turns<'t>,
    best: &'t Best,
    me: usize,
    since_look: Cell<u64>,
    since_turn: Cell<u64>,
    turn_began: Cell<Instant>,
}

impl<'t> MethodPace<'t> {
    /// Waits for the first turn.
    pub fn begin(turns: &'t Turns<'t>, best: &'t Best, me: usize) -> Self {
        turns.wait(me, best);
        let (since_look, since_turn) = (Cell::new(0), Cell::new(0));
        MethodPace {
            turns,
            best,
            me,
            since_look,
            since_turn,
            turn_began: Cell::new(Instant::now()),
        }
    }

    /// Notes work that was done, waits while it is the turn of others, and says whether to go on.
    pub fn goes_on(&self, work: u64) -> bool {
        let since = self.since_look.get() + work;
        self.since_look.set(since);
        if since < LOOK {
            return !self.best.is_over();
        }
        self.since_look.set(0);
        let is_late = self.turns.deadline.is_some_and(|deadline| deadline <= Instant::now());
        if is_late || !(self.turns.may_go_on)() {
            self.best.stop();
        }
        let turn = self.turn(since);
        if turn >= SLICE {
            self.since_turn.set(0);
            let mut shares = self.turns.lock();
            shares[self.me].used += turn;
            shares[self.me].phase = Phase::Waiting;
            drop(shares);
            self.turns.changed.notify_all();
            self.turns.wait(self.me, self.best);
            self.turn_began.set(Instant::now());
        }
        !self.best.is_over()
    }

    /// How long this turn is by now, with work that was not counted yet.
    fn turn(&self, work: u64) -> u64 {
        let turn = self.since_turn.get() + work;
        self.since_turn.set(turn);
        match self.turns.deadline {
            Some(_) => u64::try_from(self.turn_began.get().elapsed().as_nanos()).unwrap_or(turn),
            None => turn,
        }
    }

    /// Notes that the method has found something.
    pub fn progress(&self) {
        let mut shares = self.turns.lock();
        let weight = &mut shares[self.me].weight;
        *weight = (2 * *weight).min(HEAVIEST);
    }
}

impl Drop for MethodPace<'_> {
    fn drop(&mut self) {
        let turn = self.turn(self.since_look.get());
        let mut shares = self.turns.lock();
        shares[self.me].used += turn;
        shares[self.me].phase = Phase::Done;
        drop(shares);
        self.turns.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_shared_by_weight() {
        let best = Best::new(100);
        let turns = Turns::new([1, 1].into_iter(), 1, None, &|| true);
        let done: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2)
                .map(|me| {
                    let (turns, best) = (&turns, &best);
                    scope.spawn(move || {
                        let pace = MethodPace::begin(turns, best, me);
                        if me == 1 {
                            pace.progress();
                        }
                        let mut done = 0;
                        while pace.goes_on(LOOK) {
                            done += LOOK;
                            if done >= 60 * SLICE {
                                best.stop();
                            }
                        }
                        done
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(done[1] >= 60 * SLICE && done[0] <= 31 * SLICE, "{done:?}");
        assert!(done[0] >= 29 * SLICE, "{done:?}");
    }
}
