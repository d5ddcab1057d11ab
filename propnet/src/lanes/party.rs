//! One of several that share lanes: its jobs, and what waits of them.

use std::collections::VecDeque;

use super::cohorts::Cohort;
use super::goals::LaneGoals;
use super::job::{Ending, FirstState, Job, Outcome};
use super::word::Word;
use crate::game::Move;
use crate::machine::SECTIONS;
use crate::program::JobSeeds;

/// The number of a party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartyId(pub(super) usize);

impl PartyId {
    /// The number: the least that no other party had when it joined.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A party.
pub(super) struct Party<W> {
    pub(super) seeds: JobSeeds,
    /// The lanes that it has claimed.
    pub(super) lanes: W,
    pub(super) queue: VecDeque<Job>,
    /// How many playouts are in the queue, and in lanes.
    pub(super) queued: usize,
    pub(super) playing: usize,
    /// What waits for its goals.
    pub(super) bunches: Vec<Bunch>,
    pub(super) outcomes: Vec<Outcome>,
}

/// Playouts that are over: what is known of their outcome but the goals.
pub(super) struct Bunch {
    tag: u64,
    length: u64,
    ending: Ending,
    /// What else is wanted, of one playout.
    pub(super) more: Option<Box<More>>,
    /// The outcome that was made of it last, if there is one.
    outcome: usize,
}

#[derive(Default)]
pub(super) struct More {
    pub(super) moves: Vec<Move>,
    pub(super) first: Option<Box<FirstState>>,
}

/// So many of the free lanes, or some more; none where there are fewer. With weights these are whole
/// sections, so that each is weighed for one party.
pub(super) fn claimed<W: Word>(free: W, count: usize, is_weighted: bool) -> Option<W> {
    let mut lanes = W::ZERO;
    if !is_weighted {
        lanes = free.take(count);
    }
    let mut sections = 0..SECTIONS;
    while (lanes.count() as usize) < count {
        let section = sections.next()?;
        let section = (section..W::LANES).step_by(SECTIONS);
        if is_weighted && section.clone().all(|lane| free.has(lane)) {
            section.for_each(|lane| lanes.insert(lane));
        }
    }
    Some(lanes)
}

impl<W: Word> Party<W> {
    pub(super) fn new(seeds: JobSeeds) -> Self {
        Party {
            seeds,
            lanes: W::ZERO,
            queue: VecDeque::new(),
            queued: 0,
            playing: 0,
            bunches: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// Forgets its jobs and their outcomes.
    pub(super) fn clear(&mut self) {
        self.queue.clear();
        (self.queued, self.playing) = (0, 0);
        self.bunches.clear();
        self.outcomes.clear();
    }

    /// Notes what is known at once of a playout of a cohort that is over; the number of its bunch.
    #[inline(always)]
    pub(super) fn wait(&mut self, cohort: &mut Cohort, now: u64, ending: Ending) -> usize {
        let (bunch, is_new) = cohort.bunch(now, ending, self.bunches.len());
        if is_new {
            self.bunches.push(Bunch::new(cohort.tag, now - cohort.start, ending));
        }
        bunch
    }

    /// Makes outcomes of playouts that have these goals, each given by its bunch.
    pub(super) fn tell(&mut self, goals: &LaneGoals, bunches: impl Iterator<Item = usize>) {
        let new = self.outcomes.len();
        for bunch in bunches {
            let bunch = &mut self.bunches[bunch];
            match self.outcomes.get_mut(bunch.outcome).filter(|_| bunch.outcome >= new) {
                Some(outcome) => outcome.count += 1,
                None => {
                    bunch.outcome = self.outcomes.len();
                    self.outcomes.push(bunch.outcome(goals));
                }
            }
        }
    }
}

impl Bunch {
    #[inline(always)]
    pub(super) fn new(tag: u64, length: u64, ending: Ending) -> Self {
        Bunch { tag, length, ending, more: None, outcome: usize::MAX }
    }

    /// The outcome of one of its playouts, with these goals.
    fn outcome(&mut self, goals: &LaneGoals) -> Outcome {
        let More { moves, first } = self.more.take().map_or_else(More::default, |more| *more);
        Outcome {
            tag: self.tag,
            count: 1,
            ending: self.ending,
            goals: LaneGoals::from_slice(goals),
            length: self.length,
            moves,
            first,
        }
    }
}

#[cfg(test)]
mod tests {
    use wide::u64x8;

    use super::*;

    #[test]
    fn lanes_with_weights_are_claimed_by_section() {
        let all = u64x8::first(512);
        let lanes = |lanes: Option<u64x8>| -> Vec<usize> {
            lanes.map(|lanes| lanes.lanes().collect()).unwrap_or_default()
        };
        assert_eq!(lanes(claimed(all, 3, false)), [0, 1, 2]);
        let section: Vec<usize> = (0..32).map(|at| 16 * at).collect();
        assert_eq!(lanes(claimed(all, 3, true)), section);
        let mut rest = all;
        rest &= !claimed(all, 3, false).expect("they are free");
        let section: Vec<usize> = (0..32).map(|at| 16 * at + 3).collect();
        assert_eq!(lanes(claimed(rest, 32, true)), section, "the first that is free as a whole");
        assert_eq!(lanes(claimed(rest, 33, true)).len(), 64);
        assert_eq!(lanes(claimed(all, 512, true)).len(), 512);
    }

    #[test]
    fn there_are_no_more_lanes_than_there_are() {
        let all = u64x8::first(512);
        assert_eq!(claimed(all, 513, false), None);
        assert_eq!(claimed(all, 513, true), None);
        assert_eq!(claimed(u64x8::first(100), 32, true), None, "no section is free as a whole");
    }
}
