//! Rules -> GroundRules: no variable survives this stage.
//!
//! What can ever be true is over-approximated by a fixpoint over the rules; each rule instance
//! met on the way becomes a ground rule. Relations that depend on neither state nor moves are
//! computed exactly and vanish. The result is then sharpened: whatever is known true or false is
//! removed, and fluents that playouts need not carry keep a recipe by which they can be shown.

mod rules;
pub mod sharpen;

pub use rules::{Atom, AtomId, Fluent, GroundLiteral, GroundRules, Recipe, RuleTable};
