//! Cuts gates into pairs, so that no way through them is longer than it must be.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::circuit::Circuit;
use super::super::network::{Network, Signal};
use super::super::rebuild::rebuild;
use super::pass::PassWork;

/// The circuit with gates of two inputs only. What is ready first is joined first.
pub(super) fn balance(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let mut depths = Depths(Vec::new());
    rebuild(circuit, work.budget, |network, places, node| {
        let inputs = circuit.network.inputs(node);
        (inputs.len() > 2).then(|| tree(network, &mut depths, places.all(inputs)))
    })
}

/// All of the signals, by pairs.
fn tree(network: &mut Network, depths: &mut Depths, signals: Vec<Signal>) -> Signal {
    let ready = |signal: Signal, depths: &mut Depths, network: &Network| {
        Reverse((depths.of(network, signal), signal))
    };
    let mut queue: BinaryHeap<Reverse<(u32, Signal)>> =
        signals.into_iter().map(|signal| ready(signal, depths, network)).collect();
    while let Some(Reverse((_, first))) = queue.pop() {
        let Some(Reverse((_, second))) = queue.pop() else { return first };
        let both = network.and(vec![first, second]);
        queue.push(ready(both, depths, network));
    }
    Signal::TRUE
}

/// The longest way to each node of a growing network.
struct Depths(Vec<u32>);

impl Depths {
    fn of(&mut self, network: &Network, signal: Signal) -> u32 {
        for node in self.0.len() as u32..=signal.node() {
            let inputs = network.inputs(node).iter();
            let below = inputs.map(|input| self.0[input.node() as usize] + 1).max();
            self.0.push(below.unwrap_or(0));
        }
        self.0[signal.node() as usize]
    }
}
