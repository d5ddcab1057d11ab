//! The random generators of playouts that begin, put into their lanes together.
//!
//! A generator's state is one bit of each of 64 words. Where many lanes begin in a step, writing
//! bit by bit would cost as much as several steps of a playout, so their states become words at
//! once.

use super::transpose::transpose;
use super::word::Word;
use crate::program::{JobSeeds, STATE_BITS};

/// So many lanes are better put into words at once than bit by bit.
const MANY: usize = 16;

/// Generators that are not in their lanes yet.
pub(super) struct Generators<W> {
    /// The lanes, and the states of their generators as far as they are known.
    lanes: Vec<usize>,
    states: Vec<u64>,
    /// The numbers of the jobs of the other lanes, and what their states come from.
    jobs: Vec<u64>,
    seeds: Option<JobSeeds>,
    /// By lane within 64, a row; by 64 lanes, a part of it: the state. False between uses.
    rows: Box<[W; STATE_BITS]>,
}

impl<W: Word> Generators<W> {
    pub(super) fn new() -> Self {
        let rows = Box::new([W::ZERO; STATE_BITS]);
        let (lanes, states, jobs) = (Vec::new(), Vec::new(), Vec::new());
        Generators { lanes, states, jobs, seeds: None, rows }
    }

    /// Adds the generator of a job, for a lane.
    #[inline(always)]
    pub(super) fn add(&mut self, lane: usize, seeds: &JobSeeds, job: u64) {
        if self.seeds != Some(*seeds) {
            self.mix();
            self.seeds = Some(*seeds);
        }
        self.lanes.push(lane);
        self.jobs.push(job);
    }

    /// Makes states of the numbers of jobs.
    #[inline(always)]
    fn mix(&mut self) {
        let count = self.jobs.len();
        if let Some(seeds) = &self.seeds {
            seeds.mix(&mut self.jobs);
        }
        self.states.extend_from_slice(&self.jobs[..count]);
        self.jobs.clear();
    }

    /// Puts all of them into their lanes, which are false in the words of the generators.
    #[inline(always)]
    pub(super) fn load(&mut self, words: &mut [W]) {
        self.mix();
        match self.lanes.len() {
            0 => {}
            1..MANY => self.insert(words),
            _ => self.transpose(words),
        }
        self.lanes.clear();
        self.states.clear();
    }

    #[inline(always)]
    fn insert(&self, words: &mut [W]) {
        for (&lane, &state) in self.lanes.iter().zip(&self.states) {
            let (part, own) = (lane / 64, 1 << (lane % 64));
            // Bit after bit comes by where the lane is. There is no branch: nothing could foretell
            // it.
            let mut state = state.rotate_left(lane as u32 % 64);
            for word in &mut words[..STATE_BITS] {
                word.parts_mut()[part] |= state & own;
                state = state.rotate_right(1);
            }
        }
    }

    #[inline(always)]
    fn transpose(&mut self, words: &mut [W]) {
        for (&lane, &state) in self.lanes.iter().zip(&self.states) {
            self.rows[lane % 64].parts_mut()[lane / 64] = state;
        }
        transpose(&mut self.rows);
        for (word, row) in words.iter_mut().zip(&mut *self.rows) {
            word.add(row);
            *row = W::ZERO;
        }
    }
}

#[cfg(test)]
mod tests {
    use wide::u64x8;

    use super::*;

    #[test]
    fn a_lane_has_the_generator_of_its_job() {
        let [seeds, others] = [7, 8].map(JobSeeds::new);
        let mut generators = Generators::new();
        let mut words = [u64x8::ZERO; STATE_BITS];
        let state_of = |words: &[u64x8], lane: usize| -> u64 {
            words.iter().rev().fold(0, |state, word| state << 1 | u64::from(word.has(lane)))
        };
        // Few, then many, beside each other.
        let few: Vec<usize> = vec![0, 63, 64, 511];
        let many: Vec<usize> = (0..512).filter(|lane| lane % 3 == 2).collect();
        let jobs = |first: u64, lanes: &[usize]| -> Vec<(usize, u64)> {
            lanes.iter().copied().zip(first..).collect()
        };
        let playouts = [jobs(5, &few), jobs(1 << 40, &many)];
        for playouts in &playouts {
            for &(lane, job) in playouts {
                generators.add(lane, if lane % 5 == 0 { &others } else { &seeds }, job);
            }
            generators.load(&mut words);
        }
        for &(lane, job) in playouts.iter().flatten() {
            let seeds = if lane % 5 == 0 { &others } else { &seeds };
            assert_eq!(state_of(&words, lane), seeds.state(job), "lane {lane}");
        }
        assert_eq!(state_of(&words, 1), 0, "a lane without a job");
    }
}
