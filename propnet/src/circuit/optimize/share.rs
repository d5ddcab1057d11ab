//! Makes gates for what several gates have in common.

use super::super::circuit::Circuit;
use super::super::network::{Gate, Network, Signal};
use super::super::rebuild::{NodePlaces, rebuild};
use super::flatten::flatten;
use super::pairs::{Joined, join};
use super::pass::PassWork;

/// The circuit with every pair of inputs that several gates share made a gate of its own. Gates
/// that still have more than two inputs share nothing that could be used.
pub(super) fn share(circuit: &Circuit, work: PassWork<'_>) -> Circuit {
    let circuit = flatten(circuit, work.budget);
    let network = &circuit.network;
    let items: Vec<Vec<u32>> = (0..network.len() as u32)
        .map(|node| network.inputs(node).iter().map(|input| input.index() as u32).collect())
        .collect();
    let given = 2 * network.len() as u32;
    let Joined { sets, pairs } = join(&items, given, work.params.share_effort, work.budget);
    let mut made = Made { given, pairs, signals: Vec::new() };
    made.signals.resize(made.pairs.len(), None);
    rebuild(&circuit, work.budget, |network, places, node| {
        let is_gate = circuit.network.gate(node) == Gate::And;
        is_gate.then(|| {
            let signals =
                sets[node as usize].iter().map(|&item| made.signal(network, places, item));
            let signals = signals.collect();
            network.and(signals)
        })
    })
}

/// Pairs as far as they are gates.
struct Made {
    given: u32,
    pairs: Vec<(u32, u32)>,
    signals: Vec<Option<Signal>>,
}

impl Made {
    /// The signal of an item; pairs are made when they are first needed.
    fn signal(&mut self, network: &mut Network, places: &NodePlaces, item: u32) -> Signal {
        let mut todo = vec![item];
        while let Some(&next) = todo.last() {
            let Some(pair) = next.checked_sub(self.given) else {
                todo.pop();
                continue;
            };
            let (one, other) = self.pairs[pair as usize];
            match (self.known(places, one), self.known(places, other)) {
                (Some(one), Some(other)) => {
                    if self.signals[pair as usize].is_none() {
                        self.signals[pair as usize] = Some(network.and(vec![one, other]));
                    }
                    todo.pop();
                }
                _ => todo.extend([one, other]),
            }
        }
        self.known(places, item).expect("all that was left to do is done")
    }

    fn known(&self, places: &NodePlaces, item: u32) -> Option<Signal> {
        match item.checked_sub(self.given) {
            Some(pair) => self.signals[pair as usize],
            None => Some(places.of(Signal::of(item >> 1).complement_if(item & 1 == 1))),
        }
    }
}
