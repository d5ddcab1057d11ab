//! A sheet in figures: what grounding took, by rule, and how large its circuit is.

use propnet::gdl::Source;
use serde_json::{Value, json};

use super::error::ApiError;
use super::sheets::{BOUNDS, OpenedSheet, pipeline_options};
use crate::pipeline::{Control, StatsFigures, no_peak, survey};

impl OpenedSheet {
    /// Its figures. A sheet that cannot be grounded within bounds has only those that are known.
    pub(super) fn figures(&self) -> Result<Value, ApiError> {
        let stages = self.stages()?;
        let source = Source::from_text(self.name.clone(), &self.text);
        let (ground, _) = survey(source, &BOUNDS, no_peak);
        let circuit = stages.circuit(&pipeline_options(), Control::default());
        let (circuit, error) = match circuit {
            Ok(circuit) => {
                let stats = StatsFigures::of(&circuit);
                let moves: Vec<Value> = stats
                    .moves
                    .iter()
                    .map(|one| json!({"role": one.role, "moves": one.moves}))
                    .collect();
                let cones = serde_json::to_value(&stats.cones).unwrap_or_default();
                let figures = json!({
                    "gates": stats.gates, "two_input_gates": stats.two_input_gates,
                    "depth": stats.depth, "fluents": circuit.names.fluent_count(),
                    "moves": moves, "cones": cones, "groups": stats.groups.len(),
                    "loops": stats.loops.len(),
                });
                (Some(figures), None)
            }
            Err(error) => (None, Some(error.to_string())),
        };
        Ok(json!({ "ground": ground, "circuit": circuit, "error": error }))
    }
}
