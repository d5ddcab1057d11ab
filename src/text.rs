//! What others say, as people see it.

use std::borrow::Cow;

use propnet::gdl::visible;

/// The first letters of a text; dots stand for those that are left out.
pub fn shortened(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A text on one line, without anything that a terminal would obey: control characters are white
/// space, and other characters that nobody sees are escaped.
pub fn plain(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    let words: Vec<Cow<'_, str>> = text.split_whitespace().map(visible).collect();
    words.join(" ")
}

/// A text of several lines without anything else that a terminal would obey.
pub fn plain_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// A text with each character that a terminal would obey, or that ends a line, written as an escape:
/// one line, from which the text can be told.
pub fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_control() || is_format(letter) {
            true => line.extend(letter.escape_default()),
            false => line.push(letter),
        }
    }
    line
}

/// Whether a character separates lines or changes the direction of others, unseen.
fn is_format(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_one_line() {
        assert_eq!(escaped("a\r\nb\tñ"), "a\\r\\nb\\tñ");
        assert_eq!(escaped("\u{1b}[31m \u{202e}x\u{2028}"), "\\u{1b}[31m \\u{202e}x\\u{2028}");
    }

    #[test]
    fn texts_become_short_and_plain() {
        assert_eq!(plain("one\r\n two\tthree"), "one two three");
        assert_eq!(plain("red: \u{1b}[31m\u{7}"), "red: [31m");
        assert_eq!(plain("left\u{202e}right\u{2028}"), "left\\u{202e}right");
        assert_eq!(plain_lines("a\u{202e}\n b\u{1b}\n"), "a\\u{202e}\n b\\u{1b}");
        assert_eq!((shortened("añb c", 3), shortened("añb", 3)), ("añb...".into(), "añb".into()));
    }
}
