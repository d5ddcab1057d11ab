//! The text of a sentence taken apart, and the order in which texts are shown.

use std::cmp::Ordering;

/// A sentence: its name and the texts of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) name: String,
    pub(super) args: Vec<String>,
}

impl Sentence {
    /// Splits `(name arg ...)` or `name`. Nested arguments stay whole.
    pub(super) fn read(text: &str) -> Sentence {
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
        let mut parts = vec![String::new()];
        let mut depth = 0usize;
        for c in inner.chars() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            match parts.last_mut() {
                Some(_) if c == ' ' && depth == 0 => parts.push(String::new()),
                Some(last) => last.push(c),
                None => {}
            }
        }
        let mut parts = parts.into_iter().filter(|part| !part.is_empty());
        Sentence { name: parts.next().unwrap_or_default(), args: parts.collect() }
    }
}

/// What kind of coordinate a text looks like, with its number: `7` is a bare number, `c` the third
/// letter, `row7` the seventh of its kind.
pub(super) fn coordinate(text: &str) -> Option<(&str, i64)> {
    if let Ok(number) = text.parse() {
        return Some(("", number));
    }
    if let [letter @ b'a'..=b'z'] = text.as_bytes() {
        return Some(("letter", i64::from(letter - b'a')));
    }
    let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (prefix, number) = text.split_at(text.len() - digits);
    let is_short_word = prefix.len() <= 8 && prefix.chars().all(|c| c.is_alphabetic() || c == '_');
    if digits == 0 || digits > 3 || !is_short_word {
        return None;
    }
    Some((prefix, number.parse().ok()?))
}

/// The letter and the number of a place such as `c4`.
pub(super) fn joined(text: &str) -> Option<(&str, &str)> {
    let (letter, number) = text.split_at_checked(1)?;
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    (letter.bytes().all(|b| b.is_ascii_lowercase()) && is_number).then_some((letter, number))
}

/// Numbers by value, letters by the alphabet, `row2` before `row10`.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    match (coordinate(a), coordinate(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
    .then_with(|| a.cmp(b))
}

/// The same for lists of texts.
pub(super) fn compare_lists(a: &[String], b: &[String]) -> Ordering {
    let differing = a.iter().zip(b).map(|(a, b)| compare(a, b)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| a.len().cmp(&b.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_taken_apart() {
        let read = Sentence::read("(cell 1 (pos a b) x)");
        assert_eq!(
            (read.name.as_str(), read.args.as_slice()),
            ("cell", ["1", "(pos a b)", "x"].map(String::from).as_slice())
        );
        assert_eq!(Sentence::read("over"), Sentence { name: "over".into(), args: vec![] });
    }

    #[test]
    fn texts_are_ordered_as_people_count() {
        let mut texts = ["row10", "b", "10", "row2", "a", "9", "long name", "-1"];
        texts.sort_by(|a, b| compare(a, b));
        assert_eq!(texts, ["-1", "9", "10", "a", "b", "row2", "row10", "long name"]);
    }
}
