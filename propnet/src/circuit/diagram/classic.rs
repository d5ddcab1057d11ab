//! Circuit -> the propositional network that people know: and, or, not and transition gates.
//!
//! Loops are cycles here, as they are in the rules: what a loop
//! feeds back is its member itself.

use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;

use super::diagram::{Diagram, Element, Kind, Purpose, Wire, WireKind};
use super::forms::Forms;
use super::ports::Sketch;
use crate::circuit::circuit::Circuit;
use crate::circuit::cones::Cone;
use crate::circuit::network::{Gate, Signal};

/// The classic view of a circuit. Gates that no port depends on are left out.
pub fn classic(circuit: &Circuit) -> Diagram {
    let forms = Forms::new(circuit);
    let count = circuit.network.len();
    let sketch = Sketch::new(circuit);
    let members = circuit.loops.iter().flat_map(|block| &block.members);
    let found = members.map(|member| (member.feedback.node(), member.value)).collect();
    let mut view = ClassicView { sketch, forms, inverters: vec![None; count], found };
    view.gates();
    view.answers();
    view.place_inverters();
    let ClassicView { mut sketch, found, .. } = view;
    sketch.write_labels(|signal| without_feedback(&found, signal));
    sketch.diagram
}

struct ClassicView<'a> {
    sketch: Sketch<'a>,
    forms: Forms,
    /// By node of the network: the NOT gate after its element.
    inverters: Vec<Option<NodeIndex>>,
    /// By what stands for a member of a loop: what the loop finds.
    found: FxHashMap<u32, Signal>,
}

impl ClassicView<'_> {
    fn gates(&mut self) {
        let network = &self.sketch.circuit.network;
        for node in 0..network.len() as u32 {
            if network.gate(node) == Gate::And
                && let Some(purpose) = self.sketch.purpose(node)
            {
                let kind = if self.forms.is_or(node) { Kind::Or } else { Kind::And };
                self.sketch.show(node, Element::new(kind, "", purpose, self.forms.shown(node)));
            }
        }
        // Only now, because loops lead to gates further down.
        for node in 0..network.len() as u32 {
            let Some(gate) = self.sketch.shown[node as usize] else { continue };
            for &input in network.inputs(node) {
                let from = self.tap(input.complement_if(self.forms.is_or(node)));
                self.wire(from, gate);
            }
        }
    }

    /// The element that shows a signal.
    fn tap(&mut self, signal: Signal) -> NodeIndex {
        let signal = without_feedback(&self.found, signal);
        let node = signal.node() as usize;
        let Some(shown) = self.sketch.shown[node] else {
            return self.sketch.constant(signal.is_complement());
        };
        if signal == self.forms.shown(signal.node()) {
            return shown;
        }
        if let Some(inverter) = self.inverters[node] {
            return inverter;
        }
        // Its purpose follows from what reads it.
        let element = Element::new(Kind::Not, "", Purpose::Shared, signal);
        let inverter = self.sketch.diagram.graph.add_node(element);
        self.wire(shown, inverter);
        self.inverters[node] = Some(inverter);
        inverter
    }

    fn wire(&mut self, from: NodeIndex, to: NodeIndex) {
        self.sketch.diagram.graph.add_edge(from, to, Wire::plain(WireKind::Signal));
    }

    fn answers(&mut self) {
        let mut next = Vec::new();
        for element in self.sketch.answers() {
            let (kind, signal) = (element.kind, element.signal);
            let port = self.sketch.diagram.graph.add_node(element);
            if let Some(signal) = signal {
                let from = self.tap(signal);
                self.wire(from, port);
            }
            if kind == Kind::Next {
                next.push(port);
            }
        }
        self.transitions(next);
    }

    /// What will be true goes through a transition gate and comes back as what is true; `init`
    /// does so before the first step.
    fn transitions(&mut self, next: Vec<NodeIndex>) {
        let inputs: Vec<_> = self.sketch.inputs_of_next().collect();
        let graph = &mut self.sketch.diagram.graph;
        let step = Wire::plain(WireKind::Transition);
        let mut initially = Vec::new();
        for (next, input) in next.into_iter().zip(inputs) {
            let Some(input) = input else { continue };
            let mut element = graph[next].clone();
            (element.kind, element.purpose) = (Kind::Transition, Purpose::Cone(Cone::Next));
            let transition = graph.add_node(element);
            graph.add_edge(next, transition, step);
            graph.add_edge(transition, input, step);
            if graph[input].kind == (Kind::Base { initially: true }) {
                initially.push(transition);
            }
        }
        if !initially.is_empty() {
            let mut element = Element::new(Kind::Init, "", Purpose::State, Signal::FALSE);
            element.signal = None;
            let init = graph.add_node(element);
            for transition in initially {
                graph.add_edge(init, transition, step);
            }
        }
    }

    /// An inverter belongs to what reads it.
    fn place_inverters(&mut self) {
        let graph = &mut self.sketch.diagram.graph;
        for &inverter in self.inverters.iter().flatten() {
            let mut groups = graph.neighbors(inverter).map(|reader| graph[reader].purpose);
            let first = groups.next().unwrap_or(Purpose::Shared);
            let purpose =
                if groups.all(|purpose| purpose == first) { first } else { Purpose::Shared };
            graph[inverter].purpose = purpose;
        }
    }
}

/// What a loop feeds back is what it finds. Members that say only that they equal each other are
/// never true.
fn without_feedback(found: &FxHashMap<u32, Signal>, mut signal: Signal) -> Signal {
    for _ in 0..=found.len() {
        let Some(&value) = found.get(&signal.node()) else { return signal };
        signal = value.complement_if(signal.is_complement());
    }
    Signal::FALSE.complement_if(signal.is_complement())
}
