//! Arithmetic on numbers whose bits are signals, least bit first: a different number in each lane.

use crate::circuit::{Network, Signal};

/// A number: its bits, the least first.
pub(super) type Number = Vec<Signal>;

/// How many bits a number up to this one needs.
pub(super) fn bits_for(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

/// A bit of a number; those above its length are false.
fn bit(number: &[Signal], at: usize) -> Signal {
    number.get(at).copied().unwrap_or(Signal::FALSE)
}

pub(super) fn xor(network: &mut Network, a: Signal, b: Signal) -> Signal {
    let only_a = network.and(vec![a, !b]);
    let only_b = network.and(vec![!a, b]);
    network.or(vec![only_a, only_b])
}

/// Sum and carry of three bits.
fn full_add(network: &mut Network, a: Signal, b: Signal, c: Signal) -> (Signal, Signal) {
    let either = xor(network, a, b);
    let both = network.and(vec![a, b]);
    let through = network.and(vec![either, c]);
    (xor(network, either, c), network.or(vec![both, through]))
}

/// The sum, which is known to need no more than `bits` bits.
pub(super) fn add(network: &mut Network, a: &[Signal], b: &[Signal], bits: usize) -> Number {
    let mut carry = Signal::FALSE;
    let sum = (0..bits).map(|at| {
        let (sum, next) = full_add(network, bit(a, at), bit(b, at), carry);
        carry = next;
        sum
    });
    sum.collect()
}

/// `a - b` modulo a power of two, and whether `a` is less than `b`.
pub(super) fn subtract(network: &mut Network, a: &[Signal], b: &[Signal]) -> (Number, Signal) {
    let bits = a.len().max(b.len());
    let mut borrow = Signal::FALSE;
    let difference = (0..bits).map(|at| {
        // NOT a plus b plus borrow: its carry is the next borrow, its sum the complement.
        let (sum, next) = full_add(network, !bit(a, at), bit(b, at), borrow);
        borrow = next;
        !sum
    });
    (difference.collect(), borrow)
}

/// `yes` where the signal is true, elsewhere `no`, which may be of another length.
pub(super) fn choose(network: &mut Network, when: Signal, yes: &[Signal], no: &[Signal]) -> Number {
    let chosen = (0..yes.len().max(no.len())).map(|at| {
        let yes = network.and(vec![when, bit(yes, at)]);
        let no = network.and(vec![!when, bit(no, at)]);
        network.or(vec![yes, no])
    });
    chosen.collect()
}

/// Which of the signals is true, where one of them is; 0 where none is.
pub(super) fn index(network: &mut Network, signals: &[Signal]) -> Number {
    // Neighbours are put together until one is left: it is any of them, or the one that is true.
    let mut parts: Vec<(Signal, Number)> =
        signals.iter().map(|&signal| (signal, Number::new())).collect();
    while parts.len() > 1 {
        let pair = |pair: &[(Signal, Number)]| match pair {
            [left, right] => {
                let mut bits: Number =
                    left.1.iter().zip(&right.1).map(|(&a, &b)| network.or(vec![a, b])).collect();
                bits.push(right.0);
                (network.or(vec![left.0, right.0]), bits)
            }
            _ => {
                let (any, mut bits) = pair[0].clone();
                bits.push(Signal::FALSE);
                (any, bits)
            }
        };
        parts = parts.chunks(2).map(pair).collect();
    }
    parts.pop().map_or(Number::new(), |(_, bits)| bits)
}

/// Of `count` signals the one that an index says is true where `here` is; the others are false.
pub(super) fn one_of(
    network: &mut Network,
    index: &[Signal],
    count: usize,
    here: Signal,
) -> Vec<Signal> {
    let mut chosen = vec![here];
    for &bit in index.iter().rev() {
        let halves = |&here: &Signal| [network.and(vec![here, !bit]), network.and(vec![here, bit])];
        chosen = chosen.iter().flat_map(halves).collect();
    }
    chosen.truncate(count);
    chosen
}

/// The number times a random fraction, rounded down: uniform below the number, but for less than
/// one part in 2 to the number of random bits.
pub(super) fn scale(network: &mut Network, number: &[Signal], random: &[Signal]) -> Number {
    let mut product = vec![Signal::FALSE; number.len()];
    for &bit in random {
        let masked: Number = number.iter().map(|&own| network.and(vec![own, bit])).collect();
        let sum = add(network, &product, &masked, number.len() + 1);
        product = sum[1..].to_vec();
    }
    product
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::circuit::Gate;

    /// A network with two numbers of this many bits as inputs.
    pub(in super::super) fn inputs(bits: [usize; 2]) -> (Network, Number, Number) {
        let mut network = Network::default();
        let mut next = 0;
        let [a, b] = bits.map(|bits| {
            let number: Number = (0..bits)
                .map(|_| {
                    next += 1;
                    network.add_source(Gate::Fluent(next - 1))
                })
                .collect();
            number
        });
        (network, a, b)
    }

    /// What the number is where the inputs are as given.
    pub(in super::super) fn value(network: &Network, number: &[Signal], given: u64) -> u64 {
        let mut truth = vec![false; network.len()];
        for node in 0..network.len() as u32 {
            truth[node as usize] = match network.gate(node) {
                Gate::Fluent(at) => given >> at & 1 == 1,
                Gate::And => {
                    let mut inputs = network.inputs(node).iter();
                    inputs.all(|input| truth[input.node() as usize] != input.is_complement())
                }
                _ => false,
            };
        }
        let bit = |signal: &Signal| truth[signal.node() as usize] != signal.is_complement();
        number.iter().enumerate().map(|(at, signal)| (bit(signal) as u64) << at).sum()
    }

    #[test]
    fn numbers_are_added_and_subtracted() {
        let (mut network, a, b) = inputs([4, 3]);
        let sum = add(&mut network, &a, &b, 5);
        let (difference, less) = subtract(&mut network, &a, &b);
        for given in 0..1 << 7 {
            let (x, y) = (given & 15, given >> 4);
            assert_eq!(value(&network, &sum, given), x + y);
            assert_eq!(value(&network, &difference, given), x.wrapping_sub(y) & 15);
            assert_eq!(value(&network, &[less], given), (x < y) as u64);
        }
    }

    #[test]
    fn scaling_is_a_product_rounded_down() {
        let (mut network, number, random) = inputs([5, 6]);
        let rank = scale(&mut network, &number, &random);
        for given in 0..1 << 11 {
            let (x, u) = (given & 31, given >> 5);
            assert_eq!(value(&network, &rank, given), (x * u) >> 6);
        }
    }

    #[test]
    fn an_index_makes_its_signal_true() {
        for count in 1..10 {
            let (mut network, index, here) = inputs([bits_for(count - 1), 1]);
            let chosen = one_of(&mut network, &index, count, here[0]);
            for at in 0..count {
                assert_eq!(value(&network, &chosen, at as u64), 0);
                assert_eq!(value(&network, &chosen, at as u64 | 1 << index.len()), 1 << at);
            }
        }
    }

    #[test]
    fn the_true_signal_is_found() {
        for count in 1..20 {
            let (mut network, signals, _) = inputs([count, 0]);
            let found = index(&mut network, &signals);
            assert_eq!(found.len(), bits_for(count - 1));
            for at in 0..count {
                assert_eq!(value(&network, &found, 1 << at), at as u64);
            }
            assert_eq!(value(&network, &found, 0), 0);
        }
    }
}
