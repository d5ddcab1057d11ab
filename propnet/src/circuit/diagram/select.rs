//! Cutting a diagram down to the part of interest.
//!
//! All of it stays within one step of the game: wires to the next step are kept between elements
//! that are selected, but nothing is found along them, or everything would be.

use std::collections::VecDeque;

use petgraph::Direction::{self, Incoming, Outgoing};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::diagram::{Diagram, Kind, WireKind};
use crate::circuit::cones::Cone;

/// Why nothing can be selected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// No port has that name.
    #[error("the circuit has no port {name}{}", suggestion(near))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Ports with similar names.
        near: Vec<String>,
    },
    /// No signal leads from the one to the other.
    #[error("within one step of the game nothing leads from {from} to {to}")]
    NoWay {
        /// Where the way was to begin.
        from: String,
        /// Where it was to end.
        to: String,
    },
}

fn suggestion(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; similar are {}", near.join(", ")) }
}

impl Diagram {
    /// The ports with a name: a sentence such as `(legal white noop)` or `terminal`, or a fluent,
    /// which stands for its truth now and next; where gates have labels, also the gate that computes
    /// a sentence such as `(line x)`.
    pub fn ports(&self, name: &str) -> Result<Vec<NodeIndex>, SelectError> {
        let wanted = normal_form(name);
        let nodes = self.graph.node_indices();
        let found: Vec<NodeIndex> = nodes.filter(|&node| self.answers_to(node, &wanted)).collect();
        if found.is_empty() {
            return Err(SelectError::Unknown { near: self.similar(&wanted), name: wanted });
        }
        Ok(found)
    }

    fn answers_to(&self, node: NodeIndex, wanted: &str) -> bool {
        let element = &self.graph[node];
        let name = element.name.as_str();
        // A gate that shows the opposite of a sentence computes it as well.
        let opposite = |sentence: &str| {
            let inner = sentence.strip_prefix("(not ").and_then(|text| text.strip_suffix(')'));
            inner == Some(wanted)
        };
        if element.sentences.iter().any(|sentence| sentence == wanted || opposite(sentence)) {
            return true;
        }
        let wrapped = |word: &str| {
            let inner = wanted.strip_prefix('(').and_then(|text| text.strip_prefix(word));
            let inner = inner.and_then(|text| text.strip_prefix(' '));
            inner.and_then(|text| text.strip_suffix(')')) == Some(name)
        };
        match element.kind {
            Kind::Base { .. } | Kind::Follows => wanted == name || wrapped("true"),
            Kind::Next => wanted == name || wrapped("next"),
            kind => kind.is_port() && wanted == name,
        }
    }

    /// Names of ports that are spelled like this one, best first.
    fn similar(&self, wanted: &str) -> Vec<String> {
        let ports = self.graph.node_weights().filter(|element| element.kind.is_port());
        let ports = ports.map(|element| element.label());
        let gates = self.graph.node_weights().flat_map(|element| element.sentences.iter().cloned());
        let mut names: Vec<(usize, String)> = ports
            .chain(gates)
            .map(|name| (strsim::levenshtein(wanted, &name), name))
            .filter(|(distance, name)| *distance <= 2 + name.len() / 4)
            .collect();
        names.sort();
        names.dedup();
        names.into_iter().take(SUGGESTED).map(|(_, name)| name).collect()
    }

    /// What is within `depth` gates before and after the elements. Inverters and ports are not
    /// counted. Gates with few inputs are shown with the ports they read, so that one can see what
    /// they say.
    pub fn around(&self, elements: &[NodeIndex], depth: usize) -> Diagram {
        let mut kept = self.reach(elements, Incoming, depth);
        for (kept, behind) in kept.iter_mut().zip(self.reach(elements, Outgoing, depth)) {
            *kept |= behind;
        }
        self.keep_read_ports(&mut kept);
        self.keep(kept)
    }

    /// The cone of the elements: everything that they depend on, through at most `depth` gates.
    /// Gates with few inputs are shown with the ports they read.
    pub fn cone(&self, elements: &[NodeIndex], depth: usize) -> Diagram {
        let mut kept = self.reach(elements, Incoming, depth);
        self.keep_read_ports(&mut kept);
        self.keep(kept)
    }

    fn keep_read_ports(&self, kept: &mut [bool]) {
        let gates = self.graph.node_indices().filter(|gate| kept[gate.index()]);
        let small: Vec<NodeIndex> = gates
            .filter(|&gate| self.graph.edges_directed(gate, Incoming).count() <= SMALL)
            .collect();
        for (kept, read) in kept.iter_mut().zip(self.reach(&small, Incoming, 0)) {
            *kept |= read;
        }
    }

    /// What lies on a way from the one to the other.
    pub fn between(&self, from: &str, to: &str) -> Result<Diagram, SelectError> {
        let behind = self.reach(&self.ports(from)?, Outgoing, usize::MAX);
        let before = self.reach(&self.ports(to)?, Incoming, usize::MAX);
        let kept: Vec<bool> = behind.iter().zip(before).map(|(a, b)| *a && b).collect();
        if !kept.contains(&true) {
            return Err(SelectError::NoWay { from: normal_form(from), to: normal_form(to) });
        }
        Ok(self.keep(kept))
    }

    /// What answers one question, and all that it depends on.
    pub fn only(&self, cone: Cone) -> Diagram {
        let nodes = self.graph.node_indices();
        let outputs: Vec<NodeIndex> =
            nodes.filter(|&node| answers(self.graph[node].kind, cone)).collect();
        self.keep(self.reach(&outputs, Incoming, usize::MAX))
    }

    /// What can be reached in one direction through at most `depth` gates.
    fn reach(&self, starts: &[NodeIndex], direction: Direction, depth: usize) -> Vec<bool> {
        let mut gates = vec![usize::MAX; self.graph.node_count()];
        let mut queue = VecDeque::new();
        for &start in starts {
            gates[start.index()] = 0;
            queue.push_back(start);
        }
        while let Some(node) = queue.pop_front() {
            let passed = gates[node.index()];
            for wire in self.graph.edges_directed(node, direction) {
                let other = if direction == Incoming { wire.source() } else { wire.target() };
                let is_gate = self.graph[other].kind.is_gate();
                let through = passed + usize::from(is_gate);
                let within_step = wire.weight().kind != WireKind::Transition;
                if within_step && through <= depth && through < gates[other.index()] {
                    gates[other.index()] = through;
                    // Nearest first, so that no element is passed on twice.
                    if is_gate { queue.push_back(other) } else { queue.push_front(other) }
                }
            }
        }
        gates.into_iter().map(|gates| gates != usize::MAX).collect()
    }

    /// The diagram without the elements that are not to be kept.
    fn keep(&self, mut kept: Vec<bool>) -> Diagram {
        self.drop_loose_inverters(&mut kept);
        self.keep_steps(&mut kept);
        let mut part = Diagram::default();
        let mut moved = vec![None; kept.len()];
        for node in self.graph.node_indices().filter(|node| kept[node.index()]) {
            moved[node.index()] = Some(part.graph.add_node(self.graph[node].clone()));
        }
        for wire in self.graph.edge_references() {
            match (moved[wire.source().index()], moved[wire.target().index()]) {
                (Some(from), Some(to)) => {
                    part.graph.add_edge(from, to, *wire.weight());
                }
                (None, Some(to)) if wire.weight().kind != WireKind::Transition => {
                    part.graph[to].hidden += 1;
                }
                _ => {}
            }
        }
        part
    }

    /// An inverter says nothing by itself: it is shown between what it reads and what reads it.
    fn drop_loose_inverters(&self, kept: &mut [bool]) {
        for node in self.graph.node_indices() {
            if self.graph[node].kind == Kind::Not {
                let shows = |direction| {
                    let mut near = self.graph.neighbors_directed(node, direction);
                    near.any(|other| kept[other.index()])
                };
                kept[node.index()] &= shows(Incoming) && shows(Outgoing);
            }
        }
    }

    /// The way to the next step is kept where it begins and ends in what is kept.
    fn keep_steps(&self, kept: &mut [bool]) {
        for node in self.graph.node_indices() {
            if self.graph[node].kind == Kind::Transition {
                let near = |direction| {
                    let mut near = self.graph.neighbors_directed(node, direction);
                    near.any(|other| self.graph[other].kind != Kind::Init && kept[other.index()])
                };
                kept[node.index()] = near(Incoming) && near(Outgoing);
            }
        }
        for node in self.graph.node_indices() {
            if self.graph[node].kind == Kind::Init {
                kept[node.index()] = self.graph.neighbors(node).any(|other| kept[other.index()]);
            }
        }
    }
}

/// How many similar names are suggested.
const SUGGESTED: usize = 3;

/// Gates with at most this many inputs are shown with the ports they read.
const SMALL: usize = 8;

fn answers(kind: Kind, cone: Cone) -> bool {
    match cone {
        Cone::Legal => kind == Kind::Legal,
        Cone::Terminal => kind == Kind::Terminal,
        Cone::Goal => kind == Kind::Goal,
        Cone::Next | Cone::Observed => kind == Kind::Next,
    }
}

/// The name in lower case with single spaces, none beside parentheses.
fn normal_form(name: &str) -> String {
    let spaced = name.to_lowercase().replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.join(" ").replace("( ", "(").replace(" )", ")")
}
