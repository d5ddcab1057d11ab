//! The elements that both views share: ports with their names, and how they are connected.

use petgraph::graph::NodeIndex;

use super::diagram::{Diagram, Element, Kind, Purpose};
use crate::circuit::circuit::{Circuit, FluentKind};
use crate::circuit::cones::{Cone, Cones};
use crate::circuit::labels::{Label, Mark};
use crate::circuit::network::{Gate, Signal};

/// A diagram in the making.
pub(super) struct Sketch<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) diagram: Diagram,
    /// By node of the network: the element that shows it.
    pub(super) shown: Vec<Option<NodeIndex>>,
    cones: Cones,
    /// The elements for never and always.
    constants: [Option<NodeIndex>; 2],
}

impl<'a> Sketch<'a> {
    /// The inputs of a circuit.
    pub(super) fn new(circuit: &'a Circuit) -> Self {
        let mut sketch = Sketch {
            circuit,
            diagram: Diagram::default(),
            shown: vec![None; circuit.network.len()],
            cones: Cones::new(circuit),
            constants: [None; 2],
        };
        for node in 0..circuit.network.len() as u32 {
            let names = &circuit.names;
            let element = match circuit.network.gate(node) {
                Gate::Fluent(fluent) => {
                    let initially = circuit.fluents[fluent as usize].initially;
                    let name = names.fluent_text(fluent as usize);
                    (Kind::Base { initially }, name, Purpose::State)
                }
                Gate::Move(role, at) => {
                    let name = sketch.move_sentence("does", role as usize, at as usize);
                    (Kind::Does, name, Purpose::Moves)
                }
                Gate::False | Gate::Feedback(..) | Gate::And => continue,
            };
            let (kind, name, purpose) = element;
            sketch.show(node, Element::new(kind, name, purpose, Signal::of(node)));
        }
        sketch
    }

    /// Adds the element that shows a node of the network.
    pub(super) fn show(&mut self, node: u32, element: Element) {
        self.shown[node as usize] = Some(self.diagram.graph.add_node(element));
    }

    /// Writes the labels of the circuit on its gates; `found` is what the view shows instead of a
    /// signal.
    pub(super) fn write_labels(&mut self, found: impl Fn(Signal) -> Signal) {
        for Label { signal, mark } in &self.circuit.labels {
            let signal = found(*signal);
            let Some(shown) = self.shown[signal.node() as usize] else { continue };
            let element = &mut self.diagram.graph[shown];
            if element.kind.is_port() {
                continue;
            }
            match mark {
                Mark::Sentence(text) if element.signal == Some(signal) => {
                    add(&mut element.sentences, text.clone());
                }
                Mark::Sentence(text) => add(&mut element.sentences, format!("(not {text})")),
                Mark::Line(line) => add(&mut element.lines, *line),
            }
        }
        for element in self.diagram.graph.node_weights_mut() {
            element.lines.sort_unstable();
        }
    }

    /// What a node is needed for; nothing for a node that no port reads.
    pub(super) fn purpose(&self, node: u32) -> Option<Purpose> {
        let mut cones = Cone::ALL.into_iter().filter(|&cone| self.cones.has(node, cone));
        let first = cones.next()?;
        Some(if cones.next().is_some() { Purpose::Shared } else { Purpose::Cone(first) })
    }

    /// The element for a constant.
    pub(super) fn constant(&mut self, truth: bool) -> NodeIndex {
        let graph = &mut self.diagram.graph;
        let signal = Signal::FALSE.complement_if(truth);
        *self.constants[usize::from(truth)].get_or_insert_with(|| {
            graph.add_node(Element::new(Kind::Constant(truth), "", Purpose::Shared, signal))
        })
    }

    /// Every sentence that the circuit answers for, and the signal that does.
    pub(super) fn answers(&self) -> Vec<Element> {
        let circuit = self.circuit;
        let mut answers = Vec::new();
        for (role, moves) in circuit.moves.iter().enumerate() {
            for (at, port) in moves.iter().enumerate() {
                let name = self.move_sentence("legal", role, at);
                let purpose = Purpose::Cone(Cone::Legal);
                answers.push(Element::new(Kind::Legal, name, purpose, port.legal));
            }
        }
        for (role, goals) in circuit.goals.iter().enumerate() {
            for port in goals {
                let (role, value) = (&circuit.names.roles()[role], circuit.names.text(port.value));
                let (name, purpose) = (format!("(goal {role} {value})"), Purpose::Cone(Cone::Goal));
                answers.push(Element::new(Kind::Goal, name, purpose, port.holds));
            }
        }
        let purpose = Purpose::Cone(Cone::Terminal);
        answers.push(Element::new(Kind::Terminal, "terminal", purpose, circuit.terminal));
        for (fluent, port) in circuit.fluents.iter().enumerate() {
            let (kind, purpose, signal) = match port.kind {
                FluentKind::Follows => (Kind::Follows, Purpose::State, port.now),
                FluentKind::Carried => (Kind::Next, Purpose::Cone(Cone::Next), port.next),
                FluentKind::Observed => (Kind::Next, Purpose::Cone(Cone::Observed), port.next),
            };
            answers.push(Element::new(kind, circuit.names.fluent_text(fluent), purpose, signal));
        }
        answers
    }

    /// For each fluent with a next value the input that it will come in by; beside the elements
    /// of [`Sketch::answers`] in their order.
    pub(super) fn inputs_of_next(&self) -> impl Iterator<Item = Option<NodeIndex>> + '_ {
        let fluents = self.circuit.fluents.iter();
        let fluents = fluents.filter(|port| port.kind != FluentKind::Follows);
        fluents.map(|port| self.shown[port.now.node() as usize])
    }

    fn move_sentence(&self, word: &str, role: usize, at: usize) -> String {
        let text = self.circuit.names.text_of_move(role, at);
        format!("({word} {} {text})", self.circuit.names.roles()[role])
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
