//! A flat, hash-consed network of AND gates.
//!
//! An edge is a [`Signal`]: a node and a complement bit, so NOT costs nothing and OR is an AND seen
//! from the other side. Gates have any number of inputs, as rule bodies do; later passes cut them
//! into pairs. Nodes are numbered after their inputs, so the order of numbers is topological.
//!
//! An and-inverter graph with structural hashing: Kuehlmann, Paruthi, Krohm and Ganai 2002, with
//! gates of any width.

use std::hash::Hasher;
use std::ops::Not;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// A node, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(u32);

impl Signal {
    /// Never true.
    pub const FALSE: Signal = Signal(0);
    /// Always true.
    pub const TRUE: Signal = Signal(1);

    /// The node as it is.
    pub fn of(node: u32) -> Self {
        Signal(node << 1)
    }

    /// The number that stands for the signal: twice the node, plus one for the complement.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the node is seen from the other side.
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// The signal, complemented if asked for.
    pub fn complement_if(self, complement: bool) -> Self {
        Signal(self.0 ^ complement as u32)
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Never true. Node 0, and no other.
    False,
    /// Whether a fluent is true now.
    Fluent(u32),
    /// Whether a role makes a move.
    Move(u32, u32),
    /// What a loop has found so far about one of its members.
    Feedback(u32, u32),
    /// All inputs are true.
    And,
}

/// A network of gates.
#[derive(Clone, Debug)]
pub struct Network {
    gates: Vec<Gate>,
    /// Where each gate's inputs end in `inputs`; they begin where the ones before end.
    ends: Vec<u32>,
    inputs: Vec<Signal>,
    known: HashTable<u32>,
}

/// Inputs that are gates with more inputs than this are not looked into when a gate is made.
const LOOKED_INTO: usize = 16;

impl Default for Network {
    fn default() -> Self {
        Network {
            gates: vec![Gate::False],
            ends: vec![0],
            inputs: Vec::new(),
            known: HashTable::new(),
        }
    }
}

impl Network {
    /// No gates, and room for about as many as another network has.
    pub(super) fn with_room_for(other: &Network) -> Self {
        let mut network = Network::default();
        network.gates.reserve(other.gates.len());
        network.ends.reserve(other.ends.len());
        network.inputs.reserve(other.inputs.len());
        network.known = HashTable::with_capacity(other.known.len());
        network
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Never true: the constant is always there.
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// What a node is.
    pub fn gate(&self, node: u32) -> Gate {
        self.gates[node as usize]
    }

    /// The inputs of a node; none unless it is an AND gate.
    pub fn inputs(&self, node: u32) -> &[Signal] {
        let start = if node == 0 { 0 } else { self.ends[node as usize - 1] as usize };
        &self.inputs[start..self.ends[node as usize] as usize]
    }

    /// How many two-input gates the network amounts to.
    pub fn two_input_gates(&self) -> usize {
        self.inputs.len() - self.known.len()
    }

    /// A node without inputs. Making the same twice gives two nodes.
    pub fn add_source(&mut self, gate: Gate) -> Signal {
        self.gates.push(gate);
        self.ends.push(self.inputs.len() as u32);
        Signal::of(self.gates.len() as u32 - 1)
    }

    /// All of the signals: folded, and never made twice.
    pub fn and(&mut self, mut signals: Vec<Signal>) -> Signal {
        loop {
            signals.sort_unstable();
            signals.dedup();
            signals.retain(|&signal| signal != Signal::TRUE);
            let opposed = signals.windows(2).any(|pair| pair[0] == !pair[1]);
            if opposed || signals.first() == Some(&Signal::FALSE) {
                return Signal::FALSE;
            }
            match self.absorb(&mut signals) {
                Absorbed::Settled => break,
                Absorbed::Never => return Signal::FALSE,
                Absorbed::Changed => {}
            }
        }
        match signals[..] {
            [] => Signal::TRUE,
            [only] => only,
            _ => self.gate_with(&signals),
        }
    }

    /// All of the signals, ascending, about which nothing is to be found: a gate that was folded
    /// before, in another network. Whether it is a new one is said too.
    pub(super) fn and_folded(&mut self, signals: &[Signal]) -> (Signal, bool) {
        let before = self.gates.len();
        let gate = self.gate_with(signals);
        (gate, self.gates.len() > before)
    }

    /// One of the signals.
    pub fn or(&mut self, signals: Vec<Signal>) -> Signal {
        !self.and(signals.into_iter().map(|signal| !signal).collect())
    }

    /// Uses what one level of gates below says about sorted signals that are to hold together.
    fn absorb(&mut self, signals: &mut Vec<Signal>) -> Absorbed {
        let mut changed = false;
        let mut at = 0;
        while at < signals.len() {
            match self.look_into(signals, at) {
                Look::Nothing => at += 1,
                Look::Never => return Absorbed::Never,
                Look::Drop(implied) => {
                    signals.remove(implied);
                    at -= (implied < at) as usize;
                }
                Look::Replace(open) => {
                    // Out of order from here on: the rest is looked at again when it is sorted.
                    signals[at] = !self.and(open);
                    changed = true;
                    break;
                }
            }
        }
        if changed { Absorbed::Changed } else { Absorbed::Settled }
    }

    /// What the gate of one of the signals says about the others.
    fn look_into(&self, signals: &[Signal], at: usize) -> Look {
        let signal = signals[at];
        let inner = self.inputs(signal.node());
        if inner.is_empty() || inner.len() > LOOKED_INTO {
            return Look::Nothing;
        }
        let find = |wanted: Signal| signals.binary_search(&wanted);
        let has = |wanted: Signal| find(wanted).is_ok();
        if signal.is_complement() {
            if inner.iter().any(|&part| has(!part)) {
                return Look::Drop(at); // NOT b AND (NOT b OR c)
            }
            if inner.iter().any(|&part| has(part)) {
                // b AND (NOT b OR c): only c is open.
                return Look::Replace(inner.iter().copied().filter(|&part| !has(part)).collect());
            }
        } else {
            // a AND (b AND c): with NOT b never; b itself says nothing new.
            if inner.iter().any(|&part| has(!part)) {
                return Look::Never;
            }
            if let Some(implied) = inner.iter().find_map(|&part| find(part).ok()) {
                return Look::Drop(implied);
            }
        }
        Look::Nothing
    }

    fn gate_with(&mut self, signals: &[Signal]) -> Signal {
        let same = |&node: &u32| self.inputs(node) == signals;
        if let Some(&node) = self.known.find(hash_of(signals), same) {
            return Signal::of(node);
        }
        let node = self.gates.len() as u32;
        self.gates.push(Gate::And);
        self.inputs.extend_from_slice(signals);
        self.ends.push(self.inputs.len() as u32);
        let Network { ends, inputs, known, .. } = self;
        known.insert_unique(hash_of(signals), node, |&node| {
            let start = ends[node as usize - 1] as usize;
            hash_of(&inputs[start..ends[node as usize] as usize])
        });
        Signal::of(node)
    }
}

/// What was found one level down.
enum Look {
    Nothing,
    /// The signals are never true together.
    Never,
    /// The signal at this place follows from the others.
    Drop(usize),
    /// The signal says no more than that not all of these hold.
    Replace(Vec<Signal>),
}

/// What became of signals that were looked into.
enum Absorbed {
    /// Nothing more is to be found.
    Settled,
    /// They are never true together.
    Never,
    /// They are no longer sorted, and more may be found.
    Changed,
}

fn hash_of(signals: &[Signal]) -> u64 {
    let mut hasher = FxHasher::default();
    for signal in signals {
        hasher.write_u32(signal.0);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(network: &mut Network) -> [Signal; 3] {
        [0, 1, 2].map(|fluent| network.add_source(Gate::Fluent(fluent)))
    }

    #[test]
    fn constants_and_opposites_fold() {
        let mut network = Network::default();
        let [a, b, _] = sources(&mut network);
        assert_eq!(network.and(vec![a, Signal::TRUE]), a);
        assert_eq!(network.and(vec![a, b, !a]), Signal::FALSE);
        assert_eq!(network.or(vec![a, !a]), Signal::TRUE);
        assert_eq!(network.and(vec![]), Signal::TRUE);
    }

    #[test]
    fn equal_gates_are_one() {
        let mut network = Network::default();
        let [a, b, _] = sources(&mut network);
        assert_eq!(network.and(vec![a, b, a]), network.and(vec![b, a]));
        assert_eq!(network.or(vec![!a, !b]), !network.and(vec![a, b]));
    }

    #[test]
    fn what_one_level_down_says_is_used() {
        let mut network = Network::default();
        let [a, b, c] = sources(&mut network);
        let both = network.and(vec![a, b]);
        let either = network.or(vec![a, b]);
        assert_eq!(network.and(vec![both, a]), both);
        assert_eq!(network.and(vec![both, !a]), Signal::FALSE);
        assert_eq!(network.and(vec![either, a]), a);
        assert_eq!(network.and(vec![either, !a]), network.and(vec![!a, b]));
        let three = network.or(vec![a, b, c]);
        let rest = network.or(vec![b, c]);
        assert_eq!(network.and(vec![three, !a]), network.and(vec![rest, !a]));
    }
}
