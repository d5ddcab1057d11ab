//! DOT of small sheets, as text that was read and accepted: `NAME.kif`, `NAME.classic.dot` and
//! `NAME.network.dot`.
//!
//! `UPDATE_GOLDEN=1` rewrites the texts; read them before you commit them.

use std::path::Path;

use petgraph::graph::NodeIndex;
use propnet::circuit::diagram::{
    Diagram, Element, Kind, Purpose, Wire, WireKind, classic, dot, highlight, network,
};
use propnet::circuit::{Circuit, Signal};

use super::support::circuit_of;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagram");

#[test]
fn dot_reads_as_expected() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut differing = Vec::new();
    for name in ["lamp", "race"] {
        let sheet = Path::new(FOLDER).join(format!("{name}.kif"));
        let circuit = circuit_of(&std::fs::read_to_string(sheet).expect("a sheet"));
        for (view, diagram) in [("classic", classic(&circuit)), ("network", network(&circuit))] {
            let golden = Path::new(FOLDER).join(format!("{name}.{view}.dot"));
            let text = dot(&diagram, name);
            if update {
                std::fs::write(&golden, &text).expect("the golden file can be written");
            } else if std::fs::read_to_string(&golden).ok().as_deref() != Some(&text) {
                differing.push(format!("{}:\n{text}", golden.display()));
            }
        }
    }
    assert!(differing.is_empty(), "set UPDATE_GOLDEN=1 to accept\n{}", differing.join("\n"));
}

fn lamp() -> Circuit {
    let sheet = Path::new(FOLDER).join("lamp.kif");
    circuit_of(&std::fs::read_to_string(sheet).expect("a sheet"))
}

#[test]
fn what_is_true_is_coloured() {
    let circuit = lamp();
    let mut diagram = network(&circuit);
    let state = circuit.names.state_of(&["lit".to_string()]).expect("a state");
    highlight(&mut diagram, &circuit, &state).expect("its own state");
    let text = dot(&diagram, "lamp");
    let line = |label: &str| {
        let label = format!("label=\"{label}\"");
        text.lines().find(|line| line.contains(&label)).expect("an element").to_string()
    };
    assert!(line("lit").contains("color=\"#d9480f\" penwidth=2"), "{}", line("lit"));
    assert!(!line("(next lit)").contains(" color="), "{}", line("(next lit)"));
}

/// A diagram of one element with this name, and a wire of its own.
fn with_name(name: &str) -> Diagram {
    let mut diagram = Diagram::default();
    let element = Element::new(Kind::Does, name, Purpose::Moves, Signal::TRUE);
    let node: NodeIndex = diagram.graph.add_node(element);
    diagram.graph.add_edge(node, node, Wire { complement: true, kind: WireKind::Signal });
    diagram
}

#[test]
fn names_cannot_break_the_text() {
    let text = dot(&with_name("(say \"a\\b\" ]; -> \u{e9})"), "a \"title\"");
    assert!(text.starts_with("digraph \"a \\\"title\\\"\" {\n"), "{text}");
    assert!(text.contains(r#"label="(say \"a\\b\" ]; -> é)""#), "{text}");
    assert!(text.contains("0 -> 0 [ arrowhead=odot]"), "{text}");
}
