//! A name for a game of which only the rules are known.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::library;
use crate::trace::hash_each;

/// The name of a sheet's game: that of the library, if the library has the sheet, otherwise
/// `sheet-` and a number that is the same for the same rules, so that records of one game can be
/// found. Comments, spacing and letter case do not matter.
pub fn game_name(sheet: &str) -> String {
    // All sheets are read only once, because that takes a while.
    static KNOWN: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
        library::ENTRIES.iter().map(|entry| (fingerprint(entry.text), entry.name)).collect()
    });
    let number = fingerprint(sheet);
    let known = KNOWN.get(&number);
    known.map_or_else(|| format!("sheet-{number}"), |name| name.to_string())
}

/// The hash of the words and parentheses: comments, spacing and letter case do not matter.
pub fn fingerprint(sheet: &str) -> String {
    // A comment ends with its line.
    let lines = sheet.split(['\n', '\r']).filter_map(|line| line.split(';').next());
    let texts = lines.flat_map(str::split_whitespace);
    let pieces = texts.flat_map(|text| text.split_inclusive(['(', ')']));
    let words = pieces.flat_map(|piece| {
        let (word, parenthesis) = piece.split_at(piece.trim_end_matches(['(', ')']).len());
        [word, parenthesis].into_iter().filter(|part| !part.is_empty())
    });
    // One word at a time: sheets may be large and come from untrusted sources.
    hash_each(words.map(str::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_the_library_are_known_however_they_are_written() {
        let entry = library::find("tic_tac_toe").expect("a sheet of our own");
        assert_eq!(game_name(entry.text), "tic_tac_toe");
        let lines = entry.text.lines().map(|line| line.split(';').next().unwrap_or_default());
        let bare = lines.collect::<Vec<_>>().join("\t").replace(')', " )").to_uppercase();
        assert_eq!(game_name(&bare), "tic_tac_toe");
    }

    #[test]
    fn other_sheets_have_a_number_of_their_own() {
        let name = game_name("(role a) ; comment\n(init (Cell 1 b))");
        assert_eq!(name, "sheet-4a38d789fc72c768");
        assert_eq!(game_name("(ROLE A)(init\n(cell 1   b))"), name);
        assert_eq!(game_name("(role a) ; comment\r(init (cell 1 b))"), name);
        for other in ["(role a) (init (cell 1b))", "(role a) (init (cell 1) b)", "(role a)", ""] {
            assert_ne!(game_name(other), name);
        }
    }

    #[test]
    fn no_two_sheets_of_the_library_are_one() {
        for entry in library::ENTRIES {
            assert_eq!(game_name(entry.text), entry.name);
        }
    }
}
