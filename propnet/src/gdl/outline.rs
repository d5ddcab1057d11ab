//! The top level of a text alone: where its words and lists stand, and how much is in each.
//!
//! A message may be large and has a handful of parts, so nothing is built for what is inside them.

use super::expr::{MAX_DEPTH, missing, surplus, too_deep};
use super::finding::Finding;
use super::findings::Findings;
use super::token::{TokenKind, Tokens};

/// The top level of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline<'t> {
    /// The first items, as many as were asked for.
    pub items: Vec<Item<'t>>,
    /// How many items there are.
    pub count: usize,
}

/// A word or a list at the top level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<'t> {
    /// Its text; for a list, the parentheses included.
    pub text: &'t str,
    /// Whether it is a list.
    pub is_list: bool,
    /// How many words and lists it consists of, itself included: what it takes to parse it goes by
    /// that, not by its length.
    pub size: usize,
}

impl<'t> Item<'t> {
    /// What stands between the parentheses; `None` for a word.
    pub fn inside(&self) -> Option<&'t str> {
        self.text.strip_prefix('(')?.strip_suffix(')')
    }
}

/// The top level of a text, with its first `most` items. The memory it takes depends on `most`, not
/// on the text. The error is the first thing that is wrong with the text.
pub fn outline(text: &str, most: usize) -> Result<Outline<'_>, Box<Finding>> {
    let mut outline = Outline::default();
    let mut findings = Findings::default();
    let mut tokens = Tokens::new(text);
    // The items that are open: only the outermost one is of interest.
    let (mut first, mut depth, mut size) = (None, 0, 0);
    while let Some(token) = tokens.next(&mut findings) {
        match token.kind {
            TokenKind::Open if depth == MAX_DEPTH => findings.push(too_deep(token.span)),
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => findings.push(surplus(token.span)),
            TokenKind::Close => depth -= 1,
            TokenKind::Word => {}
        }
        if findings.has_errors() {
            break;
        }
        size += usize::from(token.kind != TokenKind::Close);
        let start = *first.get_or_insert(token.span);
        if depth == 0 {
            if outline.items.len() < most {
                let text = &text[start.start as usize..token.span.end as usize];
                outline.items.push(Item { text, is_list: token.kind == TokenKind::Close, size });
            }
            outline.count += 1;
            (first, size) = (None, 0);
        }
    }
    if let Some(finding) = findings.into_sorted().into_iter().next() {
        return Err(finding.into());
    }
    match first {
        Some(start) => Err(missing(start).into()),
        None => Ok(outline),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<(&str, bool, usize)> {
        let outline = outline(text, 3).expect("an outline");
        outline.items.iter().map(|item| (item.text, item.is_list, item.size)).collect()
    }

    #[test]
    fn only_the_top_level_is_listed() {
        let text = " start;(\n ((a b) () c)x(y)z ";
        let expected = [("start", false, 1), ("((a b) () c)", true, 6), ("x", false, 1)];
        assert_eq!(items(text), expected);
        let found = outline(text, 3).expect("an outline");
        assert_eq!((found.count, found.items[1].inside()), (5, Some("(a b) () c")));
        assert_eq!(outline("", 1).expect("an outline"), Outline::default());
    }

    #[test]
    fn what_is_wrong_is_an_error() {
        let deep = "(".repeat(MAX_DEPTH + 1);
        for (text, code) in [
            ("(a (b)", "missing-parenthesis"),
            ("a) (", "surplus-parenthesis"),
            ("(a \u{1}b", "bad-character"),
            (deep.as_str(), "too-deep"),
        ] {
            assert_eq!(outline(text, 9).expect_err(text).code, code);
        }
    }
}
