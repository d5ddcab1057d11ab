//! Games between two strategies, as a line for the records.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ludens::count::count;
use ludens::search::{Budget, Contest, Contestant, Score, Settings, play_games};
use propnet::circuit::Circuit;
use propnet::gdl::Source;
use serde_json::json;

use crate::contestant::{circuit, contestant, decided};

/// The game, the contestants and the number of games.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The rule sheet
    sheet: PathBuf,
    /// Settings of the first contestant, such as strategy=mast
    #[arg(long, value_name = "NAME=VALUE")]
    first: Vec<String>,
    /// Settings of the second contestant
    #[arg(long, value_name = "NAME=VALUE")]
    second: Vec<String>,
    /// Simulations for each move
    #[arg(long, required_unless_present = "milliseconds", value_parser = count)]
    simulations: Option<u64>,
    /// The same for the second contestant alone
    #[arg(long, value_parser = count)]
    second_simulations: Option<u64>,
    /// Milliseconds for each move, instead of simulations
    #[arg(long)]
    milliseconds: Option<u64>,
    /// The number of games
    #[arg(long, default_value_t = 200, value_parser = count)]
    games: u64,
    /// Game g has this seed plus g
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Joint moves after which a game is given up
    #[arg(long, default_value_t = 1000)]
    limit: usize,
    /// Search even if only one move is legal, since a match has time for every turn
    #[arg(long)]
    every_turn: bool,
    /// The threads that play [default: one for each processor]
    #[arg(short = 'j', long)]
    threads: Option<usize>,
    /// The most games at once in a thread; their searches share lanes, with the same games as 1
    #[arg(long, default_value_t = Contest::default().at_once)]
    at_once: usize,
}

/// Plays the games and returns the score.
pub(crate) fn line(args: &Args) -> Result<String> {
    let name = args.sheet.display().to_string();
    let bytes = std::fs::read(&args.sheet).with_context(|| format!("cannot read {name}"))?;
    let circuit = circuit(Source::from_bytes(name.as_str(), &bytes), &name)?;
    let first = side(&circuit, &name, &args.first, args.simulations, args.milliseconds)?;
    let second_simulations = args.second_simulations.or(args.simulations);
    let second = side(&circuit, &name, &args.second, second_simulations, args.milliseconds)?;
    let start = Instant::now();
    let Args { games, seed, limit, every_turn, threads, at_once, .. } = *args;
    let all = Contest { games, seed, limit, every_turn, threads, at_once, ..Contest::default() };
    let numbers: Vec<u64> = (0..games).collect();
    let results = Mutex::new(Vec::new());
    play_games(&first, &second, &all, &numbers, &|result| {
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        results.push(result.clone());
        let (over, left) = (results.len() as f64, numbers.len() - results.len());
        let seconds = start.elapsed().as_secs_f64() / over * left as f64;
        progress(&format!("\r{over} of {games} games, {seconds:.0} s left "));
        true
    })?;
    progress("\n");
    let score = Score::of(results.into_inner().unwrap_or_else(PoisonError::into_inner));
    let command: Vec<String> = std::env::args().skip(1).collect();
    let line = json!({
        "command": format!("ludens-tools {}", command.join(" ")),
        "sheet": args.sheet.file_stem().unwrap_or_default().to_string_lossy(),
        "first": args.first,
        "second": args.second,
        "simulations": [args.simulations, second_simulations],
        "milliseconds": args.milliseconds,
        "seed": args.seed,
        "seconds": start.elapsed().as_secs_f64().round(),
        "games": score.games,
        "percent": rounded(score.percent),
        "interval": score.interval.map(|(low, high)| [rounded(low), rounded(high)]),
        "goals": rounded(score.goals),
    });
    Ok(format!("{line}\n"))
}

fn side(
    circuit: &Circuit,
    game: &str,
    texts: &[String],
    simulations: Option<u64>,
    milliseconds: Option<u64>,
) -> Result<Contestant> {
    let mut settings = Settings::default();
    for text in texts {
        settings.set(text)?;
    }
    let side = Contestant {
        budget: Budget { simulations, ..Budget::default() },
        time: milliseconds.map(Duration::from_millis),
        ..contestant(circuit, settings)?
    };
    decided(circuit, side, game)
}

/// Shows how far it is, to people only. What cannot be shown is not missed.
fn progress(text: &str) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        let _ = out.write_all(text.as_bytes());
    }
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
