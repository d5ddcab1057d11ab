//! The library in a few calls: a game by name, file or text; then playouts and searches.

use std::fs::File;
use std::io;
use std::path::Path;

use propnet::game::PlayError;
use propnet::gdl::{SheetError, Source, visible};
use propnet::machine::MachineError;
use propnet::{CompileError, CompileOptions, Compiled, reference};
use rayon::prelude::*;

use crate::library;
use crate::pipeline::{Compile, LaneProgram};
use crate::search::{Budget, Report, Search, SearchGame, SettingError, Settings};
use crate::sheets::read_bytes;

/// A compiled game.
///
/// A million random playouts, on all cores:
///
/// ```
/// use ludens::Game;
///
/// # fn main() -> Result<(), ludens::GameError> {
/// let game = Game::named("tic_tac_toe")?;
/// let playouts = game.playouts(1_000_000, 1);
/// println!("{:?} {:?}", game.roles(), playouts.mean_goals);
/// # assert_eq!((playouts.playouts, game.roles().len()), (1_000_000, 2));
/// # assert!(playouts.mean_goals[0].is_some_and(|mean| (mean - 64.8).abs() < 0.3));
/// # Ok(())
/// # }
/// ```
///
/// It never changes, so threads can share it by reference.
pub struct Game {
    name: String,
    sheet: String,
    compiled: Compiled,
}

/// Why there is no game, or no search.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// No game of this name comes with the library.
    #[error("there is no game {name}; {}", suggestion(close))]
    UnknownName {
        /// The name.
        name: String,
        /// Similar names of games.
        close: Vec<&'static str>,
    },
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    File {
        /// The file.
        path: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The sheet cannot be played.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The sheet cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The strategy or one of its parameters does not exist.
    #[error(transparent)]
    Strategy(#[from] SettingError),
    /// The program of a search has no machine code on this processor.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The rules cannot be evaluated.
    #[error(transparent)]
    Play(#[from] PlayError),
}

fn suggestion(close: &[&str]) -> String {
    match close {
        [] => "`ludens games` lists the games that come with the library".to_string(),
        names => format!("did you mean {}?", names.join(", ")),
    }
}

/// The results of random playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutSummary {
    /// The number of playouts.
    pub playouts: u64,
    /// Playouts that did not end within 10,000 joint moves, or could not go on.
    pub unfinished: u64,
    /// The mean number of joint moves; `None` without playouts.
    pub mean_length: Option<f64>,
    /// The mean goal of each role; `None` if no playout gave the role one.
    pub mean_goals: Vec<Option<f64>>,
}

impl Game {
    /// A game that comes with the library, such as `breakthrough`. `ludens games` lists them.
    ///
    /// ```
    /// let error = ludens::Game::named("brekthrough").err().expect("no such game");
    /// assert_eq!(error.to_string(), "there is no game brekthrough; did you mean breakthrough?");
    /// ```
    pub fn named(name: &str) -> Result<Self, GameError> {
        let Some(entry) = library::find(name) else {
            let close = library::close_to(name);
            return Err(GameError::UnknownName { name: visible(name).into_owned(), close });
        };
        Self::from_source(entry.name, Source::from_text(entry.name, entry.text))
    }

    /// The game of a rule sheet in GDL.
    pub fn from_text(sheet: &str) -> Result<Self, GameError> {
        Self::from_source("sheet", Source::from_text("sheet", sheet))
    }

    /// The game of a file with a rule sheet.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, GameError> {
        let path = path.as_ref();
        let shown = visible(&path.display().to_string()).into_owned();
        let bytes = File::open(path).and_then(read_bytes);
        let bytes = bytes.map_err(|error| GameError::File { path: shown.clone(), error })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::from_source(&name, Source::from_bytes(shown, &bytes))
    }

    /// Compiles a sheet that can be played.
    fn from_source(name: &str, source: Source) -> Result<Self, GameError> {
        let sheet = source.text().to_string();
        let compiled = Compiled::new(&reference::load(source)?, &CompileOptions::default())?;
        Ok(Game { name: name.to_string(), sheet, compiled })
    }

    /// Plays at random from the initial state, on all cores. The same seed gives the same playouts
    /// on any machine.
    pub fn playouts(&self, number: u64, seed: u64) -> PlayoutSummary {
        let threads = rayon::current_num_threads() as u64;
        let bound =
            |part: u64| (u128::from(number) * u128::from(part) / u128::from(threads)) as u64;
        let start = self.compiled.initial_state();
        let parts = (0..threads).into_par_iter().map(|part| {
            let numbers = bound(part)..bound(part + 1);
            // The state is one of this game.
            self.compiled.playouts_from(start, numbers, seed).ok()
        });
        let parts: Vec<_> = parts.flatten().collect();
        let totals = parts.into_iter().reduce(|mut all, part| {
            all.add(&part);
            all
        });
        let totals = totals.unwrap_or_else(|| self.compiled.playouts(0, seed));
        PlayoutSummary {
            playouts: totals.playouts,
            unfinished: totals.cut + totals.stuck,
            mean_length: totals.mean_length(),
            mean_goals: totals.mean_goals(self.compiled.program()),
        }
    }

    /// Searches for the best moves in the initial state. The strategy is written as on the command
    /// line: `uct`, `mast`, `mast:c=60:threads=1`; `ludens strategies` lists names and parameters.
    ///
    /// ```
    /// use ludens::{Game, search::Budget};
    ///
    /// # fn main() -> Result<(), ludens::GameError> {
    /// let report = Game::named("breakthrough")?.search("mast", &Budget::simulations(2_000))?;
    /// println!("white plays {}", report.best_move(0).unwrap_or("nothing"));
    /// for found in &report.roles[0].moves {
    ///     println!("{} {} visits, average {:?}", found.text, found.visits, found.average);
    /// }
    /// println!("principal variation: {:?}", report.principal_line);
    /// # assert_eq!(report.roles[0].moves.len(), 22);
    /// # assert_eq!(report.best_move(0), Some(report.principal_line[0][0].as_str()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn search(&self, strategy: &str, budget: &Budget) -> Result<Report, GameError> {
        Ok(self.start_search(strategy, 0)?.run(budget)?)
    }

    /// A search at the initial state, for a whole match: [`Search::run`], [`Search::best_move`] and
    /// [`Search::advance`] in turn. On one thread, with a budget of simulations, the same seed
    /// gives the same moves.
    ///
    /// ```
    /// use ludens::{Game, search::Budget};
    ///
    /// # fn main() -> Result<(), ludens::GameError> {
    /// let game = Game::named("tic_tac_toe")?;
    /// let mut search = game.start_search("uct:threads=1", 1)?;
    /// while !search.is_over() {
    ///     search.run(&Budget::simulations(2_000))?;
    ///     let joint: Vec<_> = (0..2).filter_map(|role| search.best_move(role)).collect();
    ///     search.advance(&joint)?;
    /// }
    /// assert_eq!(search.goals(), Some([50.0, 50.0].as_slice()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn start_search(&self, strategy: &str, seed: u64) -> Result<Search, GameError> {
        let settings: Settings = strategy.parse()?;
        let step = settings.step_options(self.roles().len());
        let (circuit, setup) = (self.compiled.circuit(), self.compiled.setup());
        let program = LaneProgram::new(circuit, setup, &step, Compile::First)?;
        Ok(Search::new(&SearchGame::Lanes(program), &settings, seed)?)
    }

    /// The name of the game: that of its file, or `sheet`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The roles in their order, in lower case.
    pub fn roles(&self) -> &[String] {
        self.compiled.names().roles()
    }

    /// The text of the rule sheet.
    pub fn sheet(&self) -> &str {
        &self.sheet
    }

    /// The compiled game of the library `propnet`, for questions about states.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_do_not_depend_on_the_number_of_threads() {
        let game = Game::named("tic_tac_toe").expect("a game");
        let totals = game.compiled.playouts(1001, 7);
        let found = game.playouts(1001, 7);
        assert_eq!(found.mean_goals, totals.mean_goals(game.compiled.program()));
        assert_eq!((found.playouts, found.mean_length), (1001, totals.mean_length()));
        assert_eq!(game.playouts(0, 7).mean_goals, [None, None]);
    }

    #[test]
    fn errors_name_the_cause() {
        let text = |result: Result<Game, GameError>| result.err().expect("an error").to_string();
        assert!(text(Game::from_text("(role")).contains("sheet:1:1"));
        assert!(text(Game::named("zzzz")).contains("ludens games"));
        assert!(text(Game::from_file("no/such.kif")).starts_with("cannot read no/such.kif: "));
        let game = Game::named("tic_tac_toe").expect("a game");
        let error = game.search("uct:x=1", &Budget::simulations(1)).expect_err("no parameter x");
        assert!(error.to_string().starts_with("there is no parameter x"), "{error}");
    }

    #[test]
    fn a_file_is_a_game_too() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/games/tic_tac_toe.kif");
        let game = Game::from_file(path).expect("a game");
        assert_eq!((game.name(), game.roles()), ("tic_tac_toe", &["x".into(), "o".into()][..]));
        assert!(game.sheet().contains("(role"));
    }
}
