//! A table of rule sheets: figures that help to choose a game for an experiment.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use propnet::game::Game;
use propnet::gdl::{Rules, Source};
use propnet::ground::{GroundGame, Grounding, Limits, NoWatch, Options, ground};
use propnet::reference::load;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Random games longer than this are taken to be endless.
const MAX_STEPS: usize = 10_000;

/// The table in Markdown, one line for each sheet.
pub(crate) fn table(paths: &[PathBuf], games: u64, seed: u64) -> Result<String> {
    let mut text = String::from(
        "| sheet | roles | rules | fluents | moves | ground rules | literals | mean length |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let sheets = sheets(paths)?;
    ensure!(!sheets.is_empty(), "there is no .kif file in the given places");
    for path in sheets {
        let line = line(&path, games, seed).with_context(|| path.display().to_string())?;
        text.push_str(&line);
    }
    Ok(text)
}

fn line(path: &Path, games: u64, seed: u64) -> Result<String> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = fs::read(path).context("cannot be read")?;
    let rules: Rules = load(Source::from_bytes(name.clone(), &bytes))?;
    let Grounding { rules: ground, .. } =
        ground(&rules, &Options::default(), Limits::default(), &mut NoWatch)?;
    let moves: Vec<String> = ground.moves.iter().map(|moves| moves.len().to_string()).collect();
    let sizes = format!(
        "{} | {} | {} | {} | {} | {}",
        ground.roles.len(),
        rules.rules.len(),
        ground.fluents.len(),
        moves.join(" + "),
        ground.rules.len(),
        ground.rules.literal_count(),
    );
    let length = mean_length(&mut GroundGame::new(ground), games, seed)?;
    Ok(format!("| {name} | {sizes} | {length:.1} |\n"))
}

/// The mean number of steps of seeded random games.
fn mean_length(game: &mut dyn Game, games: u64, seed: u64) -> Result<f64> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let initial = game.initial_state()?;
    let mut steps = 0;
    for _ in 0..games {
        let mut state = initial.clone();
        let before = steps;
        while !game.is_terminal(&state)? {
            ensure!(steps - before < MAX_STEPS, "a random game passed {MAX_STEPS} steps");
            let moves = game.complete_joint_move(&state, &[], &mut rng)?;
            state = game.next_state(&state, &moves)?;
            steps += 1;
        }
    }
    Ok(steps as f64 / games.max(1) as f64)
}

/// The files named, and those in the folders named, sorted.
pub(crate) fn sheets(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut sheets = Vec::new();
    for path in paths {
        if !path.is_dir() {
            sheets.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut inside = Vec::new();
        for entry in entries {
            let file = entry?.path();
            if file.extension().is_some_and(|extension| extension == "kif") {
                inside.push(file);
            }
        }
        inside.sort();
        sheets.extend(inside);
    }
    Ok(sheets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../games")
    }

    #[test]
    fn the_table_has_a_line_for_each_sheet() {
        let files = ["tic_tac_toe.kif", "rock_paper_scissors.kif"].map(|name| games().join(name));
        let table = table(&files, 5, 1).expect("our own sheets can be grounded");
        assert_eq!(table.lines().count(), 4, "{table}");
        assert!(table.contains("| rock_paper_scissors | 2 |"), "{table}");
        assert!(table.contains("| 5.0 |\n"), "five rounds, always: {table}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = table(&[games().join("missing.kif")], 1, 1).expect_err("it does not exist");
        assert!(format!("{error:#}").contains("missing.kif"), "{error:#}");
    }
}
