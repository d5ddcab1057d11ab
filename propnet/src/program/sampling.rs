//! Choosing by values: the weight of a move is relative to the best one that is legal in the same lane.
//!
//! A weight of a few bits for each value would have one scale for all lanes. Sums of several policies
//! spread so wide that most lanes would be left with the lowest weights of the scale. Relative to
//! the best legal move, the same bits are enough in every lane.

/// How a move is chosen by values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Gibbs sampling: a move that is [`HALVING`] below another one is half as likely.
    Gibbs,
    /// Epsilon-greedy: one of the best moves, each as likely; in so many of [`EXPLORED_OF`] choices
    /// one of all legal moves.
    Greedy {
        /// How many.
        explored: u32,
    },
}

/// The difference of two values at which one move is twice as likely as the other.
pub const HALVING: usize = 32;

/// Epsilon is a part of this: the lowest random bits of a choice decide.
pub const EXPLORED_OF: u32 = 512;

/// The highest value of a part.
pub const HIGHEST_VALUE: u16 = 32_000;

/// What is added to the values of legal moves: so much below another value, the weight is 0. Illegal
/// moves have the value 0.
pub(crate) const LEGAL: u16 = 512;
// Two parts and what is added have 16 bits.
const _: () = assert!(HIGHEST_VALUE <= (u16::MAX - LEGAL) / 2);

/// The bits of a weight.
pub(crate) const SAMPLING_BITS: usize = 12;

/// The weights of moves that are less than a halving below the best, by the difference.
pub(crate) const FIRST_WEIGHTS: [u16; HALVING] = [
    4095, 4007, 3921, 3837, 3755, 3675, 3596, 3519, 3443, 3370, 3297, 3227, 3158, 3090, 3024, 2959,
    2896, 2834, 2773, 2713, 2655, 2598, 2543, 2488, 2435, 2383, 2332, 2282, 2233, 2185, 2138, 2092,
];

/// The weight of a move by how much its value is below the highest one.
pub(crate) fn gibbs_weight(below: u16) -> u32 {
    let halvings = u32::from(below) / HALVING as u32;
    let first = u32::from(FIRST_WEIGHTS[usize::from(below) % HALVING]);
    first.checked_shr(halvings).unwrap_or(0)
}

impl Sampling {
    /// How likely lanes choose each of some legal moves by their values.
    pub fn chances(self, values: &[u16]) -> Vec<f64> {
        let highest = values.iter().copied().max().unwrap_or(0);
        let weight = |value: u16| match self {
            Sampling::Gibbs => f64::from(gibbs_weight(highest - value)),
            Sampling::Greedy { .. } => f64::from(u8::from(value == highest)),
        };
        let sum: f64 = values.iter().map(|&value| weight(value)).sum();
        let explored = match self {
            Sampling::Gibbs => 0.0,
            Sampling::Greedy { explored } => f64::from(explored) / f64::from(EXPLORED_OF),
        };
        let any = explored / values.len() as f64;
        values.iter().map(|&value| (1.0 - explored) * weight(value) / sum + any).collect()
    }
}

/// Whole values for numbers, of which one that is lower by tau is e times less likely.
#[derive(Clone, Copy, Debug)]
pub struct ValueScale {
    highest: f64,
    per_number: f64,
}

impl ValueScale {
    /// Values for numbers up to the highest one.
    pub fn new(highest: f64, tau: f64) -> Self {
        ValueScale { highest, per_number: HALVING as f64 / (tau * std::f64::consts::LN_2) }
    }

    /// Values for numbers up to the highest one; numbers that differ by a step have different values.
    pub fn with_step(highest: f64, step: f64) -> Self {
        ValueScale { highest, per_number: 1.0 / step }
    }

    /// The value of a number; one that is too low has the lowest value.
    pub fn value(&self, number: f64) -> u16 {
        let below = (self.per_number * (self.highest - number)).round();
        (f64::from(HIGHEST_VALUE) - below).clamp(0.0, f64::from(HIGHEST_VALUE)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_gibbs_sampling_and_of_epsilon_greedy() {
        let scale = ValueScale::new(80.0, 10.0);
        let values = [60.0, 65.0, 80.0, -1e9].map(|number| scale.value(number));
        assert_eq!((values[2], values[3]), (HIGHEST_VALUE, 0));
        let expected = [0.0996, 0.1643, 0.7361, 0.0];
        for (found, expected) in Sampling::Gibbs.chances(&values).iter().zip(expected) {
            assert!((found - expected).abs() < 0.002, "{found} instead of {expected}");
        }
        let greedy = Sampling::Greedy { explored: EXPLORED_OF / 4 };
        assert_eq!(greedy.chances(&[7, 9, 9, 7]), [0.0625, 0.4375, 0.4375, 0.0625]);
    }

    #[test]
    fn weights_are_halved_again_and_again() {
        for below in 0..=LEGAL {
            let exact = 4095.0 * 0.5f64.powf(f64::from(below) / HALVING as f64);
            let found = f64::from(gibbs_weight(below));
            assert!(found <= exact.round() && found > exact - 1.01, "{below}: {found}, {exact}");
        }
        assert_eq!(gibbs_weight(LEGAL), 0);
        assert_eq!(gibbs_weight(u16::MAX), 0);
    }
}
