//! Rules -> GroundRules: no variable survives this stage.
//!
//! What can ever be true is over-approximated by a fixpoint over the rules; each rule instance
//! met on the way becomes a ground rule. Relations that depend on neither state nor moves are
//! computed exactly and vanish. The result is then sharpened: whatever is known true or false is
//! removed, and fluents that playouts need not carry keep a recipe by which they can be shown.

mod account;
mod choices;
mod connectives;
mod degrees;
mod demand;
mod emit;
mod engine;
mod evaluate;
mod fixpoint;
mod functors;
#[expect(clippy::module_inception, reason = "the stage's one entry point")]
mod ground;
mod grouping;
mod instances;
mod limits;
mod normalize;
mod pace;
mod plan;
mod print;
mod program;
mod relation;
mod rules;
pub mod sharpen;
mod specialize;
mod split;
mod symmetry;
mod unfold;

pub use evaluate::GroundGame;
pub use ground::{Grounding, Options, RuleWeight, ground};
pub use limits::{GroundError, Growth, Limits, NoWatch, Stage, StageSizes, Watch};
pub(crate) use print::atom_text;
pub use print::print_ground;
pub use rules::{
    Arguments, AtomId, Fluent, GroundAtom, GroundLiteral, GroundRules, HelperArguments, Recipe,
    RuleTable,
};
pub use symmetry::{Symmetries, Symmetry, SymmetryGroup, symmetries};
