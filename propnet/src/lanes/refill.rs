//! The next job of each lane: its number, and the state in which its random generators start.
//!
//! Jobs are dealt out in turn: with W lanes, lane l plays the jobs l, l + W, l + 2W and so on of a
//! range. So no lane waits for another, and which jobs are played does not depend on how long each
//! takes. Numbers are words too (a bit of all lanes' numbers in each), and what the next job needs
//! is made for all lanes at once, when the first lane asks a second time.

use std::ops::Range;

use super::word::Word;
use crate::program::{JobSeeds, STATE_BITS, SeedProgram};

/// The jobs that wait, one for each lane.
pub(super) struct Refill<W> {
    /// The work space of the mix: numbers and keys.
    work: Vec<W>,
    /// The generators of the waiting jobs.
    states: Vec<W>,
    /// Lanes whose waiting job was taken.
    taken: W,
    /// Lanes whose next job is past the end of the range.
    exhausted: W,
    end: u64,
}

impl<W: Word> Refill<W> {
    /// The first job of each lane waits; the mix needs `words` words.
    pub(super) fn new(words: usize, seed: u64, jobs: &Range<u64>) -> Self {
        let mut work = vec![W::ZERO; words];
        for (key, &value) in JobSeeds::new(seed).keys.iter().enumerate() {
            for bit in 0..STATE_BITS {
                work[SeedProgram::key_bit(key, bit)] = W::splat(value >> bit & 1 == 1);
            }
        }
        for lane in 0..W::LANES {
            let job = jobs.start.saturating_add(lane as u64);
            for bit in (0..STATE_BITS).filter(|bit| job >> bit & 1 == 1) {
                work[SeedProgram::job_bit(bit)].insert(lane);
            }
        }
        let states = vec![W::ZERO; STATE_BITS];
        let mut refill = Refill { work, states, taken: W::ZERO, exhausted: W::ZERO, end: jobs.end };
        refill.exhausted = refill.behind_the_end();
        refill
    }

    /// Whether jobs must be made ready before these lanes can take theirs.
    #[inline(always)]
    pub(super) fn needs_mix(&self, lanes: W) -> bool {
        !(self.taken & lanes).is_zero()
    }

    /// Moves on to the next jobs where they were taken; then the mix has to be run.
    #[inline(always)]
    pub(super) fn number(&mut self) {
        let mut carry = self.taken;
        for bit in W::LANES.trailing_zeros() as usize..STATE_BITS {
            let word = &mut self.work[SeedProgram::job_bit(bit)];
            (*word, carry) = (*word ^ carry, *word & carry);
            if carry.is_zero() {
                break;
            }
        }
        self.taken = W::ZERO;
        self.exhausted = self.behind_the_end();
    }

    /// What the mix reads and writes: the work space, and the words that it makes.
    pub(super) fn mixing(&mut self) -> (&mut Vec<W>, &mut [W]) {
        (&mut self.work, &mut self.states)
    }

    /// Those of the lanes for which a job waits.
    #[inline(always)]
    pub(super) fn waiting(&self, lanes: W) -> W {
        lanes & !(self.taken | self.exhausted)
    }

    /// Adds the generators of the jobs that wait to the words, which are false in these lanes.
    #[inline(always)]
    pub(super) fn load(&self, lanes: W, random: &mut [W]) {
        for (word, &state) in random.iter_mut().zip(&self.states) {
            *word = *word | state & lanes;
        }
    }

    /// The jobs that waited for these lanes are no longer to be had.
    #[inline(always)]
    pub(super) fn take(&mut self, lanes: W) {
        self.taken = self.taken | lanes;
    }

    /// Lanes whose job number is not below the end.
    #[inline(always)]
    fn behind_the_end(&self) -> W {
        let bits = (0..STATE_BITS).map(|bit| self.work[SeedProgram::job_bit(bit)]);
        bits.enumerate().fold(W::splat(true), |behind, (bit, word)| {
            if self.end >> bit & 1 == 1 { word & behind } else { word | behind }
        })
    }
}
