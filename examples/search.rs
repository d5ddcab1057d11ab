//! Searches the initial state of a game and prints the statistics of every move.
//!
//! ```text
//! cargo run --release --example search -- breakthrough mast:c=60 10000
//! ```
//!
//! The arguments are a game, a strategy and a number of simulations; all have defaults.
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;

use ludens::Game;
use ludens::search::{Budget, Report};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument = |at: usize, default: &'static str| {
        arguments.get(at).map_or(default, String::as_str).to_string()
    };
    let simulations = argument(2, "10000").parse()?;
    let report = search(&argument(0, "breakthrough"), &argument(1, "uct"), simulations)?;
    print!("{}", table(&report));
    Ok(())
}

/// Searches with a budget of simulations.
pub(crate) fn search(
    game: &str,
    strategy: &str,
    simulations: u64,
) -> Result<Report, Box<dyn Error>> {
    Ok(Game::named(game)?.search(strategy, &Budget::simulations(simulations))?)
}

/// All moves of all roles, the best first, and the principal variation.
pub(crate) fn table(report: &Report) -> String {
    let mut text = format!("{} simulations by {}\n", report.simulations, report.strategy);
    for role in &report.roles {
        text += &format!("{}:\n", role.role);
        for found in &role.moves {
            let average = found.average.map_or("-".to_string(), |mean| format!("{mean:.1}"));
            text += &format!("  {:>8} visits {average:>6}  {}\n", found.visits, found.text);
        }
    }
    let line: Vec<String> = report.principal_line.iter().map(|joint| joint.join(" ")).collect();
    text + &format!("principal variation: {}\n", line.join(", "))
}
