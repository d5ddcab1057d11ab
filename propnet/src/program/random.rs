//! Random bits as part of the circuit: each lane has a generator of its own, whose state is 64
//! words, one bit of each for each lane.
//!
//! A step of a xorshift generator moves and adds bits, so on words it is a few XORs and costs less
//! than any generator that works lane by lane. What it gives is linear in its state; the bits that
//! are used have a product of two others added. A job's generator starts from a mix of seed and
//! job number (see [`super::JobSeeds`]), so what a job draws depends on nothing else.
//!
//! Xorshift: Marsaglia 2003.

use super::numbers::xor;
use crate::circuit::{Network, Signal};

/// The bits of a generator's state.
pub const STATE_BITS: usize = 64;

/// The bits that one step of a generator gives.
const GIVEN: usize = 42;

/// The shifts of one step, with which the state runs through all values but 0. A generator in
/// state 0 stays there; a job starts so once in 2 to the 64.
const SHIFTS: [(Direction, usize); 3] =
    [(Direction::Up, 13), (Direction::Down, 7), (Direction::Up, 17)];

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

/// A generator in each lane.
pub(super) struct Generator {
    state: Vec<Signal>,
    /// Bits of the present state that are still to be had.
    ready: Vec<Signal>,
}

impl Generator {
    /// Generators that are in this state.
    pub(super) fn new(state: Vec<Signal>) -> Self {
        Generator { state, ready: Vec::new() }
    }

    /// So many random bits.
    pub(super) fn draw(&mut self, network: &mut Network, bits: usize) -> Vec<Signal> {
        (0..bits)
            .map(|_| match self.ready.pop() {
                Some(bit) => bit,
                None => {
                    self.advance(network);
                    self.ready.pop().expect("a step gives bits")
                }
            })
            .collect()
    }

    /// The state after all that was drawn. Where nothing was, it is the old one: a game without
    /// choice has no use for random numbers.
    pub(super) fn state(self) -> Vec<Signal> {
        self.state
    }

    fn advance(&mut self, network: &mut Network) {
        for (direction, distance) in SHIFTS {
            let old = self.state.clone();
            for (at, bit) in self.state.iter_mut().enumerate() {
                let other = match direction {
                    Direction::Up => at.checked_sub(distance),
                    Direction::Down => Some(at + distance),
                };
                if let Some(&other) = other.and_then(|other| old.get(other)) {
                    *bit = xor(network, *bit, other);
                }
            }
        }
        let given = (STATE_BITS - GIVEN..STATE_BITS).map(|at| {
            let [one, other] = [at + 23, at + 41].map(|at| self.state[at % STATE_BITS]);
            let product = network.and(vec![one, other]);
            xor(network, self.state[at], product)
        });
        self.ready = given.collect();
    }
}
