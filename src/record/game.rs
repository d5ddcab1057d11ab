//! A name for a game of which only the rules are known.

use crate::library;

/// What the game of a sheet is called: as in the library, if it is one of its sheets, otherwise
/// `sheet-` and a number that is the same for the same rules, so that records of one game can be
/// found. Comments, spacing and letter case do not count.
pub fn game_name(sheet: &str) -> String {
    let number = fingerprint(sheet);
    let known = library::ENTRIES.iter().find(|entry| fingerprint(entry.text) == number);
    known.map_or_else(|| format!("sheet-{number:016x}"), |entry| entry.name.to_string())
}

/// FNV-1a of the words and parentheses: records are compared for years, so it has to stay the same.
fn fingerprint(sheet: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |text: &str| {
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for line in sheet.lines() {
        // A comment ends with its line.
        let line = line.split(';').next().unwrap_or_default().to_lowercase();
        for part in line.split_inclusive(['(', ')']) {
            let (words, parenthesis) = part.split_at(part.trim_end_matches(['(', ')']).len());
            for word in words.split_whitespace() {
                add(word);
                // No two words are one.
                add(" ");
            }
            add(parenthesis);
        }
    }
    hash
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
        assert_eq!(name, "sheet-57d9546b5178bc10");
        assert_eq!(game_name("(ROLE A)(init\n(cell 1   b))"), name);
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
