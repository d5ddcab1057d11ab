//! `ludens-tools`: makes tables and data for the project itself.

mod contest;
mod sheets;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tools for those who work on Ludens.
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
    /// Play games between two strategies, roles swapped, and print the score as a line of JSON
    ///
    /// Example: cargo run --release -p ludens-tools -- contest games/breakthrough.kif
    ///   --first strategy=mast --second strategy=uct --simulations 1000 --games 200
    Contest(contest::Args),
}

fn main() -> ExitCode {
    let text = match Cli::parse().command {
        Command::Sheets { paths, games, seed } => sheets::table(&paths, games, seed),
        Command::Contest(args) => contest::line(&args),
    };
    let mut out = std::io::stdout().lock();
    let result =
        text.and_then(|text| Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "ludens-tools: {error:#}");
            ExitCode::FAILURE
        }
    }
}
