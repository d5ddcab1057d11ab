//! `ludens-tools solved`: small games solved by each method, as a table.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use ludens::library;
use ludens::pipeline::{Control, PipelineOptions, Stages};
use ludens::solve::{Solution, SolveGame, SolveOptions, Variant, solve};
use propnet::gdl::Source;
use propnet::reference;

use crate::generate::{Breakthrough, ConnectFour, Generated, Goofspiel, Hex};

/// Arguments of the table.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The seconds that each method may take for each game
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    seconds: f64,
    /// The megabytes that each may take
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: u64,
    /// Only games whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
}

/// The table, as Markdown.
pub(crate) fn table(args: &Args) -> Result<String> {
    let mut text = String::from(
        "| game | method | value of the first role | states | matrix games | seconds |\n\
         |---|---|---|---|---|---|\n",
    );
    let time = Duration::try_from_secs_f64(args.seconds).context("--seconds is no time")?;
    for sheet in games()?.iter().filter(|sheet| sheet.name.contains(&args.only)) {
        for variant in [Variant::Induction, Variant::AlphaBeta] {
            let options = SolveOptions { variant, time: Some(time), memory: args.memory << 20 };
            let _ = writeln!(text, "| {} | {} |", sheet.name, row(&sheet.text, &options)?);
        }
    }
    Ok(text)
}

/// The games of the table.
fn games() -> Result<Vec<Generated>> {
    let named = |name: &str| {
        let entry = library::find(name).with_context(|| format!("there is no game {name}"))?;
        Ok::<_, anyhow::Error>(Generated { name: name.to_string(), text: entry.text.to_string() })
    };
    let mut games = vec![named("tic_tac_toe")?, named("three_player_tic_tac_toe")?];
    games.push(named("bidding_tic_tac_toe")?);
    for (columns, rows) in [(4, 4), (5, 4), (5, 5)] {
        games.push(ConnectFour { columns, rows }.generated());
    }
    for (columns, rows) in [(3, 5), (4, 5), (5, 5)] {
        games.push(Breakthrough { columns, rows }.generated());
    }
    games.extend([3, 4, 5].map(|size| Hex { size }.generated()));
    for cards in 5..=8 {
        let game = Goofspiel { cards, prizes: Vec::new(), win: true, no_history: true, lead: true };
        games.push(game.generated()?);
    }
    Ok(games)
}

/// The last cells of a row.
fn row(sheet: &str, options: &SolveOptions) -> Result<String> {
    let rules = reference::load(Source::from_text("sheet", sheet))?;
    let stages = Stages::new(rules);
    let game = SolveGame::new(&stages, &PipelineOptions::default(), Control::default(), None)?;
    Ok(match solve(&game, options, &mut |_| true) {
        Ok(solution) => cells(&solution),
        Err(error) => format!("- | {error} | - | - | -"),
    })
}

fn cells(solution: &Solution) -> String {
    let first = &solution.roles[0];
    let value = match (first.is_solved, solution.is_complete) {
        (true, _) => format!("{}", (first.lower * 1e4).round() / 1e4),
        (false, true) => format!("enforces {}, could get {}", first.lower, first.upper),
        (false, false) => format!("{} to {}, not solved", first.lower, first.upper),
    };
    format!(
        "{} | {value} | {} | {} | {:.2}",
        solution.variant,
        solution.states,
        solution.matrices,
        solution.time.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(sheet: &Generated, variant: Variant) -> Solution {
        let rules = reference::load(Source::from_text("sheet", &sheet.text)).expect("rules");
        let stages = Stages::new(rules);
        let options = PipelineOptions::default();
        let game = SolveGame::new(&stages, &options, Control::default(), None).expect("a game");
        let options = SolveOptions { variant, memory: 1 << 30, ..SolveOptions::default() };
        solve(&game, &options, &mut |_| true).expect("a solution")
    }

    fn value(sheet: &Generated, variant: Variant) -> (f64, f64) {
        let solution = solved(sheet, variant);
        assert!(solution.is_solved && solution.is_complete, "{}: {solution:?}", sheet.name);
        (solution.roles[0].lower, solution.roles[1].lower)
    }

    #[test]
    fn small_boards_have_their_known_values() {
        for variant in [Variant::Induction, Variant::AlphaBeta] {
            let four = ConnectFour { columns: 4, rows: 4 }.generated();
            assert_eq!(value(&four, variant), (50.0, 50.0), "a draw");
            for size in [2, 3] {
                let hex = Hex { size }.generated();
                assert_eq!(value(&hex, variant), (100.0, 0.0), "whoever begins wins");
            }
        }
    }

    #[test]
    fn both_methods_agree_about_breakthrough() {
        for (columns, rows) in [(2, 5), (3, 4), (3, 5)] {
            let board = Breakthrough { columns, rows }.generated();
            let values = value(&board, Variant::Induction);
            assert_eq!(value(&board, Variant::AlphaBeta), values, "{}", board.name);
            assert_eq!(values.0 + values.1, 100.0);
        }
    }

    #[test]
    fn goofspiel_has_as_many_states_as_hands_and_leads() {
        // With the scores of both players instead of the lead there are more.
        for (cards, lead, states) in
            [(4, true, 292), (5, true, 1754), (6, true, 10_336), (4, false, 397), (5, false, 2861)]
        {
            let game = Goofspiel { cards, prizes: Vec::new(), win: true, no_history: true, lead };
            let solution = solved(&game.generated().expect("parameters"), Variant::Induction);
            assert_eq!(solution.states, states, "{cards} cards");
            assert!(solution.is_solved && solution.roles[0].lower == 50.0, "{solution:?}");
        }
    }

    #[test]
    fn alpha_beta_solves_matrices_too() {
        let game = Goofspiel {
            cards: 4,
            prizes: vec![1, 3, 2, 4],
            win: true,
            no_history: true,
            lead: false,
        };
        let sheet = game.generated().expect("parameters");
        assert_eq!(value(&sheet, Variant::AlphaBeta), (50.0, 50.0));
        assert_eq!(value(&sheet, Variant::Induction), (50.0, 50.0));
    }
}
