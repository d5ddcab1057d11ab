//! Circuit -> the network as it is: AND gates, and wires that may be complemented.

use petgraph::graph::NodeIndex;

use super::diagram::{Diagram, Element, Kind, Wire, WireKind};
use super::ports::Sketch;
use crate::circuit::circuit::Circuit;
use crate::circuit::network::{Gate, Signal};

/// The network of a circuit. Gates that no port depends on are left out.
pub fn network(circuit: &Circuit) -> Diagram {
    let mut view = NetworkView(Sketch::new(circuit));
    view.gates();
    view.loops();
    view.answers();
    view.0.write_labels(|signal| signal);
    view.0.diagram
}

struct NetworkView<'a>(Sketch<'a>);

impl NetworkView<'_> {
    fn gates(&mut self) {
        let network = &self.0.circuit.network;
        for node in 0..network.len() as u32 {
            let kind = match network.gate(node) {
                Gate::And => Kind::And,
                Gate::Feedback(..) => Kind::Feedback,
                Gate::False | Gate::Fluent(_) | Gate::Move(..) => continue,
            };
            let Some(purpose) = self.0.purpose(node) else { continue };
            self.0.show(node, Element::new(kind, "", purpose, Signal::of(node)));
            let shown = self.0.shown[node as usize].expect("it was just added");
            for &input in network.inputs(node) {
                self.wire(input, shown, WireKind::Signal);
            }
        }
    }

    fn loops(&mut self) {
        let circuit = self.0.circuit;
        for member in circuit.loops.iter().flat_map(|block| &block.members) {
            if let Some(feedback) = self.0.shown[member.feedback.node() as usize] {
                self.wire(member.value, feedback, WireKind::Feedback);
            }
        }
    }

    fn answers(&mut self) {
        let mut next = Vec::new();
        for element in self.0.answers() {
            let (kind, signal) = (element.kind, element.signal);
            let port = self.0.diagram.graph.add_node(element);
            if let Some(signal) = signal {
                self.wire(signal, port, WireKind::Signal);
            }
            if kind == Kind::Next {
                next.push(port);
            }
        }
        let inputs: Vec<_> = self.0.inputs_of_next().collect();
        for (next, input) in next.into_iter().zip(inputs) {
            if let Some(input) = input {
                let step = Wire::plain(WireKind::Transition);
                self.0.diagram.graph.add_edge(next, input, step);
            }
        }
    }

    fn wire(&mut self, signal: Signal, to: NodeIndex, kind: WireKind) {
        let (from, complement) = match self.0.shown[signal.node() as usize] {
            Some(from) => (from, signal.is_complement()),
            None => (self.0.constant(signal.is_complement()), false),
        };
        self.0.diagram.graph.add_edge(from, to, Wire { complement, kind });
    }
}
