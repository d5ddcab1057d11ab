//! "Did you mean": the known names that are close to a name.

/// A name counts as close from this similarity on; the similarity of equal names is 1.
const CLOSE: f64 = 0.75;

/// The names that are close to a name or contain it, the closest first, at most `most` of them.
/// Letter case does not matter, and spaces and hyphens count as underscores.
pub fn close_names<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let name = name.to_lowercase().replace([' ', '-'], "_");
    // In a short name only few letters may be wrong.
    let most_slips = name.chars().count().min(6) / 2;
    let similarity = |other: &str| {
        let is_contained = !name.is_empty() && other.contains(&name);
        let is_slip = strsim::osa_distance(&name, other) <= most_slips;
        let similarity = strsim::jaro_winkler(&name, other);
        if is_contained || is_slip { similarity.max(CLOSE) } else { similarity }
    };
    let mut close: Vec<(f64, &str)> = known
        .into_iter()
        .map(|other| (similarity(other), other))
        .filter(|&(similarity, _)| similarity >= CLOSE)
        .collect();
    close.sort_unstable_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    close.into_iter().take(most).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_close_and_other_words_are_not() {
        let known = ["breakthrough", "connect_four", "eight_puzzle", "mast", "tic_tac_toe"];
        let close = |name| close_names(name, known, 5);
        assert_eq!(close("brekthrough"), ["breakthrough"]);
        assert_eq!(close("Tic-Tac-Toe"), ["tic_tac_toe"]);
        assert_eq!(close("masst"), ["mast"]);
        assert_eq!(close_names("utc", ["mast", "mc", "uct"], 1), ["uct"]);
        assert_eq!(close("puzzle"), ["eight_puzzle"]);
        assert_eq!(close("zzzz"), Vec::<&str>::new());
        assert_eq!(close(""), Vec::<&str>::new());
        assert_eq!(close_names("t", ["tta", "ttb", "ttc"], 2), ["tta", "ttb"]);
    }
}
