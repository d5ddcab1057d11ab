//! The data of a trace file. An absent field claims nothing, so it is not compared.

use serde::{Deserialize, Serialize};

/// Playouts of one game. Unknown keys are refused: a claim that is not understood must not look as
/// if it had been compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The name of the sheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The roles in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The initial state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init: Option<Vec<String>>,
    /// Why the recorder stopped, if something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The playouts.
    #[serde(default)]
    pub playouts: Vec<RecordedPlayout>,
}

/// One playout, from its start to its end or to where the recorder stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlayout {
    /// The seed it was made with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The state it starts in, if that is not the initial one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<String>>,
    /// The joint moves, each with the state it was made in.
    #[serde(default)]
    pub steps: Vec<RecordedStep>,
    /// The state after the last step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_state: Option<Vec<String>>,
    /// Its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_hash: Option<String>,
    /// The goal value of each role at the end; `None` where the rules give no proper one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<Vec<Option<i32>>>,
    /// Whether the game was over after the last step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<bool>,
    /// The recorder stopped early, so nothing is claimed about the end.
    #[serde(default, skip_serializing_if = "is_false")]
    pub capped: bool,
    /// The recorder did not even have the final state.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hard: bool,
    /// The rules gave no answer after the last step, e.g. no legal move for a role.
    #[serde(default, skip_serializing_if = "is_false")]
    pub error: bool,
}

/// A joint move and the state it was made in: whole sets, or their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedStep {
    /// The sentences of the state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Vec<String>>,
    /// The hash of the state's lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The legal moves of each role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legals: Option<Vec<Vec<String>>>,
    /// The number of legal moves of each role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nlegals: Option<Vec<usize>>,
    /// The hash of the lines of legal moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lhash: Option<String>,
    /// The joint move.
    pub moves: Vec<String>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
