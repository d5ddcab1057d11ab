//! Whether signals of a network say the same, whatever the gates below them say.
//!
//! Random simulation, then proofs by SAT, as in SAT sweeping: Mishchenko, Chatterjee, Jiang and
//! Brayton 2005.

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::budget::WorkBudget;
use super::network::{Gate, Network, Signal};
use super::solver::{Answer, Solver};

/// The most work that one question may cost; beyond it the answer is no.
const EFFORT: u64 = 50_000_000;

/// Random situations are tried in words of 64, each with inputs that are more or less often true.
const ROUNDS: u64 = 4;

/// Whether each signal says the same as its counterpart, where nodes before `first` may be anything.
/// Where that cannot be shown with the work that is allowed, the answer is no.
pub(super) fn are_equivalent(
    network: &Network,
    first: u32,
    pairs: &[(Signal, Signal)],
    budget: &WorkBudget<'_>,
    allowed: u64,
) -> bool {
    let open: Vec<(Signal, Signal)> =
        pairs.iter().copied().filter(|(one, other)| one != other).collect();
    // A situation in which two differ is mostly found at once, for much less than a proof.
    if (0..ROUNDS).any(|round| differ(network, first, &open, round)) {
        return false;
    }
    let mut encoder = EquivalenceEncoder {
        network,
        first,
        solver: Solver::new(budget),
        known: FxHashMap::default(),
    };
    // What was made last depends on most, and is the most likely to differ.
    open.iter().rev().all(|&(one, other)| {
        let (one, other) = (encoder.literal(one), encoder.literal(other));
        let mut never = |literals: [Lit; 2]| {
            let left = allowed.saturating_sub(encoder.solver.effort()).min(budget.proofs());
            left > 0 && encoder.solver.ask(&literals, EFFORT.min(left)) == Answer::Never
        };
        never([one, !other]) && never([!one, other])
    })
}

/// Whether signals are seen to differ in one of 64 random situations.
fn differ(network: &Network, first: u32, pairs: &[(Signal, Signal)], round: u64) -> bool {
    let mut gates: Vec<u64> = Vec::with_capacity(network.len() - first as usize);
    let value = |gates: &[u64], signal: Signal| {
        let word = match signal.node().checked_sub(first) {
            Some(gate) => gates[gate as usize],
            None => random_word(network, signal.node(), round),
        };
        if signal.is_complement() { !word } else { word }
    };
    for node in first..network.len() as u32 {
        let word = match network.gate(node) {
            Gate::And => {
                network.inputs(node).iter().fold(!0, |word, &input| word & value(&gates, input))
            }
            _ => random_word(network, node, round),
        };
        gates.push(word);
    }
    pairs.iter().any(|&(one, other)| value(&gates, one) != value(&gates, other))
}

/// What a node that may be anything is in 64 situations: of the rounds, each has another share in
/// which it is true, since chains of many conditions seldom hold where each is true half the time.
fn random_word(network: &Network, node: u32, round: u64) -> u64 {
    if network.gate(node) == Gate::False {
        return 0;
    }
    let word = |number: u64| mixed(u64::from(node) << 8 | round << 4 | number);
    match round {
        0 => word(0),
        1 => word(0) | word(1),
        2 => word(0) | word(1) | word(2),
        _ => word(0) & word(1),
    }
}

/// SplitMix64: Steele, Lea and Flood 2014.
fn mixed(number: u64) -> u64 {
    let mut word = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

struct EquivalenceEncoder<'a> {
    network: &'a Network,
    first: u32,
    solver: Solver<'a>,
    known: FxHashMap<u32, Lit>,
}

impl EquivalenceEncoder<'_> {
    /// The literal of a signal, with clauses for the gates that it depends on.
    fn literal(&mut self, signal: Signal) -> Lit {
        let mut todo = vec![signal.node()];
        while let Some(&node) = todo.last() {
            let is_gate = node >= self.first && self.network.gate(node) == Gate::And;
            let inputs = if is_gate { self.network.inputs(node) } else { &[] };
            let open = inputs.iter().map(|input| input.node());
            let open: Vec<u32> = open.filter(|input| !self.known.contains_key(input)).collect();
            if open.is_empty() {
                self.encode(node, inputs);
                todo.pop();
            }
            todo.extend(open);
        }
        self.of(signal)
    }

    fn of(&self, signal: Signal) -> Lit {
        let literal = self.known[&signal.node()];
        if signal.is_complement() { !literal } else { literal }
    }

    fn encode(&mut self, node: u32, inputs: &[Signal]) {
        if self.known.contains_key(&node) {
            return;
        }
        let own = self.solver.literal();
        self.known.insert(node, own);
        if self.network.gate(node) == Gate::False {
            self.solver.clause(&[!own]);
        }
        if inputs.is_empty() {
            return;
        }
        let mut all = vec![own];
        for &input in inputs {
            let input = self.of(input);
            self.solver.clause(&[!own, input]);
            all.push(!input);
        }
        self.solver.clause(&all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_always_agrees_is_equivalent() {
        let mut network = Network::default();
        let [a, b, c] = [0, 1, 2].map(|fluent| network.add_source(Gate::Fluent(fluent)));
        let first = network.len() as u32;
        let (ab, ac, either) =
            (network.and(vec![a, b]), network.and(vec![a, c]), network.or(vec![b, c]));
        let (inside, outside) = (network.or(vec![ab, ac]), network.and(vec![a, either]));
        let budget = WorkBudget::default();
        let same = |first: u32, pairs: &[(Signal, Signal)]| {
            are_equivalent(&network, first, pairs, &budget, u64::MAX)
        };
        assert!(same(first, &[(inside, outside), (!a, !a)]));
        assert!(!same(first, &[(inside, outside), (ab, a)]));
        assert!(!same(first, &[(ab, !ab)]));
        // What is below the first node may be anything, so nothing is known of it.
        assert!(!same(network.len() as u32, &[(inside, outside)]));
        // Nothing is proven without work.
        assert!(!are_equivalent(&network, first, &[(inside, outside)], &budget, 0));
        let spent = WorkBudget::with_proofs(0, &|| true);
        assert!(!are_equivalent(&network, first, &[(inside, outside)], &spent, u64::MAX));
    }

    #[test]
    fn what_is_seldom_different_is_found_by_the_solver() {
        let mut network = Network::default();
        let inputs: Vec<Signal> =
            (0..40).map(|fluent| network.add_source(Gate::Fluent(fluent))).collect();
        let first = network.len() as u32;
        let sides = inputs.iter().enumerate().map(|(at, input)| input.complement_if(at % 2 == 0));
        let all = network.and(sides.collect());
        assert!((0..ROUNDS).all(|round| !differ(&network, first, &[(all, Signal::FALSE)], round)));
        let budget = WorkBudget::default();
        assert!(!are_equivalent(&network, first, &[(all, Signal::FALSE)], &budget, u64::MAX));
    }
}
