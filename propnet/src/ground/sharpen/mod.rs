//! GroundRules -> GroundRules with the same play and less to compute.
//!
//! Every pass keeps, in each state that can be reached from the start by legal joint moves, the
//! legal moves, the goals, whether the game is over, and the state that people see. It may use
//! what holds in all those states and in all steps between them, above all that each role makes
//! exactly one legal move in a step. What it must not use is the order of rules or atoms.
//!
//! ```text
//! load     sort bodies, group rules, find cycles through negation (left alone by all passes)
//! rounds   values    what is constant in all reachable states: atoms, fluents, moves
//!          alias     helpers that a single literal defines
//!          merge     equal definitions, by refinement of an optimistic partition
//!          inline    helpers read once
//!          subsume   rules that a shorter rule makes superfluous
//! finish   fluents that play does not read become observed; atoms and moves are renumbered
//! ```
//!
//! The passes decide, `rewrite` alone changes bodies: a pass says for each atom what stands in
//! its place, and the rules are written anew in one sweep over flat arrays.

mod alias;
mod classes;
mod cone;
mod finish;
mod in_place;
mod inline;
mod merge;
mod report;
mod rewrite;
mod rounds;
mod subsume;
mod unstable;
mod values;
mod work;

pub use report::{SharpenReport, Sizes};
pub use rounds::sharpen;
pub use work::Stopped;
