//! The table of `games/README.md`, and the figures of `games/index.json` that the program shows.
//!
//! Every sheet is grounded, made into a circuit with all passes and played at random. The file of
//! figures is written first, and the table from it, so that both say the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use ludens::library::{GameFigures, GameKind};
use ludens::perft::Level;
use ludens::pipeline::{PipelineOptions, measure};
use ludens::playouts::{Codes, PlayoutBudget, PlayoutPlan, play};
use propnet::circuit::{Circuit, CircuitGame};
use propnet::game::{Game, PlayError};
use propnet::gdl::Source;
use propnet::lanes::Setup;
use propnet::program::Program;
use propnet::reference;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::Deserialize;

/// The table stands between these lines.
const BEGIN: &str = "<!-- table: written by `ludens-tools games-table` -->\n";
const END: &str = "<!-- end of the table -->\n";

/// The number of games that show whether roles move at the same time.
const WATCHED: u64 = 5;

/// The number of levels of the counts that are shown.
const LEVELS: usize = 6;

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with the sheets
    #[arg(long, default_value = "games")]
    folder: PathBuf,
    /// Random games to play of each sheet
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Measure only these sheets, keep the figures of the others; with none, only write the table
    #[arg(long, value_delimiter = ',', num_args = 0..)]
    only: Option<Vec<String>>,
}

/// Measures, writes both files, and returns the text to print.
pub(crate) fn run(args: &Args) -> Result<String> {
    let index = args.folder.join("index.json");
    let mut all: BTreeMap<String, GameFigures> = read_json(&index).unwrap_or_default();
    let names = names(&args.folder)?;
    all.retain(|name, _| names.contains(name));
    let mut report = String::new();
    for name in &names {
        let is_asked = args.only.as_ref().is_none_or(|only| only.contains(name));
        if is_asked {
            let figures = figures(&args.folder, name, args.games).with_context(|| name.clone())?;
            report += &format!("{name}: {figures:?}\n");
            all.insert(name.clone(), figures);
            write_json(&index, &all)?;
        }
    }
    let readme = args.folder.join("README.md");
    let text = fs::read_to_string(&readme).with_context(|| readme.display().to_string())?;
    let text = with_table(&text, &table(&args.folder, &all)?)?;
    fs::write(&readme, text).with_context(|| readme.display().to_string())?;
    Ok(report)
}

fn figures(folder: &Path, name: &str, games: u64) -> Result<GameFigures> {
    let bytes = fs::read(folder.join(format!("{name}.kif"))).context("cannot be read")?;
    let source = || Source::from_bytes(name, &bytes);
    let rules = reference::load(source())?.rules.len();
    let (report, circuit) = measure(source(), &PipelineOptions::default());
    let (Some(circuit), Some(size)) = (circuit, report.after) else {
        anyhow::bail!(report.message.unwrap_or_default());
    };
    let mean_length = mean_length(&circuit, games)?;
    let players = circuit.moves.len();
    let kind = match (players, is_simultaneous(circuit)?) {
        (1, _) => GameKind::Puzzle,
        (_, true) => GameKind::Simultaneous,
        (_, false) => GameKind::TurnTaking,
    };
    let round =
        |number: f64, digits: i32| (number * 10f64.powi(digits)).round() / 10f64.powi(digits);
    Ok(GameFigures {
        players,
        kind,
        rules,
        fluents: size.carried,
        moves: size.moves,
        gates: size.gates,
        ground_seconds: round(report.seconds.ground, 3),
        mean_length: round(mean_length, 1),
        games,
    })
}

/// The mean number of joint moves of random games, all of which end.
fn mean_length(circuit: &Circuit, games: u64) -> Result<f64> {
    let setup = Setup::default();
    let program = Arc::new(Program::new(circuit, setup.mapping()));
    let plan = PlayoutPlan {
        program: &program,
        codes: &Codes::ready(&program, setup.backend())?,
        state: &program.initial,
        seed: 1,
        budget: PlayoutBudget::Playouts(games),
        limit: u64::MAX,
        weights: &[],
        threads: 1,
        width: setup.width(),
    };
    let totals = play(&plan, &|_| true)?.totals;
    ensure!(totals.stuck == 0, "in {} of {games} games a role cannot move", totals.stuck);
    Ok(totals.steps as f64 / games as f64)
}

/// Whether some state of a few random games lets two roles choose among several moves.
fn is_simultaneous(circuit: Circuit) -> Result<bool, PlayError> {
    let mut game = CircuitGame::new(circuit);
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..WATCHED {
        let mut state = game.initial_state()?;
        while !game.is_terminal(&state)? {
            let mut choosing = 0;
            for role in 0..game.roles().len() {
                choosing += usize::from(game.legal_moves(&state, role)?.len() > 1);
            }
            if choosing > 1 {
                return Ok(true);
            }
            let joint = game.complete_joint_move(&state, &[], &mut rng)?;
            state = game.next_state(&state, &joint)?;
        }
    }
    Ok(false)
}

/// The table in Markdown, by name.
fn table(folder: &Path, all: &BTreeMap<String, GameFigures>) -> Result<String> {
    let counts: BTreeMap<String, Counts> = read_json(&folder.join("perft.json"))?;
    let studies: BTreeMap<String, String> = read_json(&folder.join("studies.json"))?;
    for name in studies.keys() {
        ensure!(all.contains_key(name), "studies.json names {name}, which is not a sheet");
    }
    let mut text = String::from(
        "| sheet | players | kind | fluents | moves | gates | ground (s) | mean length | studied in | \
         move sequences of 1, 2, ... joint moves |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, figures) in all {
        let GameFigures {
            players, kind, fluents, moves, gates, ground_seconds, mean_length, ..
        } = figures;
        let counts = counts.get(name).map_or("-".to_string(), |counts| levels(&counts.levels));
        let studies = studies.get(name).map_or("-", String::as_str);
        text += &format!(
            "| [{name}]({name}.kif) | {players} | {kind} | {fluents} | {moves} | {gates} | \
             {ground_seconds:.3} | {mean_length:.1} | {studies} | {counts} |\n"
        );
    }
    Ok(text)
}

#[derive(Deserialize)]
struct Counts {
    levels: Vec<Level>,
}

fn levels(levels: &[Level]) -> String {
    let mut counts: Vec<String> =
        levels.iter().take(LEVELS).map(|level| grouped(level.paths)).collect();
    if levels.len() > LEVELS {
        counts.push("...".to_string());
    }
    counts.join("; ")
}

/// A number with a comma before each three digits.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The text with what is between the marks replaced.
fn with_table(text: &str, table: &str) -> Result<String> {
    let (before, rest) = text.split_once(BEGIN).context("README.md has no mark for the table")?;
    let (_, after) = rest.split_once(END).context("README.md has no mark after the table")?;
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let sheets = crate::sheets::sheets(&[folder.to_path_buf()])?;
    let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(sheets.iter().map(name).collect())
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

/// One sheet on a line, so that a change is easy to see.
fn write_json(path: &Path, all: &BTreeMap<String, GameFigures>) -> Result<()> {
    let line = |(name, figures): (&String, &GameFigures)| -> Result<String> {
        Ok(format!("  {}: {}", serde_json::to_string(name)?, serde_json::to_string(figures)?))
    };
    let lines: Result<Vec<String>> = all.iter().map(line).collect();
    fs::write(path, format!("{{\n{}\n}}\n", lines?.join(",\n")))
        .with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../games")
    }

    /// Figures may differ between machines; sheets, counts and studies may not.
    #[test]
    fn the_table_is_that_of_the_sheets() {
        let all: BTreeMap<String, GameFigures> =
            read_json(&games().join("index.json")).expect("figures");
        let names = names(&games()).expect("sheets");
        let again = "run `cargo run --release -p ludens-tools -- games-table`";
        assert!(all.keys().eq(names.iter()), "{again}");
        let readme = fs::read_to_string(games().join("README.md")).expect("games/README.md");
        let table = table(&games(), &all).expect("a table");
        assert!(with_table(&readme, &table).expect("marks") == readme, "{again}");
    }

    #[test]
    fn a_sheet_is_measured() {
        let figures = figures(&games(), "rock_paper_scissors", 20).expect("figures");
        assert_eq!((figures.players, figures.kind), (2, GameKind::Simultaneous));
        assert_eq!((figures.moves, figures.mean_length, figures.games), (6, 5.0, 20));
        assert!(figures.gates > 0 && figures.rules > 30);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
