//! Diagram -> DOT, the language of Graphviz.

use std::fmt::{self, Formatter};

use petgraph::dot::{Config, Dot};
use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;

use super::diagram::{Diagram, Element, Kind, Purpose, Wire, WireKind};
use super::palette;

/// The diagram as text that Graphviz draws: shapes show the kind of a gate, colours and boxes what
/// it is needed for, a small circle at the end of a wire a complement, a dashed wire the way to the
/// next step of the game.
pub fn dot(diagram: &Diagram, title: &str) -> String {
    DotText { diagram, title }.to_string()
}

struct DotText<'a> {
    diagram: &'a Diagram,
    title: &'a str,
}

impl fmt::Display for DotText<'_> {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        writeln!(text, "digraph {} {{", quoted(self.title))?;
        writeln!(text, "    graph [rankdir=LR ranksep=0.6 nodesep=0.15 fontname=Helvetica]")?;
        writeln!(text, "    node [style=filled fontname=Courier fontsize=11 height=0.3]")?;
        writeln!(text, "    edge [color={} arrowsize=0.6]", quoted(palette::WIRE))?;
        let wires = |_, wire: EdgeReference<'_, Wire>| self.wire_attributes(wire);
        let elements = |_, (_, element): (NodeIndex, &Element)| element_attributes(element);
        let config = [Config::GraphContentOnly, Config::EdgeNoLabel, Config::NodeNoLabel];
        let graph = &self.diagram.graph;
        write!(text, "{:?}", Dot::with_attr_getters(graph, &config, &wires, &elements))?;
        for purpose in Purpose::all() {
            self.cluster(text, purpose)?;
        }
        writeln!(text, "}}")
    }
}

impl DotText<'_> {
    fn cluster(&self, text: &mut Formatter<'_>, purpose: Purpose) -> fmt::Result {
        let graph = &self.diagram.graph;
        let members: Vec<String> = graph
            .node_indices()
            .filter(|&node| graph[node].purpose == purpose)
            .map(|node| node.index().to_string())
            .collect();
        if members.is_empty() {
            return Ok(());
        }
        let name = purpose.word();
        writeln!(text, "    subgraph cluster_{name} {{")?;
        writeln!(text, "        label={name} style=rounded color={}", quoted(palette::FALSE))?;
        writeln!(text, "        {}", members.join(" "))?;
        writeln!(text, "    }}")
    }

    fn wire_attributes(&self, wire: EdgeReference<'_, Wire>) -> String {
        let Wire { complement, kind } = *wire.weight();
        let mut attributes = Vec::new();
        if complement {
            attributes.push("arrowhead=odot".to_string());
        }
        // Wires that close cycles must not decide where things stand.
        match kind {
            WireKind::Signal => {}
            WireKind::Feedback => attributes.push("style=dotted constraint=false".into()),
            WireKind::Transition => {
                let colour = quoted(palette::STEP);
                attributes.push(format!("style=dashed constraint=false color={colour}"));
            }
        }
        match self.diagram.graph[wire.source()].lit {
            Some(true) => {
                attributes.push(format!("color={} penwidth=2", quoted(palette::TRUE)));
            }
            Some(false) => attributes.push(format!("color={}", quoted(palette::FALSE))),
            None => {}
        }
        attributes.join(" ")
    }
}

fn element_attributes(element: &Element) -> String {
    let mut label = element.label();
    for note in element.notes() {
        label.push('\n');
        label.push_str(&note);
    }
    if element.hidden > 0 {
        label.push_str(&format!("\n+{}", element.hidden));
    }
    let mut attributes = format!(
        "class={} label={} shape={} fillcolor={}",
        element.kind.word(),
        quoted(&label),
        shape(element.kind),
        quoted(palette::fill(element.purpose)),
    );
    if element.kind == (Kind::Base { initially: true }) {
        attributes.push_str(" peripheries=2");
    }
    match element.lit {
        Some(true) => {
            attributes.push_str(&format!(" color={} penwidth=2", quoted(palette::TRUE)));
        }
        Some(false) => attributes.push_str(&format!(" color={}", quoted(palette::FALSE))),
        None => {}
    }
    attributes
}

fn shape(kind: Kind) -> &'static str {
    match kind {
        // Turned, because signals go from left to right.
        Kind::And => "house orientation=270",
        Kind::Or => "ellipse",
        Kind::Not => "triangle orientation=270",
        Kind::Transition => "box3d",
        Kind::Constant(_) | Kind::Init | Kind::Feedback => "plaintext",
        Kind::Base { .. } | Kind::Follows => "box",
        Kind::Does => "cds",
        Kind::Next | Kind::Legal | Kind::Goal | Kind::Terminal => "note",
    }
}

/// A quoted string; what would end it or mean something in a label is escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
