//! Search: a game and a budget -> a move, by Monte Carlo tree search on the lanes.
//!
//! ```text
//! settings   strategies and what they can be told  parameters the same by name
//! program    a circuit -> what lanes run           budget    how long a search may go on
//! simulator  what makes playouts                   lanes     many at once
//! plain      one after the other, on any game      trial     a tree without any, for tests
//! tree       nodes and moves in arenas             table     nodes by state, edges by joint move
//! edges      where joint moves lead
//! lists      how arenas grow, and what they take   memory    what the machine has
//! choose     one role's move in a node             descend   from the root to a leaf
//! flight     simulations under way, and back up    collect   what is kept between moves
//! mast       averages of moves, as weights         plan      the best line of a game for one
//! grower     one tree: what is to be played        land      what comes of simulations
//! upkeep     the tree between moves                crew      a thread that plays for a tree
//! balance    lanes for a leaf, by what a tree costs
//! worker     a tree and its crews                  search    the front door; trees merged
//! known      which move is the most promising      line      what would be played after it
//! report     a search in figures                   arena     games between strategies
//! ```
//!
//! The same seed and a budget of simulations give the same tree and the same move on one thread,
//! whatever the clock says: time is read only where a deadline asks for it, and for reports.

mod arena;
mod balance;
mod budget;
mod choose;
mod collect;
mod crew;
mod descend;
mod edges;
mod flight;
mod grower;
mod known;
mod land;
mod lanes;
mod line;
mod lists;
mod mast;
mod memory;
mod parameters;
mod plain;
mod plan;
mod program;
mod report;
#[expect(clippy::module_inception, reason = "the module's one front door")]
mod search;
mod settings;
mod simulator;
mod table;
mod tree;
#[cfg(test)]
mod trial;
mod upkeep;
mod worker;

pub use arena::{Contest, Contestant, Score, contest};
pub use budget::Budget;
pub use mast::{quantise, sampling_distance};
pub use memory::machine_bytes;
pub use parameters::{PARAMETERS, Parameter, SettingError};
pub use program::{GameMaker, LaneProgram, SearchGame};
pub use report::{MoveReport, Report, RoleReport, RunEnd};
pub use search::Search;
pub use settings::{Parallel, Settings, Strategy};
