//! The rules as players get them: without comments, and with another initial state if the match
//! starts in one.

use propnet::gdl::{Rules, print_rule, word};

/// The rules as text, with these sentences for the initial state. A match that starts in the middle
/// of a game is an ordinary match of that sheet, for every kind of player.
pub fn starting_at(rules: &Rules, sentences: Option<&[String]>) -> String {
    let kept =
        rules.rules.iter().filter(|rule| sentences.is_none() || rule.head.relation != word::INIT);
    let mut text = String::new();
    for rule in kept {
        text.push_str(&print_rule(rule, &rules.symbols));
        text.push('\n');
    }
    for sentence in sentences.unwrap_or_default() {
        text.push_str(&format!("(init {})\n", rules.symbols.spell(sentence)));
    }
    text
}

#[cfg(test)]
mod tests {
    use propnet::gdl::Source;
    use propnet::reference;

    use super::*;

    #[test]
    fn a_sheet_starts_where_it_is_told() {
        let sheet = "(role A) ; a comment\n(init (Cell 1 b)) (<= (init x) (role a))
            (<= (legal A (Go ?n)) (true (cell ?n b))) (<= (next (cell 1 b)) (does a ?m))
            (<= terminal (not (true x))) (goal a 1)";
        let rules = reference::load(Source::from_text("s", sheet)).expect("rules");
        let sentences = ["(cell 2 b)".to_string(), "x".to_string()];
        let text = starting_at(&rules, Some(&sentences));
        assert!(text.starts_with("(role A)\n(<= (legal A (Go ?n))"), "{text}");
        assert!(text.ends_with("(goal A 1)\n(init (Cell 2 b))\n(init x)\n"), "{text}");
        assert!(starting_at(&rules, None).contains("(init (Cell 1 b))"));
    }
}
