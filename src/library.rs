//! The rule sheets that come with the program, so that a game can be named from anywhere.
//!
//! The sheets are those of `games/` when the program was built. Their figures are measured in
//! advance and kept in `games/index.json`, since grounding every sheet for a list would take
//! minutes.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::suggest::close_names;

/// A sheet that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the game.
    pub name: &'static str,
    /// The rules.
    pub text: &'static str,
}

/// The sheets, by name.
pub const ENTRIES: &[Entry] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The sheet of a game.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The maximum number of names that [`close_to`] suggests.
const SUGGESTIONS: usize = 5;

/// The games whose names are close to a name, or that contain it, the closest first.
pub fn close_to(name: &str) -> Vec<&'static str> {
    close_names(name, ENTRIES.iter().map(|entry| entry.name), SUGGESTIONS)
}

impl Entry {
    /// The first line of the sheet's comment.
    pub fn title(&self) -> &'static str {
        self.comment().next().unwrap_or_default()
    }

    /// The first sentence that says what the game is.
    pub fn description(&self) -> String {
        let words: Vec<&str> = self
            .comment()
            .skip(1)
            .skip_while(|line| line.is_empty())
            .take_while(|line| !line.is_empty())
            .flat_map(str::split_whitespace)
            .collect();
        let end = words.iter().position(|word| word.ends_with('.'));
        words[..end.map_or(words.len(), |end| end + 1)].join(" ")
    }

    fn comment(&self) -> impl Iterator<Item = &'static str> {
        let lines = self.text.lines().map_while(|line| line.strip_prefix(";;"));
        lines.map(str::trim)
    }
}

/// How the players move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameKind {
    /// There is one player.
    Puzzle,
    /// In each state at most one player has a choice.
    TurnTaking,
    /// In some state several players choose at once.
    Simultaneous,
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameKind::Puzzle => "puzzle",
            GameKind::TurnTaking => "turn-taking",
            GameKind::Simultaneous => "simultaneous",
        })
    }
}

/// The measured figures of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameFigures {
    /// Roles.
    pub players: usize,
    /// How they move.
    pub kind: GameKind,
    /// Rules of the sheet, facts included.
    pub rules: usize,
    /// Fluents that playouts carry.
    pub fluents: usize,
    /// Moves of all roles together.
    pub moves: usize,
    /// Gates of the circuit after all passes.
    pub gates: usize,
    /// The time from text to ground rules.
    pub ground_seconds: f64,
    /// The mean number of joint moves in a random game.
    pub mean_length: f64,
    /// The number of random games in that mean.
    pub games: u64,
}

/// The figures by name. A sheet that has not been measured since it was added has none.
pub fn figures() -> BTreeMap<String, GameFigures> {
    // The file is part of the program; a test ensures that it can be read.
    serde_json::from_str(include_str!("../games/index.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_name() {
        let game = find("tic_tac_toe").expect("a game");
        assert_eq!(game.title(), "Tic-tac-toe");
        let said = "Two players fill a board of 3 x 3 cells in turn; three marks in a line win.";
        assert_eq!(game.description(), said);
        assert_eq!(find("tic_tac"), None);
    }

    #[test]
    fn every_game_has_a_title_and_a_description() {
        for entry in ENTRIES {
            assert!(!entry.title().is_empty() && !entry.description().is_empty(), "{}", entry.name);
        }
    }

    #[test]
    fn close_names_are_suggested() {
        assert_eq!(close_to("brekthrough")[0], "breakthrough");
        assert_eq!(close_to("Tic-Tac-Toe")[0], "tic_tac_toe");
        assert!(close_to("puzzle").contains(&"eight_puzzle"));
        assert_eq!(close_to("zzzz"), Vec::<&str>::new());
        assert_eq!(close_to(""), Vec::<&str>::new());
    }

    #[test]
    fn every_game_has_figures() {
        let figures = figures();
        for entry in ENTRIES {
            assert!(
                figures.contains_key(entry.name),
                "{} has no figures: run `ludens-tools games-table`",
                entry.name
            );
        }
        let puzzle = &figures["eight_puzzle"];
        assert_eq!((puzzle.players, puzzle.kind), (1, GameKind::Puzzle));
    }
}
