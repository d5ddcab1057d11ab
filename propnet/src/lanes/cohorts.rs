//! Playouts of a job that began together.
//!
//! They differ in nothing but their random numbers, so what is to be known of a playout is kept once
//! for all of them, and those that are over in the same step wait for their goals as one bunch.

use std::sync::Arc;

use super::job::Ending;
use crate::game::{Move, State};

/// Playouts of a job that began in the same step.
pub(super) struct Cohort {
    /// The tag of the job.
    pub(super) tag: u64,
    /// The number of their first step.
    pub(super) start: u64,
    /// The beginning of one of them, if the state after its first move is wanted.
    pub(super) first: Option<Box<Beginning>>,
    /// How many are at play.
    playing: usize,
    /// The bunch that left last, and when and how.
    bunch: usize,
    left: Option<(u64, Ending)>,
}

/// Where a playout started, and the first joint move if that was forced.
pub(super) struct Beginning {
    pub(super) lane: usize,
    pub(super) state: Arc<State>,
    pub(super) forced: Option<Arc<[Move]>>,
}

impl Cohort {
    /// A cohort of `playing` playouts.
    pub(super) fn new(tag: u64, start: u64, playing: usize, first: Option<Box<Beginning>>) -> Self {
        Cohort { tag, start, first, playing, bunch: 0, left: None }
    }

    /// The bunch of a playout that leaves in this step in this way, and whether that is a new one,
    /// which then has this number.
    #[inline(always)]
    pub(super) fn bunch(&mut self, step: u64, ending: Ending, new: usize) -> (usize, bool) {
        let is_new = self.left != Some((step, ending));
        if is_new {
            (self.bunch, self.left) = (new, Some((step, ending)));
        }
        (self.bunch, is_new)
    }
}

/// All that are at play.
pub(super) struct Cohorts {
    /// Those of whom none is at play are free.
    all: Vec<Cohort>,
    free: Vec<usize>,
    /// By lane: the one that plays there.
    of_lane: Vec<usize>,
}

impl Cohorts {
    pub(super) fn new(lanes: usize) -> Self {
        Cohorts { all: Vec::new(), free: Vec::new(), of_lane: vec![0; lanes] }
    }

    /// Adds one, and says its number.
    #[inline(always)]
    pub(super) fn add(&mut self, cohort: Cohort) -> usize {
        let number = self.free.pop().unwrap_or(self.all.len());
        match self.all.get_mut(number) {
            Some(free) => *free = cohort,
            None => self.all.push(cohort),
        }
        number
    }

    /// Says that the one with this number plays in a lane.
    #[inline(always)]
    pub(super) fn enter(&mut self, lane: usize, number: usize) {
        self.of_lane[lane] = number;
    }

    /// The one that plays in a lane.
    pub(super) fn at(&self, lane: usize) -> &Cohort {
        &self.all[self.of_lane[lane]]
    }

    /// The one of a playout that leaves its lane.
    #[inline(always)]
    pub(super) fn leave(&mut self, lane: usize) -> &mut Cohort {
        let at = self.of_lane[lane];
        let cohort = &mut self.all[at];
        cohort.playing -= 1;
        if cohort.playing == 0 {
            self.free.push(at);
        }
        cohort
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_end_together_are_a_bunch() {
        let mut cohort = Cohort::new(1, 0, 5, None);
        let mut bunch = |step, ending, new| cohort.bunch(step, ending, new);
        assert_eq!(bunch(5, Ending::Terminal, 0), (0, true));
        assert_eq!(bunch(5, Ending::Terminal, 1), (0, false));
        assert_eq!(bunch(5, Ending::Stuck, 1), (1, true));
        assert_eq!(bunch(6, Ending::Stuck, 2), (2, true));
        assert_eq!(bunch(6, Ending::Stuck, 3), (2, false));
    }

    #[test]
    fn a_place_is_free_when_all_have_left() {
        let mut cohorts = Cohorts::new(64);
        let add = |cohorts: &mut Cohorts, tag: u64, lanes: &[usize]| {
            let number = cohorts.add(Cohort::new(tag, 10 * tag, lanes.len(), None));
            lanes.iter().for_each(|&lane| cohorts.enter(lane, number));
        };
        add(&mut cohorts, 1, &[0, 2]);
        add(&mut cohorts, 2, &[1, 3]);
        assert_eq!([0, 1, 2, 3].map(|lane| cohorts.at(lane).tag), [1, 2, 1, 2]);
        assert_eq!(cohorts.leave(0).tag, 1);
        add(&mut cohorts, 3, &[0]);
        assert_eq!(cohorts.leave(2).start, 10);
        add(&mut cohorts, 4, &[2]);
        assert_eq!(cohorts.all.len(), 3);
        assert_eq!([0, 1, 2, 3].map(|lane| cohorts.at(lane).tag), [3, 2, 4, 2]);
    }
}
