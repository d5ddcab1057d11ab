//! Joins gates that only one gate reads with their reader, so that what belongs together is seen
//! together: the passes that cut gates up anew begin here.

use super::super::budget::WorkBudget;
use super::super::circuit::Circuit;
use super::super::network::{Gate, Signal};
use super::super::rebuild::{live_nodes, rebuild};

/// By node: the input by which a gate reads it, if it is a gate itself and nothing else reads it,
/// neither a gate nor a port nor a loop.
pub(super) fn sole_uses(circuit: &Circuit) -> Vec<Option<Signal>> {
    let network = &circuit.network;
    let mut uses = vec![None; network.len()];
    let mut count = vec![0u32; network.len()];
    let live = live_nodes(circuit);
    for node in (0..network.len() as u32).filter(|&node| live[node as usize]) {
        for &input in network.inputs(node) {
            count[input.node() as usize] += 1;
            uses[input.node() as usize] = Some(input);
        }
    }
    let values = circuit.loops.iter().flat_map(|block| &block.members).map(|member| member.value);
    for signal in values.chain(circuit.outputs()) {
        count[signal.node() as usize] += 1;
    }
    for node in 0..network.len() {
        if count[node] != 1 || network.gate(node as u32) != Gate::And {
            uses[node] = None;
        }
    }
    uses
}

/// The circuit with every AND that is read once, by an AND and as it is, made part of its reader.
pub(super) fn flatten(circuit: &Circuit, budget: &WorkBudget<'_>) -> Circuit {
    let uses = sole_uses(circuit);
    let is_part = |node: u32| uses[node as usize] == Some(Signal::of(node));
    let mut parts: Vec<Vec<Signal>> = vec![Vec::new(); circuit.network.len()];
    rebuild(circuit, budget, |network, places, node| {
        if circuit.network.gate(node) != Gate::And {
            return None;
        }
        let mut inputs = Vec::new();
        for &input in circuit.network.inputs(node) {
            match is_part(input.node()) {
                true => inputs.append(&mut parts[input.node() as usize]),
                false => inputs.push(places.of(input)),
            }
        }
        if is_part(node) {
            parts[node as usize] = inputs;
            return Some(Signal::FALSE); // Nobody asks where it is.
        }
        Some(network.and(inputs))
    })
}
