//! Pieces of several sides. Those of two sides are written as in chess: capital letters for the
//! first side, small letters for the second. With more sides, each symbol begins with a letter for
//! the side.

use std::collections::{BTreeMap, BTreeSet};

/// The contents of a board as pieces of several sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sides {
    /// The symbol of each content.
    pub(super) symbols: BTreeMap<String, String>,
    /// The side of each content, and its kind.
    pub(super) parts: BTreeMap<String, (String, String)>,
    /// What the symbols mean.
    pub(super) legend: Vec<String>,
}

/// With more kinds of pieces than this, one letter is not enough to recognise them.
const MOST_KINDS: usize = 12;

/// Well-known sides; the one that moves first comes first.
const KNOWN: &[(&str, &str)] = &[("white", "black"), ("light", "dark")];

impl Sides {
    /// The contents, none of them blank, as pieces of sides, if all of them are.
    pub(super) fn of(contents: &BTreeSet<&str>, roles: &[String]) -> Option<Sides> {
        let known = KNOWN.iter().copied();
        let own = match roles {
            [one, two] => Some((one.as_str(), two.as_str())),
            _ => None,
        };
        let two = known.chain(own).find_map(|sides| Sides::of_two(contents, sides));
        two.or_else(|| Sides::of_many(contents, roles))
    }

    fn of_two(contents: &BTreeSet<&str>, sides: (&str, &str)) -> Option<Sides> {
        let parts: Option<Vec<(&str, bool, String)>> = contents
            .iter()
            .map(|content| {
                let kind = |side, other| kind_of(content, side, other);
                let first = kind(sides.0, sides.1).map(|kind| (*content, true, kind));
                first.or_else(|| kind(sides.1, sides.0).map(|kind| (*content, false, kind)))
            })
            .collect();
        let parts = parts?;
        let has = |first| parts.iter().any(|part| part.1 == first);
        let letters = letters(parts.iter().map(|part| part.2.as_str()).collect())?;
        if !has(true) || !has(false) {
            return None;
        }
        let symbol = |first: bool, kind: &str| {
            let letter = letters[kind];
            String::from(if first { letter.to_ascii_uppercase() } else { letter })
        };
        let symbols =
            parts.iter().map(|(content, first, kind)| (content.to_string(), symbol(*first, kind)));
        let symbols = symbols.collect();
        let mut legend =
            vec![format!("capitals {}", sides.0), format!("small letters {}", sides.1)];
        let named = letters.iter().filter(|(kind, _)| kind.len() > 1);
        legend.extend(named.map(|(kind, letter)| format!("{letter} {kind}")));
        let side = |first| if first { sides.0 } else { sides.1 };
        let parts = parts.iter().map(|(content, first, kind)| {
            (content.to_string(), (side(*first).to_string(), kind.clone()))
        });
        Some(Sides { symbols, parts: parts.collect(), legend })
    }
}

impl Sides {
    fn of_many(contents: &BTreeSet<&str>, roles: &[String]) -> Option<Sides> {
        let initials: BTreeSet<Option<char>> =
            roles.iter().map(|role| role.chars().next()).collect();
        if roles.len() < 3 || initials.len() < roles.len() {
            return None;
        }
        let part = |content: &&str| {
            let mut sides =
                roles.iter().filter_map(|role| Some((role, kind_of(content, role, "")?)));
            sides.next().map(|(role, kind)| (content.to_string(), role, kind))
        };
        let parts: Vec<(String, &String, String)> =
            contents.iter().map(part).collect::<Option<_>>()?;
        let letters = letters(parts.iter().map(|part| part.2.as_str()).collect())?;
        let symbol = |role: &str, kind: &str| role.chars().take(1).chain([letters[kind]]).collect();
        let symbols =
            parts.iter().map(|(content, role, kind)| (content.clone(), symbol(role, kind)));
        let sides =
            roles.iter().map(|role| format!("{} {role}", role.chars().take(1).collect::<String>()));
        let kinds = letters.iter().filter(|(kind, _)| kind.len() > 1);
        let kinds = kinds.map(|(kind, letter)| format!("then {letter} {kind}"));
        let (symbols, legend) = (symbols.collect(), sides.chain(kinds).collect());
        let parts = parts
            .iter()
            .map(|(content, role, kind)| (content.clone(), (role.to_string(), kind.clone())));
        Some(Sides { symbols, parts: parts.collect(), legend })
    }
}

/// The kind of a piece of a side: `pawn` of `white pawn`, `white_pawn` and `whitepawn`, `p` of
/// `wp`.
fn kind_of(content: &str, side: &str, other: &str) -> Option<String> {
    let words: Vec<&str> = content.split([' ', '_', '-', '(', ')']).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    if words.contains(&side) {
        let rest: Vec<&str> = words.into_iter().filter(|word| *word != side).collect();
        return (!rest.is_empty()).then(|| rest.join(" "));
    }
    let [word] = words[..] else { return None };
    let rest = word.strip_prefix(side).or_else(|| {
        let initial = side.chars().next()?;
        let rest = word.strip_prefix(initial).filter(|rest| rest.chars().count() == 1);
        rest.filter(|_| !other.starts_with(initial))
    });
    rest.filter(|rest| !rest.is_empty()).map(str::to_string)
}

/// A letter for each kind: its first letter that is free. Short names choose first, so a king is
/// `k` and a knight is `n`.
fn letters(kinds: BTreeSet<&str>) -> Option<BTreeMap<&str, char>> {
    let mut kinds: Vec<&str> = kinds.into_iter().collect();
    kinds.sort_by_key(|kind| (kind.len(), *kind));
    let mut letters: BTreeMap<&str, char> = BTreeMap::new();
    for kind in kinds.iter().take(MOST_KINDS + 1) {
        let free = |letter: &char| {
            letter.is_ascii_lowercase() && !letters.values().any(|taken| taken == letter)
        };
        let letter = kind.chars().find(free)?;
        letters.insert(kind, letter);
    }
    (letters.len() <= MOST_KINDS).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(contents: &[&str], roles: &[&str], expected: Option<(&str, &str)>) {
        let roles: Vec<String> = roles.iter().map(|role| role.to_string()).collect();
        let sides = Sides::of(&contents.iter().copied().collect(), &roles);
        let found = sides.map(|sides| {
            let symbols: Vec<&str> =
                contents.iter().map(|content| sides.symbols[*content].as_str()).collect();
            (symbols.join(" "), sides.legend.join(", "))
        });
        let expected = expected.map(|(symbols, legend)| (symbols.to_string(), legend.to_string()));
        assert_eq!(found, expected);
    }

    #[test]
    fn chess_pieces_are_letters() {
        check(
            &["white_king", "white_knight", "black_knight", "black_pawn"],
            &["white", "black"],
            Some(("K N n p", "capitals white, small letters black, k king, n knight, p pawn")),
        );
        check(
            &["wk", "wn", "bn", "bp"],
            &["red", "black"],
            Some(("K N n p", "capitals white, small letters black")),
        );
        check(
            &["white pawn", "black king"],
            &["a", "b"],
            Some(("P k", "capitals white, small letters black, k king, p pawn")),
        );
    }

    #[test]
    fn sides_may_be_called_like_roles() {
        check(
            &["nk", "np", "sk"],
            &["north", "south"],
            Some(("K P k", "capitals north, small letters south")),
        );
        check(
            &["blueship", "redship"],
            &["red", "blue"],
            Some(("s S", "capitals red, small letters blue, s ship")),
        );
    }

    #[test]
    fn more_sides_have_letters_of_their_own() {
        check(
            &["redpawn", "redknight", "bluepawn", "yellowpawn"],
            &["red", "yellow", "blue"],
            Some(("rp rk bp yp", "r red, y yellow, b blue, then k knight, then p pawn")),
        );
        check(
            &["ek", "np", "sk", "wk"],
            &["east", "north", "south", "west"],
            Some(("ek np sk wk", "e east, n north, s south, w west")),
        );
        check(&["redpawn", "rocket"], &["red", "rose", "blue"], None);
    }

    #[test]
    fn what_has_no_two_sides_has_none() {
        check(&["x", "o"], &["x", "o"], None);
        check(&["white", "black"], &["white", "black"], None);
        check(&["wp", "wk"], &["white", "black"], None);
        check(&["wp", "bp", "dirt"], &["white", "black"], None);
        check(&["w1", "b1"], &["white", "black"], None);
    }
}
