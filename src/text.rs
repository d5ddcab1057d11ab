//! What others say, as people see it.

/// The first letters of a text; dots stand for those that are left out.
pub fn shortened(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// A text on one line, without anything that a terminal would obey.
pub fn plain(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_short_and_plain() {
        assert_eq!(plain("one\r\n two\tthree"), "one two three");
        assert_eq!(plain("red: \u{1b}[31m\u{7}"), "red: [31m");
        assert_eq!((shortened("añb c", 3), shortened("añb", 3)), ("añb...".into(), "añb".into()));
    }
}
