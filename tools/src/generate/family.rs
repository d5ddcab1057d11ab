//! Generated sheets by name: `penalties_4x5` is what `generate penalties --lanes 4 --length 5` writes.

use anyhow::{Result, anyhow};

use super::set::Generated;
use super::{Course, Goofspiel, OptimisticMoves, Penalty, Progression};

/// The sheet of that name; none if it belongs to no family, an error if there is no such size.
pub(crate) fn by_name(name: &str) -> Result<Option<Generated>> {
    for (family, penalty) in [
        ("penalties_", Penalty::Plain),
        ("shock_step_", Penalty::Distance),
        ("punishment_", Penalty::Growing),
    ] {
        if let Some((lanes, length)) = sizes(name, family) {
            let course: Course = parsed(&[("lanes", lanes), ("length", length)])?;
            return Ok(Some(course.generated(penalty)));
        }
    }
    if let Some((active, factor)) = sizes(name, "progression_") {
        let race: Progression = parsed(&[("active", active), ("depth-factor", factor)])?;
        return race.generated().map(Some);
    }
    if let Some(pawns) = name.strip_prefix("optimistic_moves_") {
        let position: OptimisticMoves = parsed(&[("pawns", pawns)])?;
        return Ok(Some(position.generated()));
    }
    if let Some(rest) = name.strip_prefix("goofspiel_") {
        let (rest, no_history) = without(rest, "_no_history");
        let (cards, win) = without(rest, "_win");
        let game: Goofspiel = parsed(&[("cards", cards)])?;
        return Goofspiel { win, no_history, ..game }.generated().map(Some);
    }
    Ok(None)
}

/// Two sizes after the name of a family.
fn sizes<'n>(name: &'n str, family: &str) -> Option<(&'n str, &'n str)> {
    name.strip_prefix(family)?.split_once('x')
}

/// A text without its end, and whether it had that end.
fn without<'n>(text: &'n str, end: &str) -> (&'n str, bool) {
    text.strip_suffix(end).map_or((text, false), |rest| (rest, true))
}

/// Sizes that are checked as those on the command line are.
fn parsed<T: clap::Args>(sizes: &[(&str, &str)]) -> Result<T> {
    let command = T::augment_args(clap::Command::new("sizes").no_binary_name(true));
    let texts = sizes.iter().map(|(name, value)| format!("--{name}={value}"));
    let matches = command.try_get_matches_from(texts);
    matches.and_then(|matches| T::from_arg_matches(&matches)).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        anyhow!("{}", line.strip_prefix("error: ").unwrap_or(line))
    })
}

#[cfg(test)]
mod tests {
    use super::super::kept;
    use super::*;

    #[test]
    fn every_kept_sheet_is_found_by_its_name() {
        for sheet in kept().expect("good parameters") {
            assert_eq!(by_name(&sheet.name).expect("a size").as_ref(), Some(&sheet));
        }
        assert_eq!(by_name("breakthrough").expect("no family"), None);
    }

    #[test]
    fn sizes_that_do_not_exist_are_named() {
        for (name, part) in [
            ("penalties_1x5", "1 is not in 2..=40"),
            ("punishment_3xy", "invalid digit"),
            ("progression_11x2", "1 to 10 of 10 runners"),
            ("optimistic_moves_3", "1, 2, 4 or 6 pawns"),
            ("goofspiel_99_win", "99 is not in 2..=13"),
        ] {
            let message = by_name(name).expect_err("no such size").to_string();
            assert!(message.contains(part), "{name}: {message}");
        }
    }
}
