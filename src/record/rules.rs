//! The sheet that a record was played by.

use propnet::gdl::Source;

use super::format::MatchRecord;
use crate::library::{self, Entry};

impl MatchRecord {
    /// The rules that it carries, or else those of the game that it names, if that comes with the
    /// program. `name` stands for the record where it has no other.
    pub fn rules(&self, name: &str) -> Option<Source> {
        if !self.sheet.is_empty() {
            let game = if self.game.is_empty() { name } else { &self.game };
            return Some(Source::from_text(game, &self.sheet));
        }
        self.known_game().map(|game| Source::from_text(game.name, game.text))
    }

    /// The game that it names. Game servers name an address such as
    /// `http://games.ggp.org/base/games/ticTacToe/v0/`.
    fn known_game(&self) -> Option<&'static Entry> {
        let find = |name: &str| library::find(name).or_else(|| library::find(&snake_case(name)));
        let url = self.game_meta_url.as_deref().unwrap_or_default();
        find(&self.game).or_else(|| url.rsplit('/').find_map(find))
    }
}

/// `ticTacToe` as `tic_tac_toe`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
