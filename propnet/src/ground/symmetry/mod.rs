//! Symmetries of a game: permutations of its fluents and moves that map the ground rules to themselves.
//!
//! ```text
//! graph    the rules as a graph: fluents, moves and other atoms, joined by rules
//! refine   colours of what cannot be told apart, refined until nothing changes
//! find     a generating set, by giving single fluents a colour of their own
//! group    the permutations that generators make, and states mapped by them
//! ```
//!
//! Colour refinement (Weisfeiler and Leman 1968) and individualisation, with orbits pruned by what was
//! found, as in nauty (McKay 1981). Colours only propose: each permutation is checked rule by rule.
//! Roles and goal values stay what they are, so a state and its image are worth the same to each role.

mod find;
mod graph;
mod group;
mod refine;

pub use find::{Symmetries, symmetries};
pub use group::{Symmetry, SymmetryGroup};

#[cfg(test)]
mod tests;
