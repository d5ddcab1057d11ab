//! Seed and job number -> the state in which the job's random generators start, in every lane.
//!
//! What a job draws depends on the seed and its number alone, so that it plays the same playout in
//! any lane, at any width and in any company. The mix is made of rotations, ANDs and XORs (a
//! Feistel network with the round function of the cipher Simon), so on words it is a few operations
//! for all lanes; [`JobSeeds::state`] is the same mix for one job.
//!
//! Simon: Beaulieu, Shors, Smith, Treatman-Clark, Weeks and Wingers 2013.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use wide::u32x8;

use super::cover::Mapping;
use super::lower::{Output, RoutineTask, lower};
use super::numbers::xor;
use super::op::{Routine, Slot, Space};
use super::random::STATE_BITS;
use super::slots::ZERO;
use crate::circuit::{Gate, Network, Signal};

/// Rounds before and after the second key. After eight rounds each bit depends on each.
const ROUNDS: usize = 8;

const HALF: usize = STATE_BITS / 2;

/// So many jobs are mixed at a time.
const EIGHT: usize = 8;

/// The seeds of all jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobSeeds {
    /// What is added before, between and after the rounds.
    pub keys: [u64; 3],
}

impl JobSeeds {
    /// The seeds that come from one.
    pub fn new(seed: u64) -> Self {
        let mut rng = Pcg64::seed_from_u64(seed);
        JobSeeds { keys: [0; 3].map(|_: u64| rng.random()) }
    }

    /// The state in which the generator of a job starts.
    pub fn state(&self, job: u64) -> u64 {
        self.states([job; EIGHT])[0]
    }

    /// Makes numbers of jobs the states in which their generators start. Numbers are added so that
    /// none is mixed alone.
    #[inline(always)]
    pub fn mix(&self, jobs: &mut Vec<u64>) {
        jobs.resize(jobs.len().next_multiple_of(EIGHT), 0);
        for jobs in jobs.as_chunks_mut().0 {
            *jobs = self.states(*jobs);
        }
    }

    /// The states for several jobs at a time: each is a long chain in which nothing can be done at
    /// once.
    #[inline(always)]
    fn states(&self, jobs: [u64; EIGHT]) -> [u64; EIGHT] {
        let halves = |numbers: [u64; EIGHT]| {
            let half = |shift: u32| u32x8::new(numbers.map(|number| (number >> shift) as u32));
            [half(0), half(32)]
        };
        let rotate = |half: u32x8, by: u32| half << by | half >> (32 - by);
        let [mut low, mut high] = halves(jobs);
        for (key, rounds) in self.keys.into_iter().zip([ROUNDS, ROUNDS, 0]) {
            let [key_low, key_high] = halves([key; EIGHT]);
            (low, high) = (low ^ key_low, high ^ key_high);
            for round in 0..rounds {
                let product = rotate(high, 1) & rotate(high, 8);
                let next = low ^ product ^ rotate(high, 2) ^ u32x8::splat(1 << round);
                (low, high) = (high, next);
            }
        }
        let (low, high) = (low.to_array(), high.to_array());
        std::array::from_fn(|at| u64::from(high[at]) << 32 | u64::from(low[at]))
    }
}

/// The mix as a routine.
#[derive(Clone, Debug)]
pub struct SeedProgram {
    /// The operations. The words after it are the states of the generators.
    pub routine: Routine,
    /// The words of the work space. It begins with a word that must be false in every lane, then
    /// come the bits of the job number, then those of the three keys.
    pub work_words: usize,
}

impl SeedProgram {
    /// The routine, which is the same for all games.
    pub fn new(mapping: Mapping) -> Self {
        let mut network = Network::default();
        let mut word = || -> Vec<Signal> {
            (0..STATE_BITS)
                .map(|_| network.add_source(Gate::Fluent(network.len() as u32)))
                .collect()
        };
        let [mut mixed, first, second, third] = [0; 4].map(|_| word());
        for (key, rounds) in [(first, ROUNDS), (second, ROUNDS), (third, 0)] {
            mixed = mixed.iter().zip(&key).map(|(&a, &b)| xor(&mut network, a, b)).collect();
            for number in 0..rounds {
                mixed = round(&mut network, &mixed, number);
            }
        }
        let output = |(at, &signal)| Output { signal, slot: Slot::new(Space::After, at) };
        let outputs: Vec<Output> = mixed.iter().enumerate().map(output).collect();
        let task = RoutineTask {
            network: &network,
            loops: &[],
            mapping,
            input: &|node| Slot::new(Space::Work, ZERO + node as usize),
            outputs: &outputs,
            positive: &[],
            proceed: &|| true,
            first_free: ZERO + 1 + 4 * STATE_BITS,
        };
        let (routine, work_words) = lower(&task);
        SeedProgram { routine, work_words }
    }

    /// Where a bit of the job number is to be set.
    pub fn job_bit(bit: usize) -> usize {
        ZERO + 1 + bit
    }

    /// Where a bit of a key is to be set.
    pub fn key_bit(key: usize, bit: usize) -> usize {
        ZERO + 1 + (key + 1) * STATE_BITS + bit
    }
}

/// One round on words; the low half first.
fn round(network: &mut Network, mixed: &[Signal], number: usize) -> Vec<Signal> {
    let (low, high) = mixed.split_at(HALF);
    let rotated = |at: usize, by: usize| high[(at + HALF - by) % HALF];
    let next = (0..HALF).map(|at| {
        let product = network.and(vec![rotated(at, 1), rotated(at, 8)]);
        let sum = xor(network, product, rotated(at, 2));
        xor(network, sum, low[at]).complement_if(at == number)
    });
    let next: Vec<Signal> = next.collect();
    [high, &next].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Word, run};

    #[test]
    fn words_are_mixed_as_numbers_are() {
        let (seeds, program) = (JobSeeds::new(5), SeedProgram::new(Mapping::TwoInputs));
        let mut work = vec![0u64; program.work_words];
        for (key, &value) in seeds.keys.iter().enumerate() {
            for bit in 0..STATE_BITS {
                work[SeedProgram::key_bit(key, bit)] = u64::splat(value >> bit & 1 == 1);
            }
        }
        let jobs: Vec<u64> = (0..64).map(|lane: u64| lane * lane * 0x1_0001_0001).collect();
        for bit in 0..STATE_BITS {
            let lanes = jobs.iter().enumerate().map(|(lane, job)| (job >> bit & 1) << lane);
            work[SeedProgram::job_bit(bit)] = lanes.sum();
        }
        let mut after = vec![0u64; STATE_BITS];
        run(&program.routine, &[], &mut after, &mut work);
        for (lane, &job) in jobs.iter().enumerate() {
            let bits = after.iter().enumerate().map(|(bit, word)| (word >> lane & 1) << bit);
            assert_eq!(bits.sum::<u64>(), seeds.state(job), "job {job}");
        }
    }

    #[test]
    fn each_bit_of_the_number_changes_about_half_of_the_state() {
        let seeds = JobSeeds::new(1);
        for bit in 0..STATE_BITS {
            let changed: u32 = (0..1_000)
                .map(|job| (seeds.state(job) ^ seeds.state(job ^ 1 << bit)).count_ones())
                .sum();
            let mean = f64::from(changed) / 1_000.0;
            assert!((31.0..33.0).contains(&mean), "bit {bit} changes {mean} bits");
        }
        for bit in 0..STATE_BITS {
            let ones = (0..10_000).filter(|&job| seeds.state(job) >> bit & 1 == 1).count();
            assert!((4_700..5_300).contains(&ones), "bit {bit} is true {ones} times");
        }
    }
}
