//! The circuit of a game: figures, and diagrams as DOT and SVG.

use std::sync::Arc;

use ludens::picture::{scene, svg};
use ludens::pipeline::{Control, PipelineOptions, StatsFigures, labelled_circuit};
use propnet::circuit::diagram::{self, Diagram};
use propnet::circuit::optimize::Pass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{LudensError, named_sheet_error};
use crate::game::LoadedGame;
use crate::interrupt::{StopFlag, interruptible};
use crate::json::to_python;

/// The circuit of a game.
#[pyclass(frozen, name = "Circuit", module = "ludens")]
pub(crate) struct PyCircuit {
    pub(crate) game: Arc<LoadedGame>,
}

/// The default depth around a sentence, as on the command line.
const NEAR: usize = 2;

/// A picture with more elements is not drawn in a notebook by itself.
const SHOWN: usize = 300;

/// The part of a circuit to show.
struct DiagramPart {
    of: Option<String>,
    around: Option<String>,
    depth: Option<usize>,
    classic: bool,
}

impl PyCircuit {
    fn diagram(&self, py: Python<'_>, part: &DiagramPart) -> PyResult<Diagram> {
        if part.of.is_some() && part.around.is_some() {
            return Err(PyValueError::new_err("give a sentence as of=... or around=..., not both"));
        }
        let passes = if part.classic { Vec::new() } else { Pass::ALL.to_vec() };
        let options = PipelineOptions { passes, ..self.game.options.clone() };
        let stop = StopFlag::default();
        let work = || {
            let may_go_on = || stop.may_go_on();
            let control = Control::stoppable(&may_go_on);
            let rules = self.game.stages.ground_rules(&options.bounds, control)?;
            labelled_circuit(&rules, &options, control)
        };
        let circuit = interruptible(py, &stop, work)?
            .map_err(|error| named_sheet_error(&self.game.name, &error))?;
        let view = if part.classic { diagram::classic } else { diagram::network };
        let all = view(&circuit);
        let Some(sentence) = part.of.as_ref().or(part.around.as_ref()) else { return Ok(all) };
        let ports = all.ports(sentence).map_err(|error| LudensError::new_err(error.to_string()))?;
        Ok(match part.of {
            Some(_) => all.cone(&ports, part.depth.unwrap_or(usize::MAX)),
            None => all.around(&ports, part.depth.unwrap_or(NEAR)),
        })
    }
}

#[pymethods]
impl PyCircuit {
    /// The figures of `ludens show circuit --stats --json`: gates, depth, cones, groups.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stop = StopFlag::default();
        let work = || {
            let may_go_on = || stop.may_go_on();
            let circuit =
                self.game.stages.circuit(&self.game.options, Control::stoppable(&may_go_on));
            circuit.map(|circuit| StatsFigures::of(&circuit))
        };
        let figures = interruptible(py, &stop, work)?
            .map_err(|error| named_sheet_error(&self.game.name, &error))?;
        to_python(py, &figures)
    }

    /// DOT text for Graphviz: the whole circuit, all that a sentence depends on (`of`), or what is
    /// near it (`around`). `classic` shows and, or, not gates of the rules as written.
    #[pyo3(signature = (of=None, around=None, depth=None, classic=false))]
    fn dot(
        &self,
        py: Python<'_>,
        of: Option<String>,
        around: Option<String>,
        depth: Option<usize>,
        classic: bool,
    ) -> PyResult<String> {
        let diagram = self.diagram(py, &DiagramPart { of, around, depth, classic })?;
        Ok(diagram::dot(&diagram, &self.game.name))
    }

    /// The same as an SVG picture, of at most `limit` elements.
    #[pyo3(signature = (of=None, around=None, depth=None, classic=false, limit=SHOWN))]
    fn svg(
        &self,
        py: Python<'_>,
        of: Option<String>,
        around: Option<String>,
        depth: Option<usize>,
        classic: bool,
        limit: usize,
    ) -> PyResult<String> {
        let diagram = self.diagram(py, &DiagramPart { of, around, depth, classic })?;
        let count = diagram.graph.node_count();
        if count > limit {
            return Err(LudensError::new_err(format!(
                "the picture would have {count} elements, more than the limit of {limit}; cut it \
                 down with of=... or around=... and depth=..., raise limit, or use dot()"
            )));
        }
        let scene = scene(&diagram, &self.game.name)
            .map_err(|error| LudensError::new_err(format!("cannot draw the circuit: {error}")))?;
        Ok(svg(&scene))
    }

    /// What a notebook shows: the whole circuit, if it is small.
    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        self.svg(py, None, None, None, false, SHOWN).ok()
    }

    fn __repr__(&self) -> String {
        format!("<ludens.Circuit of {}>", self.game.name)
    }
}
