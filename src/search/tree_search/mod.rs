//! One tree and its workers.
//!
//! ```text
//! root_worker     a tree of a root-parallel search   playout_worker  a thread that plays for it
//! tree_search     what is to be played              finish          results of simulations
//! simulation      simulations in flight             learning        what a policy learns from
//! settling        when nothing is left to learn     observing       simulations before a cutoff
//! upkeep          the tree between moves            balance         playouts for a leaf, by cost
//! principal_variation  what would be played         proving         what is proven on the way
//! states          what a policy learns from states
//! siblings        all moves of a leaf at once
//! trial           a tree for tests                  random_games    small games for tests
//! ```

mod balance;
mod finish;
mod learning;
mod observing;
mod playout_worker;
mod principal_variation;
#[cfg(test)]
mod proof_tests;
mod proving;
#[cfg(test)]
mod random_games;
mod root_worker;
mod settling;
mod siblings;
mod simulation;
mod states;
#[expect(clippy::module_inception, reason = "the module's main type")]
mod tree_search;
#[cfg(test)]
mod trial;
mod upkeep;

pub(crate) use root_worker::RootWorker;
pub(crate) use simulation::Simulation;
pub(crate) use tree_search::{Counts, TreeSearch};
#[cfg(test)]
pub(crate) use trial::{CHOICE, Trial, game_on_lanes, ring};
