//! `ludens-tools`: makes tables and data for the project itself.

mod contest;
mod contestant;
mod games_table;
mod generate;
mod lab;
mod positions;
mod sheets;
mod solved;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

use generate::{
    Breakthrough, ConnectFour, Course, Goofspiel, Hex, OptimisticMoves, Penalty, Progression, kept,
};

/// Tools for developers of Ludens.
#[derive(Parser)]
#[command(name = "ludens-tools", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print a Markdown table of rule sheets: roles, size, and how long random games last
    ///
    /// Example: cargo run --release -p ludens-tools -- sheets games
    Sheets {
        /// Folders or files
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Random games to play for the mean length
        #[arg(long, default_value_t = 100)]
        games: u64,
        /// The seed of these games
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure the sheets of games/ and write the table of its README and its index.json
    ///
    /// Example: cargo run --release -p ludens-tools -- games-table
    GamesTable(games_table::Args),
    /// Play games between two strategies, roles swapped, and print the score as a line of JSON
    ///
    /// Example: cargo run --release -p ludens-tools -- contest games/breakthrough.kif
    ///   --first strategy=mast --second strategy=uct --simulations 1000 --games 200
    Contest(contest::Args),
    /// Solve small games by each method, and print a Markdown table
    ///
    /// Example: cargo run --release -p ludens-tools -- solved --seconds 60
    Solved(solved::Args),
    /// Positions with one best move: find them by solving, let searches solve them
    ///
    /// Example: cargo run --release -p ludens-tools -- positions try
    ///   tools/records/positions/positions.jsonl --strategy uct
    #[command(subcommand)]
    Positions(positions::PositionsCommand),
    /// Play experiments that are defined in files, and show their results
    ///
    /// Example: cargo run --release -p ludens-tools -- lab run tools/records/lab/schemes.toml
    #[command(subcommand)]
    Lab(lab::LabCommand),
    /// Write a rule sheet from parameters
    ///
    /// Example: cargo run -p ludens-tools -- generate goofspiel --cards 5 --win
    #[command(subcommand)]
    Generate(Generate),
}

/// The families of games that are written from parameters.
#[derive(Subcommand)]
enum Generate {
    /// Bidding for known prizes, both players at the same time
    Goofspiel(Goofspiel),
    /// A race of runners where every lane but one costs 1 a step
    Penalties(Course),
    /// The same, where a step costs the distance from the safe lane
    ShockStep(Course),
    /// The same, where a step costs 1 more for each earlier step
    Punishment(Course),
    /// A race where some runners never move, with a limit of moves
    Progression(Progression),
    /// A position of breakthrough where the tempting move loses
    OptimisticMoves(OptimisticMoves),
    /// Connect four on a board of any size
    ConnectFour(ConnectFour),
    /// Breakthrough on a board of any size
    Breakthrough(Breakthrough),
    /// Hex on a board of any size
    Hex(Hex),
    /// Write all generated sheets of games/ into a folder
    All {
        /// The folder
        #[arg(long, value_name = "FOLDER", default_value = "games")]
        into: PathBuf,
    },
}

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let result = run(Cli::parse().command)
        .and_then(|text| Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "ludens-tools: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// What a command prints.
fn run(command: Command) -> Result<String> {
    match command {
        Command::Sheets { paths, games, seed } => sheets::table(&paths, games, seed),
        Command::Contest(args) => contest::line(&args),
        Command::Solved(args) => solved::table(&args),
        Command::Positions(command) => positions::lines(&command),
        Command::GamesTable(args) => games_table::run(&args),
        Command::Lab(command) => lab::lab(&command),
        Command::Generate(family) => generated(family),
    }
}

fn generated(family: Generate) -> Result<String> {
    let sheet = match family {
        Generate::Goofspiel(game) => game.generated()?,
        Generate::Penalties(course) => course.generated(Penalty::Plain),
        Generate::ShockStep(course) => course.generated(Penalty::Distance),
        Generate::Punishment(course) => course.generated(Penalty::Growing),
        Generate::Progression(race) => race.generated()?,
        Generate::OptimisticMoves(position) => position.generated(),
        Generate::ConnectFour(board) => board.generated(),
        Generate::Breakthrough(board) => board.generated(),
        Generate::Hex(board) => board.generated(),
        Generate::All { into } => return write_all(&into),
    };
    Ok(sheet.text)
}

fn write_all(folder: &Path) -> Result<String> {
    let mut names = String::new();
    for sheet in kept()? {
        let file = folder.join(format!("{}.kif", sheet.name));
        fs::write(&file, &sheet.text).with_context(|| file.display().to_string())?;
        names.push_str(&format!("{}\n", file.display()));
    }
    Ok(names)
}
