//! Features of the corpus sheets of the games in Finnsson's thesis.

use std::path::Path;

use serde_json::Value;

use crate::support::run_json;
use crate::trials::Trials;

/// Sheets, with what FAST finds according to section 4.3.4 of the thesis, and how much of it. Chinook
/// has a relation for each colour of the cells.
const SHEETS: &[(&str, Option<&str>, usize)] = &[
    ("rep_battle", Some("pieces"), 4),
    ("rep_checkers", Some("pieces"), 4),
    ("dresden_checkers", Some("pieces"), 4),
    ("rep_skirmish", Some("pieces"), 12),
    ("rep_skirmishNew", Some("pieces"), 12),
    ("rep_ttcc4_2player", Some("pieces"), 8),
    ("rep_ttcc4", Some("pieces"), 12),
    ("rep_breakthrough", Some("cells"), 128),
    ("rep_chinook", Some("cells"), 128),
    ("rep_connect5", Some("cells"), 128),
    ("rep_knightThrough", Some("cells"), 128),
    ("rep_othello-comp2007", Some("cells"), 128),
    ("rep_reversi", Some("cells"), 128),
    ("rep_tictactoe_3d_2player", None, 0),
    ("rep_chineseCheckers3", None, 0),
];

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(features_are_those_of_the_thesis);
}

fn features_are_those_of_the_thesis(shared: &Path) {
    for (name, kind, count) in SHEETS {
        let sheet = shared.join(format!("corpus/{name}.kif")).display().to_string();
        let (code, shown) = run_json(&["show", &sheet, "features", "--json"]);
        let kind = kind.map_or(Value::Null, Value::from);
        let found = (code, &shown["kind"], &shown["features"]);
        assert_eq!(found, (0, &kind, &Value::from(*count)), "{name}");
    }
}
