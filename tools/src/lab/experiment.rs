//! An experiment that can be played: its cells, each with all that defines it.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use ludens::search::{Contest, Settings};
use ludens::trace::hash_contents;
use toml::Spanned;

use super::file::{CellsFile, ExperimentFile, MoveBudget, PlotFile, SideFile};
use super::games::{Sheet, expand};

/// An experiment.
#[derive(Clone, Debug)]
pub(super) struct Experiment {
    /// The name of its file without the extension.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) reproduces: Option<String>,
    pub(super) notes: Option<String>,
    pub(super) seed: u64,
    pub(super) plot: PlotFile,
    pub(super) cells: Vec<Cell>,
}

/// Games of one sheet between two sides.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) sheet: Sheet,
    pub(super) sides: [Side; 2],
    pub(super) games: u64,
    /// The role that the first side always has.
    pub(super) role: Option<String>,
    pub(super) limit: usize,
    /// The right first moves, if these are what counts.
    pub(super) right: Vec<String>,
    pub(super) published: Option<Published>,
    /// A hash of all that decides how its games are played.
    pub(super) key: String,
}

/// A side of a cell.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) settings: Settings,
    /// Moves that it makes instead of a search.
    pub(super) moves: Vec<String>,
    pub(super) budget: MoveBudget,
    /// The settings as they are written.
    written: String,
}

/// A published result: a mean in percent, and half of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Published {
    pub(super) percent: f64,
    pub(super) half: f64,
}

impl Experiment {
    /// Reads an experiment from a file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let label = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {label}"))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&name, folder, &text).with_context(|| label)
    }

    /// Reads an experiment from text. Paths of sheets are relative to the folder.
    pub(super) fn parse(name: &str, folder: &Path, text: &str) -> Result<Self> {
        let file: ExperimentFile = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            anyhow!("{}: {}", place(text, offset), error.message())
        })?;
        let mut cells: Vec<Cell> = Vec::new();
        for block in &file.cells {
            add_cells(&mut cells, &file, block, folder, text)?;
        }
        let mut published: Vec<_> = published(&file).collect();
        for cell in &mut cells {
            let own = published.iter().position(|(names, _)| *names == cell.names());
            cell.published = own.map(|at| published.swap_remove(at).1.get_ref().into());
        }
        if let Some((names, number)) = published.first() {
            let place = place(text, number.span().start);
            bail!(
                "{place}: a number is published for {}, which is no cell; \
                 add its game and pair to [[cells]]",
                names.join("/")
            );
        }
        let ExperimentFile { title, reproduces, notes, seed, plot, .. } = file;
        Ok(Experiment { name: name.to_string(), title, reproduces, notes, seed, plot, cells })
    }
}

impl Cell {
    /// Game, first side, second side.
    pub(super) fn names(&self) -> [&str; 3] {
        [&self.sheet.name, &self.sides[0].name, &self.sides[1].name]
    }

    /// The names in one word, as filters see it.
    pub(super) fn path(&self) -> String {
        self.names().join("/")
    }
}

impl Side {
    /// All that decides how it plays, in one text.
    fn definition(&self) -> String {
        format!("{}\n{}\n{}", self.written, self.moves.join("\n"), self.budget)
    }
}

impl From<&(f64, f64)> for Published {
    fn from(&(percent, half): &(f64, f64)) -> Self {
        Published { percent, half }
    }
}

/// Adds the cells of a block.
fn add_cells(
    cells: &mut Vec<Cell>,
    file: &ExperimentFile,
    block: &CellsFile,
    folder: &Path,
    text: &str,
) -> Result<()> {
    for written in &block.games {
        let at = || place(text, written.span().start);
        for name in expand(written.get_ref()).with_context(at)? {
            let sheet = Sheet::find(&name, folder).with_context(at)?;
            for pair in &block.pairs {
                let at = || place(text, pair.span().start);
                let (first, second) = pair.get_ref();
                let sides = [side(file, block, first, text), side(file, block, second, text)];
                let [first, second] = sides;
                let sides = [first.with_context(at)?, second.with_context(at)?];
                let cell = cell(file, block, sheet.clone(), sides).with_context(at)?;
                if cells.iter().any(|other| other.names() == cell.names()) {
                    bail!("{}: the cell {} is there twice; remove one", at(), cell.path());
                }
                cells.push(cell);
            }
        }
    }
    Ok(())
}

fn cell(file: &ExperimentFile, block: &CellsFile, sheet: Sheet, sides: [Side; 2]) -> Result<Cell> {
    let games = block.per_cell.or(file.per_cell).context(
        "nothing says how many games a cell has; write per_cell = 100 at the top of the file",
    )?;
    let limit = block.limit.map_or(Contest::default().limit, |limit| limit.get() as usize);
    let role = block.role.clone();
    let definitions = sides.each_ref().map(Side::definition);
    let rest = format!("{role:?} {limit} {}", file.seed);
    let parts = [&sheet.text, &definitions[0], &definitions[1], &rest];
    let key = hash_contents(&parts.map(|part| part.as_bytes()));
    let (games, right) = (games.get(), block.right.clone());
    Ok(Cell { sheet, sides, games, role, limit, right, published: None, key })
}

/// The side of a block with this name.
fn side(file: &ExperimentFile, block: &CellsFile, name: &str, text: &str) -> Result<Side> {
    let Some(written) = file.sides.get(name) else {
        let known: Vec<&str> = file.sides.keys().map(String::as_str).collect();
        bail!("there is no side {name}; [sides] has {}", known.join(", "));
    };
    let at = || place(text, written.span().start);
    let SideFile { strategy, moves, budget } = written.get_ref();
    let budget = budget.or(block.budget).or(file.budget);
    let settings = match strategy {
        Some(_) if !moves.is_empty() => {
            bail!("{}: side {name} has a strategy and moves; remove one of them", at())
        }
        Some(text) => text.get_ref().parse().with_context(at)?,
        None if moves.is_empty() => {
            bail!("{}: side {name} cannot play; give it a strategy = \"uct\" or moves", at())
        }
        None => Settings::default(),
    };
    let budget = budget.context(
        "nothing says what a move may cost; write budget = { simulations = 1000 } at the top of the \
         file",
    )?;
    Ok(Side {
        name: name.to_string(),
        settings,
        moves: moves.clone(),
        budget,
        written: strategy.as_ref().map(|text| text.get_ref().clone()).unwrap_or_default(),
    })
}

/// All published numbers, with the names of their cells.
fn published(file: &ExperimentFile) -> impl Iterator<Item = ([&str; 3], &Spanned<(f64, f64)>)> {
    file.published.iter().flat_map(|(first, by_second)| {
        by_second.iter().flat_map(move |(second, by_game)| {
            let name = move |game| [game, first.as_str(), second.as_str()];
            by_game.iter().map(move |(game, number)| (name(game.as_str()), number))
        })
    })
}

/// A place in a text, for people.
fn place(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
title = "Small"
budget = { simulations = 10 }
per_cell = 4

[sides]
uct = { strategy = "uct" }
mast = { strategy = "mast:c=50", budget = { states = 200 } }
perfect = { moves = ["(run 1)"] }

[[cells]]
games = ["tic_tac_toe", "penalties_{2,3}x4"]
pairs = [["mast", "uct"], ["uct", "perfect"]]

[published.mast.uct]
tic_tac_toe = [60, 5.5]
"#;

    fn parse(text: &str) -> Result<Experiment> {
        Experiment::parse("small", Path::new(""), text)
    }

    fn complaint(from: &str, to: &str) -> String {
        assert!(SMALL.contains(from), "{from}");
        format!("{:#}", parse(&SMALL.replacen(from, to, 1)).expect_err("a bad file"))
    }

    #[test]
    fn every_game_is_played_by_every_pair() {
        let experiment = parse(SMALL).expect("a good file");
        let paths: Vec<String> = experiment.cells.iter().map(Cell::path).collect();
        assert_eq!(
            paths,
            [
                "tic_tac_toe/mast/uct",
                "tic_tac_toe/uct/perfect",
                "penalties_2x4/mast/uct",
                "penalties_2x4/uct/perfect",
                "penalties_3x4/mast/uct",
                "penalties_3x4/uct/perfect",
            ]
        );
        let cell = &experiment.cells[0];
        assert_eq!(cell.published, Some(Published { percent: 60.0, half: 5.5 }));
        assert_eq!(cell.sides[0].budget.to_string(), "200 states");
        assert_eq!(cell.sides[1].budget.to_string(), "10 simulations");
        assert_eq!(cell.sides[0].settings.get("c").as_deref(), Some("50"));
        assert_eq!(experiment.cells[2].published, None);
    }

    #[test]
    fn the_key_changes_with_what_decides_the_games_alone() {
        let keys = |text: &str| -> Vec<String> {
            parse(text).expect("a good file").cells.into_iter().map(|cell| cell.key).collect()
        };
        let before = keys(SMALL);
        let others: std::collections::BTreeSet<&String> = before.iter().collect();
        assert_eq!(others.len(), 6, "each cell has its own");
        for (from, to, changed) in [
            ("per_cell = 4", "per_cell = 400", 0),
            ("[60, 5.5]", "[61, 5.5]", 0),
            ("c=50", "c=51", 3),
            ("simulations = 10", "simulations = 11", 6),
            ("(run 1)", "(run 2)", 3),
            ("per_cell = 4", "per_cell = 4\nseed = 2", 6),
        ] {
            let after = keys(&SMALL.replacen(from, to, 1));
            let count = before.iter().zip(&after).filter(|(one, other)| one != other).count();
            assert_eq!(count, changed, "{from} -> {to}");
        }
    }

    #[test]
    fn complaints_have_a_place_and_a_remedy() {
        assert_eq!(
            complaint("c=50", "c=-1"),
            "line 13, column 10: line 8, column 8: c=-1: expected a number from 0 to 1000000"
        );
        assert_eq!(
            complaint("\"perfect\"]", "\"best\"]"),
            "line 13, column 27: there is no side best; [sides] has mast, perfect, uct"
        );
        assert_eq!(
            complaint("tic_tac_toe = [", "chess = ["),
            "line 16, column 9: a number is published for chess/mast/uct, which is no cell; add \
             its game and pair to [[cells]]"
        );
        assert!(
            complaint("simulations = 10", "simulation = 10")
                .starts_with("line 3, column 12: unknown variant `simulation`, expected one of")
        );
        assert!(complaint("per_cell = 4", "per_cell = 0").starts_with("line 4, column 12: "));
        assert!(complaint("per_cell = 4", "").contains("write per_cell = 100"));
        assert!(complaint("budget = { simulations = 10 }", "").contains("write budget = "));
        assert!(complaint("title", "titel").contains("unknown field `titel`"));
        assert!(
            complaint("[\"mast\", \"uct\"]", "[\"uct\", \"perfect\"]").contains("is there twice")
        );
        assert!(complaint("\"uct\" }", "\"uct\", moves = [\"a\"] }").contains("remove one"));
        assert!(complaint("strategy = \"uct\"", "").contains("cannot play"));
        assert!(
            complaint("\"tic_tac_toe\"", "\"tic_tac_to\"")
                .starts_with("line 12, column 10: there is no game tic_tac_to; did you mean")
        );
        assert!(
            complaint("{2,3}x4", "{2,41}x4").contains("penalties_41x4: "),
            "{}",
            complaint("{2,3}x4", "{2,41}x4")
        );
    }
}
