//! Search: a game and a budget -> a move, by Monte Carlo tree search (MCTS) on the lanes.
//!
//! ```text
//! search     the entry point; root-parallel trees merged     report   a search in figures
//! settings   a scheme and its parameters by name             budget   how long a search may run
//! scheme/    what a strategy is made of                      contest/ games between strategies
//!   selection/   which known move in a node        untried/   which of the moves never tried
//!   expansion    which nodes a tree has            policy/    which moves playouts prefer
//!   evaluation/  what a playout is worth           solver/    what is known for certain
//!   decision/    which move is played              strategies/  moves of a playout by looking ahead
//! tree/        nodes, moves, statistics            playout/   what makes playouts
//! tree_search/ one tree and its workers            memory     what the machine has
//! solving      what all trees have proven            line_report  a line that others found
//! choice/      a scheme for a game, by contests      choice_report  what it rests on
//! clarity      whether more thought can change a move
//! ```
//!
//! There is one search, made of parts. A strategy is a named choice of them; see `scheme`.
//!
//! The same seed and a budget of simulations give the same tree and the same move on one thread,
//! whatever the clock says: time is read only where a deadline asks for it, and for reports.

mod budget;
mod choice;
mod choice_report;
mod clarity;
mod contest;
mod decision;
mod evaluation;
mod expansion;
mod line_report;
mod memory;
mod playout;
mod policy;
mod report;
mod scheme;
#[expect(clippy::module_inception, reason = "the module's one front door")]
mod search;
mod selection;
mod settings;
mod solver;
mod solving;
mod strategies;
mod tree;
mod tree_search;
mod untried;

pub use budget::{Budget, Spent};
pub use choice::{ChoiceEffort, Chooser, GameFor};
pub use choice_report::{ChoiceReport, Evidence, Profile};
pub use contest::{Contest, Contestant, GameResult, Score, contest, play_games};
pub use evaluation::{Cutoff, CutoffKind, SampleFigures};
pub use line_report::LineReport;
pub use memory::machine_bytes;
pub use playout::{GameMaker, SearchGame};
pub use policy::{PolicyView, quantise, sampling_distance};
pub use report::{
    KnownSum, LearningReport, MoveReport, Report, RoleReport, RunEnd, SolverReport, Variation,
};
pub use scheme::{Form, PRESETS, Parameter, PartInfo, Preset, Scheme, SchemeError, parts};
pub use search::Search;
pub use settings::{
    ParameterGroup, STRATEGY, SettingError, Settings, parameter_groups, parameters, preset_names,
};
