//! Circuits of sheets, and what a diagram computes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use petgraph::Direction::Incoming;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;
use petgraph::visit::{EdgeFiltered, EdgeRef};
use propnet::circuit::diagram::{Diagram, Kind, WireKind};
use propnet::circuit::{Circuit, LoopChoice, WorkBudget, build_with};
use propnet::gdl::Source;
use propnet::ground::{GroundRules, Limits, NoWatch, Options, ground};
use propnet::reference::load;

/// The circuit of a sheet, before any pass.
pub(crate) fn circuit_of(text: &str) -> Circuit {
    circuit_with(text, LoopChoice::Cheapest)
}

/// The circuit of a sheet with its loops resolved in one way.
pub(crate) fn circuit_with(text: &str, choice: LoopChoice) -> Circuit {
    build_with(&ground_rules(text), choice, &WorkBudget::default()).expect("a circuit")
}

/// The ground rules of a sheet.
pub(crate) fn ground_rules(text: &str) -> GroundRules {
    let rules = load(Source::from_text("sheet", text)).unwrap_or_else(|error| panic!("{error}"));
    let ground = ground(&rules, &Options::default(), Limits::default(), &mut NoWatch);
    ground.expect("ground rules").rules
}

/// The sheets of the project.
pub(crate) fn games() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let entries = std::fs::read_dir(folder).expect("the folder of games");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|kind| kind == "kif")).collect();
    paths.sort();
    paths
}

/// The circuit of a game of the project.
pub(crate) fn game(name: &str) -> Circuit {
    circuit_of(&sheet_of(name))
}

/// The sheet of a game of the project.
pub(crate) fn sheet_of(name: &str) -> String {
    let path = games().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
    std::fs::read_to_string(path.expect("the game")).expect("a sheet")
}

/// A sheet in which `reach` is a loop.
pub(crate) const ROUTES: &str = "
    (role a) (init (at 1))
    (node 1) (node 2) (node 3) (node 4) (node 5)
    (arc 1 2) (arc 2 3) (arc 3 1) (arc 3 4) (arc 4 5) (arc 5 2)
    (<= (legal a (toggle ?x ?y)) (arc ?x ?y))
    (<= (legal a (go ?x)) (node ?x))
    (<= (next (open ?x ?y)) (does a (toggle ?x ?y)) (not (true (open ?x ?y))))
    (<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does a (toggle ?x ?y))))
    (<= (next (at ?x)) (does a (go ?x)))
    (<= (next (at ?x)) (true (at ?x)) (does a (toggle ?y ?z)))
    (<= (reach ?x) (true (at ?x)))
    (<= (reach ?y) (reach ?x) (true (open ?x ?y)))
    (<= terminal (reach 5) (not (reach 1)))
    (<= (goal a 100) (reach 5))
    (<= (goal a 0) (not (reach 5)))";

/// The elements that depend on each other within one step, what they depend on first.
pub(crate) fn components(diagram: &Diagram) -> Vec<Vec<NodeIndex>> {
    let within_step =
        EdgeFiltered::from_fn(&diagram.graph, |wire| wire.weight().kind != WireKind::Transition);
    // The algorithm gives readers first.
    kosaraju_scc(&within_step).into_iter().rev().collect()
}

/// What every port says, by its label, if the inputs are as given. Knows nothing of circuits: gates
/// are computed as they are drawn, and cycles from all-false until nothing changes.
pub(crate) fn computed(diagram: &Diagram, input: impl Fn(&str) -> bool) -> BTreeMap<String, bool> {
    let graph = &diagram.graph;
    let mut values = vec![false; graph.node_count()];
    for mut component in components(diagram) {
        component.sort();
        for sweep in 0..=component.len() {
            for &node in &component {
                let element = &graph[node];
                let wires = graph.edges_directed(node, Incoming);
                let wires = wires.filter(|wire| wire.weight().kind != WireKind::Transition);
                let mut signals =
                    wires.map(|wire| values[wire.source().index()] ^ wire.weight().complement);
                values[node.index()] = match element.kind {
                    Kind::Constant(truth) => truth,
                    Kind::Base { .. } | Kind::Does => input(&element.name),
                    Kind::And => signals.all(|signal| signal),
                    Kind::Not => !signals.next().expect("an inverter reads something"),
                    Kind::Or => signals.any(|signal| signal),
                    Kind::Init | Kind::Transition => false,
                    // Nothing has been found yet.
                    Kind::Feedback if sweep == 0 => false,
                    Kind::Feedback | Kind::Follows => signals.next().expect("one wire"),
                    Kind::Next | Kind::Legal | Kind::Goal | Kind::Terminal => {
                        signals.next().expect("a port reads something")
                    }
                };
            }
        }
    }
    let ports = graph.node_indices().filter(|&node| graph[node].kind.is_port());
    ports.map(|node| (graph[node].label(), values[node.index()])).collect()
}
