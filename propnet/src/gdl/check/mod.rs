//! Rules -> findings: the restrictions of the GDL specification.
//!
//! An error makes a sheet unplayable: what it means is open, or cannot be computed. Everything
//! else is a warning. Each kind of check is a file; none evaluates a rule, and each takes time
//! about linear in the size of the sheet, because sheets arrive from strangers.
//!
//! Stratified negation is judged in two steps: [`negative_cycles`] names the rules that could be
//! at fault, and the ground instances of these rules decide.

mod all;
mod arity;
mod chains;
mod connectives;
mod declared;
mod dependence;
mod duplicates;
mod functions;
mod goals;
mod heads;
mod presence;
pub(crate) mod quote;
mod recursion;
mod relations;
mod roles;
mod safety;
mod size;
mod stratify;
mod unify;
mod unused;
mod words;

pub use all::{check, examine};
pub use stratify::{NegativeCycle, negative_cycles};
pub(crate) use unify::may_unify;
