//! Short symbols for what stands on a board.

use std::collections::{BTreeMap, BTreeSet};

use super::group::Group;
use super::hints::Hints;
use super::sides::Sides;

/// Names that sheets give to an empty cell.
const BLANKS: &[&str] = &["b", "blank", "empty", "e", "none", "nil", "clear", "free", "-"];

/// The symbol of an empty cell.
const BLANK: &str = ".";

/// Contents longer than this are abbreviated.
const SHORT: usize = 2;

/// Whether this name means an empty cell.
pub(super) fn is_blank(content: &str) -> bool {
    BLANKS.contains(&content)
}

/// The content of a sentence that names a cell but no content: a mark.
const MARK: &str = "#";

/// The symbols of the contents of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    symbols: BTreeMap<String, String>,
    clashed: bool,
    /// What the symbols of two sides mean.
    sides: Option<Vec<String>>,
    /// The side of each content, and its kind, where contents have both.
    pub(super) parts: BTreeMap<String, (String, String)>,
    /// Contents whose symbols the sheet gives.
    hinted: BTreeSet<String>,
}

impl Pieces {
    /// The symbols of the contents that boards can have, in a game with these roles.
    pub(super) fn new(group: &Group, roles: &[String], hints: &Hints) -> Self {
        let contents: BTreeSet<&str> = group.contents.iter().map(String::as_str).collect();
        let mut pieces = Pieces::default();
        for (content, hinted) in hints.pieces() {
            pieces.symbols.insert(content.to_string(), hinted.unwrap_or(BLANK).to_string());
            pieces.hinted.insert(content.to_string());
        }
        let usual = usual_content(group, roles);
        if let Some(blank) = usual {
            pieces.symbols.insert(blank.to_string(), BLANK.to_string());
        }
        let is_piece = |content: &&str| !is_blank(content) && usual != Some(content);
        if let Some(sides) = Sides::of(&contents.iter().copied().filter(is_piece).collect(), roles)
        {
            for (content, symbol) in sides.symbols {
                pieces.symbols.entry(content).or_insert(symbol);
            }
            pieces.sides = Some(sides.legend);
            pieces.parts = sides.parts;
        }
        pieces.learn(contents.into_iter());
        pieces
    }

    /// Whether all contents have a symbol.
    pub(super) fn know_all(&self, group: &Group) -> bool {
        group.contents.iter().all(|content| self.symbols.contains_key(content))
    }

    /// What is shown on a cell with these contents, side by side. Where the sheet says explicitly
    /// which cells are empty, a cell about which it says nothing does not exist at this time.
    pub(super) fn on_cell(&self, contents: &[String]) -> String {
        match contents {
            [] if self.has_blanks() => " ".to_string(),
            [] => BLANK.to_string(),
            contents => {
                contents.iter().filter_map(|content| self.symbols.get(content)).cloned().collect()
            }
        }
    }

    /// Learns contents that are seen together, the shortest first, so that `x` gets its symbol
    /// before an `xplayer` can claim it. If there are both `b` and `w`, neither is blank: they are
    /// colours.
    fn learn<'a>(&mut self, contents: impl Iterator<Item = &'a str>) {
        let mut contents: Vec<&str> = contents.collect();
        contents.sort_by_key(|content| (content.len(), *content));
        contents.dedup();
        if contents.contains(&"w") {
            self.symbols.entry("b".to_string()).or_insert_with(|| "b".to_string());
        }
        for content in contents {
            if !self.symbols.contains_key(content) {
                let symbol = self.choose(content);
                self.symbols.insert(content.to_string(), symbol);
            }
        }
    }

    /// What the symbols mean, unless they are self-explanatory.
    pub(super) fn legend(&self) -> Option<Vec<String>> {
        if self.sides.is_some() || !self.clashed {
            return self.sides.clone();
        }
        let entries = self.symbols.iter().filter(|(content, symbol)| content != symbol);
        Some(entries.map(|(content, symbol)| format!("{symbol} {content}")).collect())
    }

    /// The symbol of a content; none if it means an empty cell.
    pub(super) fn symbol(&self, content: &str) -> Option<&str> {
        self.symbols.get(content).map(String::as_str).filter(|symbol| *symbol != BLANK)
    }

    /// Whether the sheet says how a content is shown.
    pub(super) fn is_hinted(&self, content: &str) -> bool {
        self.hinted.contains(content)
    }

    /// Whether a blank is among the contents.
    pub(super) fn has_blanks(&self) -> bool {
        self.symbols.values().any(|symbol| symbol == BLANK)
    }

    fn choose(&mut self, content: &str) -> String {
        if is_blank(content) {
            return BLANK.to_string();
        }
        if content.is_empty() {
            return MARK.to_string();
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
        // There is no largest number, so a free symbol is always found.
        pairs.chain(numbered).find(|symbol| self.is_free(symbol)).unwrap_or_default()
    }

    fn is_free(&self, symbol: &str) -> bool {
        !self.symbols.values().any(|taken| taken == symbol)
    }
}

/// The content that means an empty cell, whatever it is called: every cell has a content at the
/// start, most have this one, and no role is named after it. With only two contents, either may be
/// meant.
fn usual_content<'a>(group: &'a Group, roles: &[String]) -> Option<&'a str> {
    if group.contents.len() < 3 || group.contents.iter().any(|content| is_blank(content)) {
        return None;
    }
    let (content, count) = group.first.iter().max_by_key(|(_, count)| **count)?;
    let is_full = group.first.values().sum::<usize>() == group.size();
    let is_role = roles.iter().any(|role| content.starts_with(role.as_str()));
    let is_number = content.parse::<i64>().is_ok();
    (is_full && 2 * count > group.size() && !is_role && !is_number).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(contents: &[&str], symbols: &[&str], legend: Option<&str>) {
        let mut pieces = Pieces::default();
        pieces.learn(contents.iter().copied());
        let found: Vec<String> =
            contents.iter().map(|content| pieces.symbols[*content].clone()).collect();
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
