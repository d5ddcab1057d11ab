//! Both views compute, as they are drawn, what the circuit computes.

use std::collections::BTreeMap;

use petgraph::algo::toposort;
use petgraph::visit::EdgeFiltered;
use propnet::circuit::diagram::{Diagram, Element, Kind, WireKind, classic, network};
use propnet::circuit::{Circuit, FluentKind, LoopChoice, Schedule, Values};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::support::{ROUTES, circuit_with, components, computed, game, games};

/// Situations that are compared for each circuit.
const SITUATIONS: usize = 8;

#[test]
fn views_say_what_the_circuit_says() {
    let mut rng = Pcg64::seed_from_u64(4);
    for path in games() {
        let text = std::fs::read_to_string(&path).expect("a sheet");
        compare(&circuit_with(&text, LoopChoice::Cheapest), &mut rng);
    }
    for choice in [LoopChoice::Eliminate, LoopChoice::Unroll, LoopChoice::Repeat] {
        compare(&circuit_with(ROUTES, choice), &mut rng);
    }
}

#[test]
fn views_of_random_loops_say_what_the_circuit_says() {
    let mut rng = Pcg64::seed_from_u64(5);
    for _ in 0..30 {
        compare(&circuit_with(&random_loops(&mut rng), LoopChoice::Repeat), &mut rng);
    }
}

/// A sheet with sentences `p0` to `p5` that depend on each other and on four fluents.
fn random_loops(rng: &mut Pcg64) -> String {
    let mut text = String::from("(role r) (<= terminal (true f0) p0) (goal r 0)\n");
    for fluent in 0..4 {
        text += &format!(
            "(legal r (flip {fluent}))
             (<= (next f{fluent}) (does r (flip {fluent})) (not (true f{fluent})))
             (<= (next f{fluent}) (true f{fluent}) (not (does r (flip {fluent}))))\n"
        );
    }
    for helper in 0..6 {
        text += &format!("(<= (legal r (show {helper})) p{helper})\n");
        text += &format!("(<= (legal r (hide {helper})) (not p{helper}))\n");
        for _ in 0..rng.random_range(1..4) {
            let (one, two) = (rng.random_range(0..6), rng.random_range(0..6));
            let (fluent, other) = (rng.random_range(0..4), rng.random_range(0..4));
            text += &match rng.random_range(0..3) {
                0 => format!("(<= p{helper} p{one} (true f{fluent}))\n"),
                1 => format!("(<= p{helper} p{one} p{two} (not (true f{fluent})))\n"),
                _ => format!("(<= p{helper} (true f{fluent}) (not (true f{other})))\n"),
            };
        }
    }
    text
}

/// Compares both views with the plain evaluation of the circuit, on random inputs.
fn compare(circuit: &Circuit, rng: &mut Pcg64) {
    let views = [network(circuit), classic(circuit)];
    let schedule = Schedule::new(circuit, |_| true);
    for _ in 0..SITUATIONS {
        let mut values = Values::new(circuit);
        let inputs = inputs(circuit, rng);
        for (signal, truth) in inputs.values() {
            values.set(*signal, if *truth { !0 } else { 0 });
        }
        values.compute(circuit, &schedule);
        let holds = |signal| values.of(signal) & 1 == 1;
        let expected = answers(circuit, holds);
        for (which, view) in ["network", "classic"].into_iter().zip(&views) {
            let found = computed(view, |name| inputs[name].1);
            for (name, truth) in &expected {
                assert_eq!(found.get(name), Some(truth), "{which}: {name}");
            }
            assert!(
                found.keys().all(|name| expected.contains_key(name) || inputs.contains_key(name))
            );
        }
    }
}

/// By name: every input that the network has, with a random truth.
fn inputs(
    circuit: &Circuit,
    rng: &mut Pcg64,
) -> BTreeMap<String, (propnet::circuit::Signal, bool)> {
    let mut inputs = BTreeMap::new();
    for (at, port) in circuit.fluents.iter().enumerate() {
        if port.kind != FluentKind::Follows {
            inputs.insert(circuit.names.fluent_text(at), (port.now, rng.random()));
        }
    }
    for (role, moves) in circuit.moves.iter().enumerate() {
        for (at, port) in moves.iter().enumerate() {
            inputs.insert(sentence(circuit, "does", role, at), (port.does, rng.random()));
        }
    }
    inputs
}

/// By name: every sentence that the circuit answers for.
fn answers(
    circuit: &Circuit,
    holds: impl Fn(propnet::circuit::Signal) -> bool,
) -> BTreeMap<String, bool> {
    let mut answers = BTreeMap::from([("terminal".to_string(), holds(circuit.terminal))]);
    for (role, moves) in circuit.moves.iter().enumerate() {
        for (at, port) in moves.iter().enumerate() {
            answers.insert(sentence(circuit, "legal", role, at), holds(port.legal));
        }
    }
    for (role, goals) in circuit.goals.iter().enumerate() {
        for port in goals {
            let (role, value) = (&circuit.names.roles()[role], circuit.names.text(port.value));
            answers.insert(format!("(goal {role} {value})"), holds(port.holds));
        }
    }
    for (at, port) in circuit.fluents.iter().enumerate() {
        let name = circuit.names.fluent_text(at);
        match port.kind {
            FluentKind::Follows => answers.insert(name, holds(port.now)),
            _ => answers.insert(format!("(next {name})"), holds(port.next)),
        };
    }
    answers
}

fn sentence(circuit: &Circuit, word: &str, role: usize, at: usize) -> String {
    let (role, text) = (&circuit.names.roles()[role], circuit.names.text_of_move(role, at));
    format!("({word} {role} {text})")
}

#[test]
fn a_step_leads_from_next_through_a_transition_to_base() {
    let diagram = classic(&game("tic_tac_toe"));
    let graph = &diagram.graph;
    let element = |node| -> &Element { &graph[node] };
    let transitions: Vec<_> =
        graph.node_indices().filter(|&node| element(node).kind == Kind::Transition).collect();
    assert_eq!(transitions.len(), 20);
    for transition in transitions {
        let before: Vec<_> = graph
            .neighbors_directed(transition, petgraph::Incoming)
            .filter(|&node| element(node).kind != Kind::Init)
            .collect();
        let behind: Vec<_> = graph.neighbors(transition).collect();
        assert_eq!((before.len(), behind.len()), (1, 1));
        assert_eq!(element(before[0]).kind, Kind::Next);
        assert!(matches!(element(behind[0]).kind, Kind::Base { .. }));
        assert_eq!(element(before[0]).name, element(behind[0]).name);
    }
    let init = graph.node_indices().find(|&node| element(node).kind == Kind::Init);
    let first: Vec<&str> =
        graph.neighbors(init.expect("init")).map(|node| element(node).name.as_str()).collect();
    assert_eq!(first, ["(control x)"]);
}

#[test]
fn the_classic_view_has_gates_of_its_own_and_no_complements() {
    let diagram = classic(&game("tic_tac_toe"));
    assert!(diagram.graph.edge_weights().all(|wire| !wire.complement));
    let count = |kind| diagram.graph.node_weights().filter(|element| element.kind == kind).count();
    // A line for each player, and as many inverters as people would draw: a cell that is not
    // taken, a player not in control, a game not decided.
    assert_eq!(count(Kind::Not), 9 + 2 + 1);
    assert!(count(Kind::Or) > 20 && count(Kind::And) > 16);
}

/// The wires within one step have an order exactly where no loop is repeated.
#[test]
fn graph_algorithms_run_on_the_classic_view() {
    let is_acyclic = |diagram: &Diagram| {
        let wires = EdgeFiltered::from_fn(&diagram.graph, |wire| {
            wire.weight().kind != WireKind::Transition
        });
        toposort(&wires, None).is_ok()
    };
    assert!(is_acyclic(&classic(&game("tic_tac_toe"))));
    assert!(is_acyclic(&classic(&circuit_with(ROUTES, LoopChoice::Unroll))));
    let repeated = classic(&circuit_with(ROUTES, LoopChoice::Repeat));
    assert!(!is_acyclic(&repeated));
    let cycles: Vec<_> =
        components(&repeated).into_iter().filter(|component| component.len() > 1).collect();
    assert_eq!(cycles.len(), 1, "one loop is one component");
    let kinds = cycles[0].iter().map(|&node| repeated.graph[node].kind);
    assert!(kinds.clone().all(|kind| kind.is_gate()), "{:?}", kinds.collect::<Vec<_>>());
}
