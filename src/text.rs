//! Text from outside, made safe to show.

use std::borrow::Cow;

use propnet::gdl::visible;

/// The first characters of a text; dots stand for the rest.
pub fn shortened(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A text on one line, without anything that a terminal would interpret: control characters become
/// white space, and other invisible characters are escaped.
pub fn plain(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    let words: Vec<Cow<'_, str>> = text.split_whitespace().map(visible).collect();
    words.join(" ")
}

/// A text of several lines, without anything else that a terminal would interpret.
pub fn plain_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// A text as the content or an attribute of XML or HTML.
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML has no way to write these.
            '\u{0}'..='\u{8}'
            | '\u{b}'
            | '\u{c}'
            | '\u{e}'..='\u{1f}'
            | '\u{fffe}'
            | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_short_and_plain() {
        assert_eq!(plain("one\r\n two\tthree"), "one two three");
        assert_eq!(plain("red: \u{1b}[31m\u{7}"), "red: [31m");
        assert_eq!(plain("left\u{202e}right\u{2028}"), "left\\u{202e}right");
        assert_eq!(plain_lines("a\u{202e}\n b\u{1b}\n"), "a\\u{202e}\n b\\u{1b}");
        assert_eq!((shortened("añb c", 3), shortened("añb", 3)), ("añb...".into(), "añb".into()));
    }

    #[test]
    fn no_text_is_taken_for_markup() {
        assert_eq!(
            xml("<a b='c' d=\"&\">\u{1}"),
            "&lt;a b=&#39;c&#39; d=&quot;&amp;&quot;&gt;\u{fffd}"
        );
    }
}
