//! Text -> Rules: reading, printing and checking GDL rule sheets.
//!
//! Nothing here evaluates a rule. Every token and rule keeps its [`Span`], so that each later
//! stage can name the place in the sheet that a complaint is about.

pub mod check;
mod expr;
mod finding;
mod findings;
mod outline;
mod parse;
mod print;
mod render;
mod rules;
mod source;
mod symbols;
mod token;
mod visible;

pub use expr::{Expr, ExprKind, MAX_DEPTH, read_expressions};
pub use finding::{Finding, Severity, SheetError};
pub(crate) use findings::Findings;
pub use findings::sort_findings;
pub use outline::{Item, Outline, outline};
pub use parse::{parse, parse_ground_term};
pub use print::{print_atom, print_literal, print_rule, print_rules, print_term};
pub use render::Ink;
pub use rules::{Atom, Literal, LiteralKind, Rule, Rules, Term, TermKind};
pub use source::{Place, Source, Span};
pub use symbols::{Symbol, Symbols, word};
pub use visible::{is_hidden, visible};
