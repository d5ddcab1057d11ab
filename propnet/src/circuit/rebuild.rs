//! Circuit -> Circuit: what every pass does with the parts that it does not change.
//!
//! Ports keep their order and names, gates that serve no port are left out, and all gates are made
//! anew, so that what one change makes equal or constant is found at once.

use super::budget::WorkBudget;
use super::circuit::{Circuit, FluentKind, Loop, LoopMember};
use super::labels;
use super::network::{Gate, Network, Signal};

/// Where the nodes of the old circuit are in the new one.
pub(super) struct NodePlaces(Vec<Signal>);

impl NodePlaces {
    /// The signal in the new circuit. It must be one that the asking node depends on, or an input
    /// that comes before it.
    pub(super) fn of(&self, old: Signal) -> Signal {
        self.0[old.node() as usize].complement_if(old.is_complement())
    }

    /// The signals in the new circuit.
    pub(super) fn all(&self, old: &[Signal]) -> Vec<Signal> {
        old.iter().map(|&signal| self.of(signal)).collect()
    }
}

/// Making a node, in units of the budget, and reading an input.
const NODE: u64 = 100;
const INPUT: u64 = 20;

/// The circuit with some nodes changed. `change` is asked about each live node, inputs before what
/// reads them; where it has no answer the node is made as it was. Where the work is stopped, the
/// old circuit.
pub(super) fn rebuild(
    old: &Circuit,
    budget: &WorkBudget<'_>,
    mut change: impl FnMut(&mut Network, &NodePlaces, u32) -> Option<Signal>,
) -> Circuit {
    let live = live_nodes(old);
    let mut network = Network::with_room_for(&old.network);
    let mut places = NodePlaces(vec![Signal::FALSE; old.network.len()]);
    let loop_numbers = numbers_of_live_loops(old, &live);
    // Nodes that are what they were, but for their numbers, which have the same order: a gate that
    // reads only such is folded already.
    let mut is_same = vec![false; old.network.len()];
    for node in 1..old.network.len() as u32 {
        let gate = old.network.gate(node);
        let is_port = matches!(gate, Gate::Fluent(_) | Gate::Move(..));
        if !live[node as usize] && !is_port {
            continue;
        }
        let inputs = old.network.inputs(node);
        if !budget.goes_on(NODE + INPUT * inputs.len() as u64) {
            return old.clone();
        }
        let made = match (change(&mut network, &places, node), gate) {
            (Some(changed), _) => (changed, false),
            (None, Gate::And) if inputs.iter().all(|input| is_same[input.node() as usize]) => {
                network.and_folded(&places.all(inputs))
            }
            (None, Gate::And) => (network.and(places.all(inputs)), false),
            (None, Gate::Feedback(number, member)) => {
                let number = loop_numbers[number as usize].expect("a live loop has a number");
                (network.add_source(Gate::Feedback(number, member)), true)
            }
            (None, Gate::False | Gate::Fluent(_) | Gate::Move(..)) => {
                (network.add_source(gate), true)
            }
        };
        (places.0[node as usize], is_same[node as usize]) = made;
    }
    moved(old, network, &places, &loop_numbers)
}

/// The old circuit's ports on the new network.
fn moved(
    old: &Circuit,
    network: Network,
    places: &NodePlaces,
    loop_numbers: &[Option<u32>],
) -> Circuit {
    let mut circuit = Circuit { network, ..without_network(old) };
    for port in &mut circuit.fluents {
        port.now = places.of(port.now);
        if port.kind != FluentKind::Follows {
            port.next = places.of(port.next);
        }
    }
    for port in circuit.moves.iter_mut().flatten() {
        (port.legal, port.does) = (places.of(port.legal), places.of(port.does));
    }
    for port in circuit.goals.iter_mut().flatten() {
        port.holds = places.of(port.holds);
    }
    circuit.terminal = places.of(circuit.terminal);
    let loops = old.loops.iter().zip(loop_numbers).filter(|(_, number)| number.is_some());
    let loops = loops.map(|(block, _)| {
        let member = |member: &LoopMember| LoopMember {
            feedback: places.of(member.feedback),
            value: places.of(member.value),
        };
        Loop { members: block.members.iter().map(member).collect(), sweeps: block.sweeps }
    });
    circuit.loops = loops.collect();
    circuit.labels = labels::moved(&old.labels, |signal| places.of(signal));
    circuit
}

/// A copy of all but the gates.
fn without_network(old: &Circuit) -> Circuit {
    Circuit {
        network: Network::default(),
        names: old.names.clone(),
        fluents: old.fluents.clone(),
        moves: old.moves.clone(),
        goals: old.goals.clone(),
        terminal: old.terminal,
        loops: Vec::new(),
        resolved: old.resolved.clone(),
        groups: old.groups.clone(),
        degrees: old.degrees.clone(),
        labels: Vec::new(),
    }
}

/// Which nodes a port depends on.
pub(super) fn live_nodes(circuit: &Circuit) -> Vec<bool> {
    cone(&circuit.network, &circuit.loops, circuit.outputs())
}

/// By node, whether one of the signals depends on it.
pub(crate) fn cone(
    network: &Network,
    loops: &[Loop],
    signals: impl Iterator<Item = Signal>,
) -> Vec<bool> {
    let mut marks = vec![false; network.len()];
    let mut todo: Vec<u32> = Vec::new();
    let mut reach = |signal: Signal, todo: &mut Vec<u32>| {
        if !std::mem::replace(&mut marks[signal.node() as usize], true) {
            todo.push(signal.node());
        }
    };
    for signal in signals {
        reach(signal, &mut todo);
    }
    while let Some(node) = todo.pop() {
        for &input in network.inputs(node) {
            reach(input, &mut todo);
        }
        // A reader of one member of a loop needs the whole of it.
        if let Gate::Feedback(number, _) = network.gate(node) {
            for member in &loops[number as usize].members {
                reach(member.feedback, &mut todo);
                reach(member.value, &mut todo);
            }
        }
    }
    marks
}

fn numbers_of_live_loops(circuit: &Circuit, live: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |block: &Loop| {
        let is_live = block.members.iter().any(|member| live[member.feedback.node() as usize]);
        is_live.then(|| {
            next += 1;
            next - 1
        })
    };
    circuit.loops.iter().map(number).collect()
}
