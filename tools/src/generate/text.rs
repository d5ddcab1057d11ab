//! What sheets are made of: comments and runs of facts.

use std::fmt::Display;

/// The maximal width of comments.
const WIDTH: usize = 79;

/// Rules about numbers, over the facts `succ` and `points`.
pub(super) const NUMBERS: &str = "
(<= (less ?m ?n)
    (succ ?m ?n))
(<= (less ?l ?n)
    (succ ?l ?m)
    (less ?m ?n))

(<= (plus ?n 0 ?n)
    (points ?n))
(<= (plus ?n ?v2 ?m2)
    (plus ?n ?v ?m)
    (succ ?v ?v2)
    (succ ?m ?m2))

";

/// The goals of games that one player wins, over `turn`, `wins` and `decided`.
pub(super) const GOALS: &str = "\
(<= (goal ?p 100)
    (wins ?p))
(<= (goal ?p 0)
    (turn ?p ?q)
    (wins ?q))
(<= (goal ?p 50)
    (role ?p)
    (not decided))
";

/// Text as comment lines, broken between words.
pub(super) fn comment(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::from(";;");
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            lines += &line;
            lines.push('\n');
            line = String::from(";;");
        }
        line.push(' ');
        line += word;
    }
    lines + &line
}

/// `(name 1)`, `(name 2)`, ... on lines of their own.
pub(super) fn facts(name: &str, values: impl IntoIterator<Item = impl Display>) -> String {
    let lines: Vec<String> = values.into_iter().map(|value| format!("({name} {value})")).collect();
    lines.join("\n")
}

/// `(name 0 1)`, `(name 1 2)`, ..., up to `last`.
pub(super) fn successors(name: &str, first: u32, last: u32) -> String {
    facts(name, (first..last).map(|number| format!("{number} {}", number + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_broken_between_words() {
        let text = comment(&"word ".repeat(40));
        assert!(text.lines().all(|line| line.starts_with(";; word") && line.len() <= WIDTH));
        assert_eq!(text.matches("word").count(), 40);
    }

    #[test]
    fn facts_are_lines() {
        assert_eq!(facts("card", 1..=2), "(card 1)\n(card 2)");
        assert_eq!(successors("succ", 0, 2), "(succ 0 1)\n(succ 1 2)");
    }
}
