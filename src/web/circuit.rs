//! A part of a circuit: as a picture with its elements, or as a file.

use std::sync::atomic::AtomicBool;

use petgraph::graph::NodeIndex;
use propnet::circuit::Circuit;
use propnet::circuit::diagram::{self, Diagram, Element};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::ApiError;
use super::sheets::OpenedSheet;
use crate::draw::CellIndex;
use crate::picture::{Scene, png, scene, svg};

/// What is asked of a circuit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CircuitRequest {
    pub(super) sheet: String,
    /// And, or, not and transition gates instead of the network of AND gates.
    #[serde(default)]
    classic: bool,
    /// The cone of a sentence ...
    of: Option<String>,
    /// ... or of a gate, by its key.
    gate: Option<String>,
    /// Also what depends on it.
    #[serde(default)]
    around: bool,
    /// The most gates between the centre and what is shown.
    #[serde(default = "usual_depth")]
    depth: usize,
    /// The state whose true signals are lit.
    state: Option<Vec<String>>,
    /// `json` for the page, or a file: `svg`, `png`, `dot`.
    #[serde(default)]
    format: CircuitFormat,
}

/// The form of the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CircuitFormat {
    #[default]
    Json,
    Svg,
    Png,
    Dot,
}

/// The answer.
pub(super) enum CircuitAnswer {
    Document(Value),
    File(&'static str, Vec<u8>),
}

fn usual_depth() -> usize {
    3
}

/// No picture has more elements; the depth is reduced until it fits.
const MOST: usize = 400;

/// The most names of ports that are listed.
const MOST_PORTS: usize = 20_000;

/// An element, for the page.
#[derive(Serialize)]
struct ElementDocument {
    key: String,
    kind: &'static str,
    label: String,
    sentences: Vec<String>,
    lines: Vec<usize>,
    lit: Option<bool>,
    /// Wires to it that are not shown.
    hidden: usize,
}

/// A port, for the list and the board of the page.
#[derive(Serialize)]
struct PortDocument {
    name: String,
    kind: &'static str,
    cell: Option<CellIndex>,
}

impl OpenedSheet {
    /// Draws a part of its circuit.
    pub(super) fn part(&self, request: &CircuitRequest) -> Result<CircuitAnswer, ApiError> {
        let circuit = self.circuit(request.classic, &AtomicBool::new(false))?;
        let (part, depth) = request.part(&circuit)?;
        let part = request.lit(part, &circuit)?;
        let title = match (&request.of, &request.gate) {
            (Some(name), _) => format!("{}: {name}", self.name),
            _ => self.name.clone(),
        };
        let picture = || -> Result<Scene, ApiError> { scene(&part, &title).map_err(ApiError::bad) };
        Ok(match request.format {
            CircuitFormat::Dot => {
                let text = diagram::dot(&part, &title).into_bytes();
                CircuitAnswer::File("text/vnd.graphviz", text)
            }
            CircuitFormat::Svg => {
                CircuitAnswer::File("image/svg+xml", svg(&picture()?).into_bytes())
            }
            CircuitFormat::Png => {
                CircuitAnswer::File("image/png", png(&picture()?).map_err(ApiError::bad)?)
            }
            CircuitFormat::Json => {
                let elements: Vec<ElementDocument> =
                    part.graph.node_weights().map(document).collect();
                CircuitAnswer::Document(json!({
                    "svg": svg(&picture()?), "depth": depth, "elements": elements,
                }))
            }
        })
    }

    /// The ports of its circuit, and the cells that fluents are on.
    pub(super) fn ports(&self) -> Result<Value, ApiError> {
        let circuit = self.circuit(true, &AtomicBool::new(false))?;
        let all = diagram::classic(&circuit);
        let ports = all.graph.node_weights().filter(|element| element.kind.is_port());
        let mut ports: Vec<PortDocument> = ports
            .take(MOST_PORTS)
            .map(|element| PortDocument {
                name: element.label(),
                kind: element.kind.word(),
                cell: None,
            })
            .collect();
        let fluent = |port: &PortDocument| {
            let inner = port.name.strip_prefix("(next ").and_then(|rest| rest.strip_suffix(')'));
            inner.unwrap_or(&port.name).to_string()
        };
        let fluents: Vec<String> = ports.iter().map(fluent).collect();
        let cells = self.draw(&[], |picture| picture.cells_of_sentences(&fluents))?;
        for (port, cell) in ports.iter_mut().zip(cells) {
            port.cell = cell.filter(|_| matches!(port.kind, "base" | "next" | "follows"));
        }
        ports.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        Ok(json!({ "ports": ports }))
    }
}

impl CircuitRequest {
    /// The part that is asked for, as deep as it can be drawn, and that depth.
    fn part(&self, circuit: &Circuit) -> Result<(Diagram, usize), ApiError> {
        let all = if self.classic { diagram::classic(circuit) } else { diagram::network(circuit) };
        let centre: Vec<NodeIndex> = match (&self.of, &self.gate) {
            (_, Some(gate)) => {
                let nodes = all.graph.node_indices();
                let found =
                    nodes.filter(|&node| key(&all.graph[node]) == *gate).collect::<Vec<_>>();
                if found.is_empty() {
                    return Err(ApiError::unknown("this circuit has no such gate"));
                }
                found
            }
            (Some(name), None) => all.ports(name).map_err(ApiError::bad)?,
            (None, None) => return Err(ApiError::bad("name a sentence (of) or a gate")),
        };
        let mut depth = self.depth.min(1_000);
        loop {
            let part = match self.around {
                true => all.around(&centre, depth),
                false => all.cone(&centre, depth),
            };
            // DOT has no limit; neither has the centre alone.
            let fits = part.graph.node_count() <= MOST || self.format == CircuitFormat::Dot;
            if fits || depth == 0 {
                return Ok((part, depth));
            }
            depth -= 1;
        }
    }

    /// The part with the signals of the state lit.
    fn lit(&self, mut part: Diagram, circuit: &Circuit) -> Result<Diagram, ApiError> {
        let Some(state) = &self.state else { return Ok(part) };
        let known = state.iter().filter(|text| {
            // Sentences that never change are no part of the circuit.
            circuit.names.state_of(std::slice::from_ref(*text)).is_ok()
        });
        let known: Vec<String> = known.cloned().collect();
        let state = circuit.names.state_of(&known).map_err(ApiError::bad)?;
        diagram::highlight(&mut part, circuit, &state).map_err(ApiError::bad)?;
        Ok(part)
    }
}

/// What tells an element from all others of a circuit.
fn key(element: &Element) -> String {
    let signal = element.signal.map_or(String::new(), |signal| signal.index().to_string());
    format!("{}|{}|{signal}", element.kind.word(), element.name)
}

fn document(element: &Element) -> ElementDocument {
    ElementDocument {
        key: key(element),
        kind: element.kind.word(),
        label: element.label(),
        sentences: element.sentences.clone(),
        lines: element.lines.clone(),
        lit: element.lit,
        hidden: element.hidden,
    }
}
