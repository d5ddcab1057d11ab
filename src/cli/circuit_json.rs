//! A circuit's network as JSON, gate by gate.

use ludens::pipeline::{GroupFigures, group_figures};
use propnet::circuit::{Circuit, FluentKind, FluentPort, Gate, Loop, LoopMember, Signal};
use serde::Serialize;

/// A network, for scripts. A signal is `n12`, `!n12`, `false` or `true`.
#[derive(Serialize)]
pub(crate) struct NetworkItems {
    fluents: Vec<FluentItem>,
    moves: Vec<CircuitMoveItem>,
    goals: Vec<GoalItem>,
    terminal: String,
    gates: Vec<GateItem>,
    loops: Vec<LoopItem>,
    groups: Vec<GroupFigures>,
}

#[derive(Serialize)]
struct FluentItem {
    fluent: String,
    kind: &'static str,
    initially: bool,
    now: String,
    next: Option<String>,
}

#[derive(Serialize)]
struct CircuitMoveItem {
    role: String,
    #[serde(rename = "move")]
    text: String,
    legal: String,
    does: String,
}

#[derive(Serialize)]
struct GoalItem {
    role: String,
    value: String,
    holds: String,
}

#[derive(Serialize)]
struct GateItem {
    gate: String,
    inputs: Vec<String>,
}

#[derive(Serialize)]
struct LoopItem {
    sweeps: usize,
    members: Vec<LoopMemberItem>,
}

#[derive(Serialize)]
struct LoopMemberItem {
    feedback: String,
    value: String,
}

fn signal(signal: Signal) -> String {
    let sign = if signal.is_complement() { "!" } else { "" };
    match signal {
        Signal::FALSE => "false".to_string(),
        Signal::TRUE => "true".to_string(),
        signal => format!("{sign}n{}", signal.node()),
    }
}

impl NetworkItems {
    pub(crate) fn of(circuit: &Circuit) -> Self {
        let network = &circuit.network;
        let gates = (0..network.len() as u32).filter(|&node| network.gate(node) == Gate::And);
        let gate = |node: u32| GateItem {
            gate: signal(Signal::of(node)),
            inputs: network.inputs(node).iter().copied().map(signal).collect(),
        };
        let member = |member: &LoopMember| LoopMemberItem {
            feedback: signal(member.feedback),
            value: signal(member.value),
        };
        let block = |block: &Loop| LoopItem {
            sweeps: block.sweeps,
            members: block.members.iter().map(member).collect(),
        };
        NetworkItems {
            fluents: fluents(circuit),
            moves: moves(circuit),
            goals: goals(circuit),
            terminal: signal(circuit.terminal),
            gates: gates.map(gate).collect(),
            loops: circuit.loops.iter().map(block).collect(),
            groups: group_figures(circuit),
        }
    }
}

fn fluents(circuit: &Circuit) -> Vec<FluentItem> {
    let item = |(at, port): (usize, &FluentPort)| FluentItem {
        fluent: circuit.names.fluent_text(at),
        kind: match port.kind {
            FluentKind::Carried => "carried",
            FluentKind::Follows => "follows",
            FluentKind::Observed => "observed",
        },
        initially: port.initially,
        now: signal(port.now),
        next: (port.kind != FluentKind::Follows).then(|| signal(port.next)),
    };
    circuit.fluents.iter().enumerate().map(item).collect()
}

fn moves(circuit: &Circuit) -> Vec<CircuitMoveItem> {
    let mut items = Vec::new();
    for (role, ports) in circuit.moves.iter().enumerate() {
        for (at, port) in ports.iter().enumerate() {
            items.push(CircuitMoveItem {
                role: circuit.names.roles()[role].clone(),
                text: circuit.names.text_of_move(role, at),
                legal: signal(port.legal),
                does: signal(port.does),
            });
        }
    }
    items
}

fn goals(circuit: &Circuit) -> Vec<GoalItem> {
    let names = &circuit.names;
    let roles = circuit.goals.iter().zip(names.roles());
    let items = roles.flat_map(|(ports, role)| {
        ports.iter().map(|port| GoalItem {
            role: role.clone(),
            value: names.text(port.value),
            holds: signal(port.holds),
        })
    });
    items.collect()
}
