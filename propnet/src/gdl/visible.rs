//! Characters that a terminal obeys, or that nobody sees, made visible.
//!
//! A right-to-left mark in a sheet can make a line read as something else than it says; an escape
//! sequence can clear the screen. Symbols must not contain such characters, and whatever else is
//! shown of a sheet or a message is shown with them escaped.

use std::borrow::Cow;

/// Whether a character has no picture of its own: control characters, marks for the direction of
/// text, separators of lines, and what has no width.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A text on one line in which every hidden character is written as an escape, such as `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    text.chars().for_each(|c| push_visible(&mut shown, c));
    shown.into()
}

/// Adds a character, escaped where it is hidden.
pub(super) fn push_visible(shown: &mut String, c: char) {
    if is_hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(visible("plain é ж 漢 😀"), "plain é ж 漢 😀");
        assert_eq!(visible("a\u{202e}b\u{2066}c"), "a\\u{202e}b\\u{2066}c");
        assert_eq!(visible("\u{1b}[2J\n\u{200f}"), "\\u{1b}[2J\\n\\u{200f}");
        assert!(matches!(visible("as it is"), Cow::Borrowed(_)));
    }
}
