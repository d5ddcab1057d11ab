//! The sheets of an experiment: by name, by path, or written by the generators from their sizes.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use ludens::library;

use crate::generate::by_name;

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    pub(super) name: String,
    pub(super) text: String,
}

impl Sheet {
    /// The sheet of that name: a path ends in `.kif` and is relative to the folder; else it is a sheet
    /// that comes with the program, or one of a family.
    pub(super) fn find(name: &str, folder: &Path) -> Result<Self> {
        if name.ends_with(".kif") {
            let path = folder.join(name);
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read the sheet {}", path.display()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            return Ok(Sheet { name, text });
        }
        if let Some(entry) = library::find(name) {
            return Ok(Sheet { name: name.to_string(), text: entry.text.to_string() });
        }
        if let Some(sheet) = by_name(name).with_context(|| name.to_string())? {
            return Ok(Sheet { name: sheet.name, text: sheet.text });
        }
        let close = library::close_to(name);
        let hint = match close.is_empty() {
            true => "`ludens games` lists those that there are; a path ends in .kif".to_string(),
            false => format!("did you mean {}?", close.join(", ")),
        };
        bail!("there is no game {name}; {hint}")
    }
}

/// The most names that one can stand for.
const MOST_NAMES: usize = 10_000;

/// The names that a name with lists in braces stands for: `a_{1,2}` for `a_1` and `a_2`, `a_{1..3}` for
/// those from 1 to 3.
pub(super) fn expand(text: &str) -> Result<Vec<String>> {
    let Some((before, rest)) = text.split_once('{') else {
        ensure!(!text.contains('}'), "{text}: a brace is closed that was not opened");
        return Ok(vec![text.to_string()]);
    };
    let (list, after) =
        rest.split_once('}').with_context(|| format!("{text}: a brace is not closed"))?;
    let mut items: Vec<String> = Vec::new();
    for item in list.split(',') {
        match item.split_once("..") {
            None => items.push(item.to_string()),
            Some((from, to)) => {
                let number = |text: &str| {
                    text.trim().parse::<u64>().with_context(|| {
                        format!("{text:?} is no number; write a range such as {{4..20}}")
                    })
                };
                let (from, to) = (number(from)?, number(to)?);
                ensure!(
                    from <= to && to - from < MOST_NAMES as u64,
                    "the range {item} is empty or too long"
                );
                items.extend((from..=to).map(|number| number.to_string()));
            }
        }
    }
    let after = expand(after)?;
    ensure!(items.len() * after.len() <= MOST_NAMES, "{text} stands for too many games");
    let names = items
        .iter()
        .flat_map(|item| after.iter().map(move |after| format!("{before}{item}{after}")));
    Ok(names.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_stand_for_lists_and_ranges() {
        let names = |text: &str| expand(text).expect("a good name");
        assert_eq!(names("chess"), ["chess"]);
        assert_eq!(names("p_{2,3}x{4..6}").join(" "), "p_2x4 p_2x5 p_2x6 p_3x4 p_3x5 p_3x6");
        assert_eq!(names("p_{1,4..5}"), ["p_1", "p_4", "p_5"]);
        for bad in
            ["p_{1", "p_1}", "p_{a..b}", "p_{5..4}", "p_{1..99999999999}", "{1..999}{1..999}"]
        {
            assert!(expand(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sheets_come_from_the_library_the_generators_and_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = Sheet::find("../games/tic_tac_toe.kif", folder).expect("a file");
        assert_eq!(file, Sheet::find("tic_tac_toe", folder).expect("a sheet"));
        let small = Sheet::find("penalties_2x3", folder).expect("a family");
        assert!(small.text.contains("2 lanes of length 3"), "{}", small.text);
        let message = format!("{:#}", Sheet::find("nothing.kif", folder).expect_err("no file"));
        assert!(message.contains("nothing.kif"), "{message}");
    }
}
