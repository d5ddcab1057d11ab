//! Whether signals of a network say the same, whatever the gates below them say.

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::network::{Gate, Network, Signal};
use super::solver::{Answer, Solver};

/// The most work that one question may cost; beyond it the answer is no.
const EFFORT: u64 = 50_000_000;

/// Whether each signal says the same as its counterpart, where nodes before `first` may be anything.
pub(super) fn are_equivalent(network: &Network, first: u32, pairs: &[(Signal, Signal)]) -> bool {
    let mut encoder =
        Encoder { network, first, solver: Solver::new(), known: FxHashMap::default() };
    pairs.iter().filter(|(one, other)| one != other).all(|&(one, other)| {
        let (one, other) = (encoder.literal(one), encoder.literal(other));
        let mut never = |literals: [Lit; 2]| encoder.solver.ask(&literals, EFFORT) == Answer::Never;
        never([one, !other]) && never([!one, other])
    })
}

struct Encoder<'a> {
    network: &'a Network,
    first: u32,
    solver: Solver,
    known: FxHashMap<u32, Lit>,
}

impl Encoder<'_> {
    /// The literal of a signal, with clauses for the gates behind it.
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
        assert!(are_equivalent(&network, first, &[(inside, outside), (!a, !a)]));
        assert!(!are_equivalent(&network, first, &[(inside, outside), (ab, a)]));
        assert!(!are_equivalent(&network, first, &[(ab, !ab)]));
        // What is below the first node may be anything, so nothing is known of it.
        let all = network.len() as u32;
        assert!(!are_equivalent(&network, all, &[(inside, outside)]));
    }
}
