//! `check` has nothing to say about a sheet.

use std::fs;

use propnet::gdl::Source;
use propnet::reference;
use rayon::prelude::*;

use super::sheet::{Sheet, sheets};

#[test]
fn no_sheet_has_a_warning() {
    let complaints: Vec<String> =
        sheets().par_iter().with_max_len(1).flat_map(complaints).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn complaints(sheet: &Sheet) -> Vec<String> {
    let bytes = fs::read(&sheet.path).expect("a sheet is read");
    let (rules, findings) = reference::examine(Source::from_bytes(sheet.name.clone(), &bytes));
    findings.iter().map(|finding| finding.render(&rules.source).to_string()).collect()
}

#[test]
fn every_sheet_opens_with_its_name_and_says_what_the_game_is() {
    for sheet in sheets() {
        let text = fs::read_to_string(&sheet.path).expect("a sheet is read");
        let mut lines = text.lines();
        let title = lines.next().unwrap_or_default();
        assert!(title.starts_with(";; "), "{}: the first line is {title:?}", sheet.name);
        let rest: Vec<&str> = lines.take_while(|line| line.starts_with(";;")).collect();
        assert!(rest.len() > 3, "{}: the game is not described", sheet.name);
        assert!(!text.contains('\t') && text.ends_with(")\n"), "{}: odd layout", sheet.name);
    }
}

/// What `games/README.md` promises of every sheet, as far as text shows it: conditions are indented.
#[test]
fn sheets_keep_the_conventions() {
    for sheet in sheets() {
        let text = fs::read_to_string(&sheet.path).expect("a sheet is read");
        let rules = text.lines().enumerate().filter(|(_, line)| !line.starts_with(";;"));
        for (number, line) in rules {
            let place = format!("{}, line {}: {line}", sheet.name, number + 1);
            assert!(!line.contains("(or "), "{place}");
            let condition = line.strip_prefix("    ").unwrap_or_default();
            for word in ["(legal ", "(next ", "(goal "] {
                assert!(!condition.trim_start().starts_with(word), "{place}");
            }
        }
        for word in ["(base ", "(input "] {
            assert!(text.contains(word), "{}: no {word}", sheet.name);
        }
        let moves = ["(control ", "noop"].map(|word| text.contains(word));
        assert!(!moves[0] || moves[1], "{}: who waits has the move noop", sheet.name);
    }
}
