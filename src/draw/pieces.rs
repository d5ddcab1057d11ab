//! Short symbols for what stands on a board.

use std::collections::BTreeMap;

/// Names that sheets give to nothing.
const BLANKS: &[&str] = &["b", "blank", "empty", "e", "none", "nil", "clear", "free", "-"];

/// The symbol of nothing.
pub(super) const BLANK: &str = ".";

/// Contents longer than this are abbreviated.
const SHORT: usize = 2;

/// The symbols chosen so far. A content keeps its symbol.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    symbols: BTreeMap<String, String>,
    clashed: bool,
}

impl Pieces {
    /// The symbol of a content: `.` for blanks, short contents as they are, else the first letter,
    /// or more where that is taken.
    pub(super) fn symbol(&mut self, content: &str) -> String {
        if let Some(symbol) = self.symbols.get(content) {
            return symbol.clone();
        }
        let symbol = self.choose(content);
        self.symbols.insert(content.to_string(), symbol.clone());
        symbol
    }

    /// Learns contents that are seen together, the shortest first, so that `x` is taken before
    /// an `xplayer` could claim it. Of `b` and `w` neither is blank: they are colours.
    pub(super) fn learn<'a>(&mut self, contents: impl Iterator<Item = &'a str>) {
        let mut contents: Vec<&str> = contents.collect();
        contents.sort_by_key(|content| (content.len(), *content));
        contents.dedup();
        if contents.contains(&"w") {
            self.symbols.entry("b".to_string()).or_insert_with(|| "b".to_string());
        }
        for content in contents {
            self.symbol(content);
        }
    }

    /// What the symbols mean, if a first letter was not enough to tell.
    pub(super) fn legend(&self) -> Option<Vec<String>> {
        if !self.clashed {
            return None;
        }
        let entries = self.symbols.iter().filter(|(content, symbol)| content != symbol);
        Some(entries.map(|(content, symbol)| format!("{symbol} {content}")).collect())
    }

    /// Whether a blank is among the contents.
    pub(super) fn has_blanks(&self) -> bool {
        self.symbols.values().any(|symbol| symbol == BLANK)
    }

    fn choose(&mut self, content: &str) -> String {
        if BLANKS.contains(&content) {
            return BLANK.to_string();
        }
        let words: Vec<Vec<char>> = content
            .split([' ', '(', ')', '_', '-'])
            .filter(|word| !word.is_empty())
            .map(|word| word.chars().collect())
            .collect();
        let letters: Vec<char> = words.concat();
        if letters.len() <= SHORT || content.parse::<i64>().is_ok() {
            let short: String = letters.iter().collect();
            if self.is_free(&short) {
                return short;
            }
        }
        let first = letters.first().copied().unwrap_or('?');
        let initials: String = words.iter().filter_map(|word| word.first()).take(3).collect();
        if self.is_free(&initials) && !initials.is_empty() {
            self.clashed |= words.len() > 1;
            return initials;
        }
        self.clashed = true;
        let pairs = letters.iter().skip(1).map(|&second| format!("{first}{second}"));
        let numbered = (2..).map(|number: u32| format!("{first}{number}"));
        // The numbers never end, so something is found.
        pairs.chain(numbered).find(|symbol| self.is_free(symbol)).unwrap_or_default()
    }

    fn is_free(&self, symbol: &str) -> bool {
        !self.symbols.values().any(|taken| taken == symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(contents: &[&str], symbols: &[&str], legend: Option<&str>) {
        let mut pieces = Pieces::default();
        pieces.learn(contents.iter().copied());
        let found: Vec<String> = contents.iter().map(|content| pieces.symbol(content)).collect();
        assert_eq!(found, symbols);
        assert_eq!(pieces.legend().map(|legend| legend.join(", ")).as_deref(), legend);
    }

    #[test]
    fn blanks_and_short_names() {
        check(&["x", "o", "b"], &["x", "o", "."], None);
        check(&["w", "b", "empty"], &["w", "b", "."], None);
        check(&["12", "3", "wp"], &["12", "3", "wp"], None);
    }

    #[test]
    fn longer_names_get_letters_and_a_legend_where_one_is_not_enough() {
        check(&["white", "black", "blank"], &["w", "b", "."], None);
        check(
            &["king", "knight", "black king"],
            &["k", "kn", "bk"],
            Some("bk black king, k king, kn knight"),
        );
    }
}
