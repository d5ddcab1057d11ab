//! The order in which gates are computed: straight stretches, and blocks that are repeated.

use super::circuit::{Circuit, Loop};
use super::network::{Gate, Network};
use super::rebuild::cone;

/// Some gates of a circuit, in an order in which they can be computed.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// To be done one after the other.
    pub stretches: Vec<Stretch>,
}

/// Gates that are computed in one go.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The gates, inputs before what reads them.
    pub gates: Vec<u32>,
    /// The loop that this is the block of: to be repeated from all-false until nothing changes.
    pub repeats: Option<usize>,
}

impl Schedule {
    /// A schedule of the gates that are wanted. A loop must be wanted as a whole or not at all.
    pub fn new(circuit: &Circuit, wanted: impl Fn(u32) -> bool) -> Self {
        Self::of(&circuit.network, &circuit.loops, wanted)
    }

    /// The same for a network that is no whole circuit.
    pub(crate) fn of(network: &Network, loops: &[Loop], wanted: impl Fn(u32) -> bool) -> Self {
        let levels = levels(network);
        let blocks = blocks(network, loops, &levels);
        let mut straight = vec![Vec::new(); loops.len() + 1];
        let mut repeated = vec![Vec::new(); loops.len()];
        for node in 0..network.len() as u32 {
            if network.gate(node) == Gate::And && wanted(node) {
                match blocks[node as usize] {
                    Some(number) => repeated[number].push(node),
                    None => straight[levels[node as usize]].push(node),
                }
            }
        }
        // A loop whose value is an input or another member needs no gate, but is a loop.
        let is_wanted = |number: &usize| {
            loops[*number].members.iter().any(|member| wanted(member.feedback.node()))
        };
        let mut stretches = Vec::new();
        for (number, gates) in straight.into_iter().enumerate() {
            if let Some(number) = number.checked_sub(1).filter(is_wanted) {
                let gates = std::mem::take(&mut repeated[number]);
                stretches.push(Stretch { gates, repeats: Some(number) });
            }
            if !gates.is_empty() {
                stretches.push(Stretch { gates, repeats: None });
            }
        }
        Schedule { stretches }
    }
}

/// By node: how many loops must be done before it can be computed.
fn levels(network: &Network) -> Vec<usize> {
    let mut levels = vec![0; network.len()];
    for node in 0..network.len() as u32 {
        let inputs = network.inputs(node).iter();
        levels[node as usize] = match network.gate(node) {
            Gate::Feedback(number, _) => number as usize + 1,
            _ => inputs.map(|input| levels[input.node() as usize]).max().unwrap_or(0),
        };
    }
    levels
}

/// By node: the loop whose block it is part of.
fn blocks(network: &Network, loops: &[Loop], levels: &[usize]) -> Vec<Option<usize>> {
    let mut blocks = vec![None; network.len()];
    for (number, block) in loops.iter().enumerate() {
        let marks = cone(network, loops, block.members.iter().map(|member| member.value));
        for (node, mark) in marks.into_iter().enumerate() {
            if mark && levels[node] == number + 1 {
                blocks[node] = Some(number);
            }
        }
    }
    blocks
}
