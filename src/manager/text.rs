//! What others say, as people see it: short, and on one line.

/// The first letters of a text, on one line; dots stand for those that are left out.
pub(super) fn shortened(text: &str, letters: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// A text without anything that a terminal would obey.
pub(super) fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}
