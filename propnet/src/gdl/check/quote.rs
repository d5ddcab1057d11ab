//! Pieces of a sheet inside messages, never longer than a glance.

use crate::gdl::print::print_term;
use crate::gdl::rules::{Rules, Term};
use crate::gdl::symbols::Symbol;

const WIDTH: usize = 60;

/// A name as the sheet spells it.
pub(crate) fn name(rules: &Rules, symbol: Symbol) -> String {
    quoted(rules.symbols.spelling(symbol))
}

/// A name and its number of arguments, as in `p/2`.
pub(crate) fn relation(rules: &Rules, symbol: Symbol, arity: usize) -> String {
    quoted(&format!("{}/{arity}", rules.symbols.spelling(symbol)))
}

pub(crate) fn term(rules: &Rules, term: &Term) -> String {
    quoted(&print_term(term, &rules.symbols))
}

/// `1 argument`, `2 arguments`.
pub(crate) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        _ => format!("{count} arguments"),
    }
}

/// Names that are compared with one that may be a slip: a stranger's sheet can have a million.
const MOST_COMPARED: usize = 2_000;

/// The name among others that one was most likely meant to be, if it is close to any.
pub(crate) fn close_to<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    if letters > WIDTH {
        return None;
    }
    let name = name.to_lowercase();
    // One letter in three may be wrong: `1` is not meant to be `2`, nor `on` to be `of`.
    let most = letters / 3;
    let distance = |other: &str| strsim::osa_distance(&name, &other.to_lowercase());
    let others = others.take(MOST_COMPARED);
    let close = others.filter(|other| other.chars().count().abs_diff(letters) <= most);
    let close = close.map(|other| (distance(other), other)).filter(|&(far, _)| far <= most);
    close.min().map(|(_, other)| other)
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::close_to;

    #[test]
    fn slips_are_close_and_other_words_are_not() {
        let close = |name, others: &[&'static str]| close_to(name, others.iter().copied());
        assert_eq!(close("contrl", &["cell", "control", "step"]), Some("control"));
        assert_eq!(close("pik", &["put", "Pick"]), Some("Pick"));
        assert_eq!(close("1", &["2", "11"]), None);
        assert_eq!(close("noop", &["mark"]), None);
        assert_eq!(close(&"a".repeat(100_000), &["a"]), None);
    }
}
