//! What making a circuit from a sheet took and gave, in figures.

use propnet::circuit::optimize::Size;
use serde::Serialize;

use super::figures::StatsFigures;
use crate::pipeline::error::SheetOutcome;

/// One sheet. Scripts read this; its keys stay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CircuitReport {
    /// The name of the sheet, as it was given.
    pub sheet: String,
    /// Whether its rules could be grounded; then they have a circuit.
    pub result: SheetOutcome,
    /// Why there is no circuit.
    pub message: Option<String>,
    /// What the stages took.
    pub seconds: StageSeconds,
    /// The circuit as it was built.
    pub before: Option<Size>,
    /// The circuit after the last pass.
    pub after: Option<Size>,
    /// The passes in their order.
    pub passes: Vec<PassFigures>,
    /// The circuit after the last pass, in detail, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<StatsFigures>,
}

/// The time of each stage, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageSeconds {
    /// Text to rules, with all checks.
    pub parse: f64,
    /// Rules to ground rules.
    pub ground: f64,
    /// Ground rules to a circuit.
    pub build: f64,
    /// All passes together.
    pub passes: f64,
}

/// What a pass took and did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PassFigures {
    /// Its name.
    pub pass: &'static str,
    /// The time it took.
    pub seconds: f64,
    /// The circuit before.
    pub before: Size,
    /// The circuit after.
    pub after: Size,
}

impl CircuitReport {
    /// A report of nothing but its name and outcome.
    pub(super) fn new(sheet: &str, result: SheetOutcome) -> Self {
        CircuitReport {
            sheet: sheet.to_string(),
            result,
            message: None,
            seconds: StageSeconds::default(),
            before: None,
            after: None,
            passes: Vec::new(),
            stats: None,
        }
    }
}
