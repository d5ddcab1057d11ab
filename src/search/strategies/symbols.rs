//! What fluents are made of, told once for each from its text: a relation and its arguments.

use propnet::game::{Game, State, TableId};

/// A fluent in words: its relation first.
pub(super) type Words = Vec<String>;

/// What is known about fluents, by their index; found as they are met.
#[derive(Default)]
pub(super) struct Symbols {
    known: Vec<Option<Words>>,
}

impl Symbols {
    /// The words of a fluent; nested terms count as one word each, brackets left out.
    pub(super) fn of(&mut self, game: &mut dyn Game, table: TableId, fluent: usize) -> &[String] {
        if self.known.len() <= fluent {
            self.known.resize(fluent + 1, None);
        }
        self.known[fluent].get_or_insert_with(|| {
            let sentence = game.sentences(&State::new(table, [fluent])).unwrap_or_default();
            words(sentence.first().map_or("", String::as_str))
        })
    }
}

/// The words of a sentence.
fn words(sentence: &str) -> Words {
    let is_between = |letter: char| letter.is_whitespace() || letter == '(' || letter == ')';
    sentence.split(is_between).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fluent_is_a_relation_and_its_arguments() {
        assert_eq!(words("(cell 1 2 Red)"), ["cell", "1", "2", "red"]);
        assert_eq!(words("(at (pos 3 4))"), ["at", "pos", "3", "4"]);
        assert_eq!(words("done"), ["done"]);
    }
}
