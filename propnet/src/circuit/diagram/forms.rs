//! Which AND gates of a network are better shown as OR gates.
//!
//! A gate and its complement are the same node, so each can be shown as an AND of its inputs or as
//! an OR of their complements, the other of the two after a NOT gate. The forms are chosen so that
//! few NOT gates are needed, which is close to how a person would have written the rules. Within a
//! loop there are none at all: recursion is positive, so every gate has the form that the loop
//! needs.

use crate::circuit::circuit::Circuit;
use crate::circuit::network::{Gate, Network, Signal};
use crate::circuit::schedule::Schedule;

/// How each node of a network is shown.
pub(super) struct Forms {
    is_or: Vec<bool>,
}

impl Forms {
    /// What inputs suggest is found from the inputs up, what readers want from the outputs down.
    pub(super) fn new(circuit: &Circuit) -> Self {
        let network = &circuit.network;
        let (inverters, mut is_or) = suggestions(network);
        let mut wanted = Wanted::new(circuit);
        let mut needed = Needed::new(circuit);
        for node in (0..network.len()).rev() {
            if network.gate(node as u32) != Gate::And {
                continue;
            }
            let [plain, complemented] = wanted.0[node];
            let [for_and, for_or] = inverters[node];
            let and = for_and + u32::from(complemented > 0);
            let or = for_or + u32::from(plain > 0);
            let fewer = (or, plain) < (and, complemented);
            is_or[node] = needed.form(node).unwrap_or(fewer);
            for &input in network.inputs(node as u32) {
                let input = input.complement_if(is_or[node]);
                wanted.add(input);
                needed.pass_on(node, input);
            }
        }
        Forms { is_or }
    }

    /// Whether a node is shown as an OR gate.
    pub(super) fn is_or(&self, node: u32) -> bool {
        self.is_or[node as usize]
    }

    /// What the element of a node shows.
    pub(super) fn shown(&self, node: u32) -> Signal {
        Signal::of(node).complement_if(self.is_or(node))
    }
}

/// By node: how many NOT gates its inputs need in front of an AND and in front of an OR, and
/// whether the OR needs fewer. Input gates are taken in the form they suggest themselves.
fn suggestions(network: &Network) -> (Vec<[u32; 2]>, Vec<bool>) {
    let mut is_or = vec![false; network.len()];
    let mut inverters = vec![[0; 2]; network.len()];
    for node in 0..network.len() {
        let inputs = network.inputs(node as u32);
        let is_shown = |input: &&Signal| input.is_complement() == is_or[input.node() as usize];
        let as_shown = inputs.iter().filter(is_shown).count() as u32;
        inverters[node] = [inputs.len() as u32 - as_shown, as_shown];
        is_or[node] = inverters[node][1] < inverters[node][0];
    }
    (inverters, is_or)
}

/// By node: how often it is wanted as it is, and complemented.
struct Wanted(Vec<[u32; 2]>);

impl Wanted {
    fn new(circuit: &Circuit) -> Self {
        let mut wanted = Wanted(vec![[0; 2]; circuit.network.len()]);
        let members = circuit.loops.iter().flat_map(|block| &block.members);
        circuit.outputs().chain(members.map(|member| member.value)).for_each(|signal| {
            wanted.add(signal);
        });
        wanted
    }

    fn add(&mut self, signal: Signal) {
        self.0[signal.node() as usize][usize::from(signal.is_complement())] += 1;
    }
}

/// What loops need of their gates.
struct Needed {
    /// By node: whether it is part of a loop.
    in_loop: Vec<bool>,
    /// By node of a loop: whether the loop reads its complement.
    complemented: Vec<Option<bool>>,
}

impl Needed {
    fn new(circuit: &Circuit) -> Self {
        let count = circuit.network.len();
        let mut needed = Needed { in_loop: vec![false; count], complemented: vec![None; count] };
        let stretches = Schedule::new(circuit, |_| true).stretches;
        let blocks = stretches.iter().filter(|stretch| stretch.repeats.is_some());
        for &gate in blocks.flat_map(|stretch| &stretch.gates) {
            needed.in_loop[gate as usize] = true;
        }
        for member in circuit.loops.iter().flat_map(|block| &block.members) {
            needed.add(member.value);
        }
        needed
    }

    fn add(&mut self, signal: Signal) {
        self.complemented[signal.node() as usize] = Some(signal.is_complement());
    }

    /// Whether a loop needs the gate as an OR, if it needs it at all.
    fn form(&self, node: usize) -> Option<bool> {
        self.complemented[node].filter(|_| self.in_loop[node])
    }

    /// A gate of a loop reads this.
    fn pass_on(&mut self, node: usize, input: Signal) {
        if self.in_loop[node] {
            self.add(input);
        }
    }
}
