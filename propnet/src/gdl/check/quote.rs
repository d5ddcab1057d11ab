//! Pieces of a sheet inside messages, never longer than a glance.

use crate::gdl::print::print_term;
use crate::gdl::rules::{Rules, Term};
use crate::gdl::symbols::Symbol;

const WIDTH: usize = 60;

/// A name as the sheet spells it.
pub(super) fn name(rules: &Rules, symbol: Symbol) -> String {
    quoted(rules.symbols.spelling(symbol))
}

/// A name and its number of arguments, as in `p/2`.
pub(super) fn relation(rules: &Rules, symbol: Symbol, arity: usize) -> String {
    quoted(&format!("{}/{arity}", rules.symbols.spelling(symbol)))
}

pub(super) fn term(rules: &Rules, term: &Term) -> String {
    quoted(&print_term(term, &rules.symbols))
}

/// `1 argument`, `2 arguments`.
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        _ => format!("{count} arguments"),
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}
