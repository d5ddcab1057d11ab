//! Writes an experiment that shows how strength depends on the budget.

use std::fmt::Write;

use anyhow::{Result, ensure};
use ludens::search::Settings;

/// Two strategies, and the budgets at which they meet.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Sweep {
    /// Games, by name or path
    #[arg(long, value_delimiter = ',', required = true)]
    games: Vec<String>,
    /// The strategy whose points are shown, such as rave+mast:c=40
    #[arg(long)]
    first: String,
    /// Its opponent
    #[arg(long)]
    second: String,
    /// Simulations for each move of both
    #[arg(long, value_delimiter = ',', value_parser = ludens::count::count,
          default_value = "100,1000,1e4,1e5,1e6")]
    simulations: Vec<u64>,
    /// Milliseconds for each move of both
    #[arg(long, value_delimiter = ',')]
    milliseconds: Vec<u64>,
    /// Games in each cell
    #[arg(long, default_value_t = 100)]
    per_cell: u64,
}

impl Sweep {
    /// The experiment, as it is written in TOML.
    pub(super) fn experiment(&self) -> Result<String> {
        let Sweep { first, second, per_cell, .. } = self;
        for strategy in [first, second] {
            strategy.parse::<Settings>()?;
        }
        ensure!(first != second, "a strategy against itself shows nothing; give two of them");
        let mut text = format!(
            "title = {}\nper_cell = {per_cell}\n\n[plot]\nkind = \"budget\"\n\n[sides]\n",
            quoted(&format!("{first} against {second}, by budget")),
        );
        let units =
            [("simulations", &self.simulations, ""), ("milliseconds", &self.milliseconds, "ms")];
        let budgets = units.iter().flat_map(|(unit, counts, short)| {
            counts.iter().map(move |count| (*unit, *count, format!("{count}{short}")))
        });
        let mut pairs = String::new();
        for (unit, count, name) in budgets {
            for strategy in [first, second] {
                let side = quoted(&format!("{strategy}@{name}"));
                let strategy = quoted(strategy);
                writeln!(
                    text,
                    "{side} = {{ strategy = {strategy}, budget = {{ {unit} = {count} }} }}"
                )?;
            }
            let [a, b] = [first, second].map(|strategy| quoted(&format!("{strategy}@{name}")));
            writeln!(pairs, "    [{a}, {b}],")?;
        }
        let games: Vec<String> = self.games.iter().map(|game| quoted(game)).collect();
        let games = games.join(", ");
        Ok(text + &format!("\n[[cells]]\ngames = [{games}]\npairs = [\n{pairs}]\n"))
    }
}

/// A text in quotation marks, for TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::experiment::{Cell, Experiment};
    use super::*;

    #[test]
    fn a_sweep_is_an_experiment() {
        let sweep = Sweep {
            games: vec!["tic_tac_toe".to_string()],
            first: "rave+mast:c=30".to_string(),
            second: "uct".to_string(),
            simulations: vec![100, 1000],
            milliseconds: vec![10],
            per_cell: 5,
        };
        let text = sweep.experiment().expect("good strategies");
        let experiment = Experiment::parse("sweep", Path::new(""), &text).expect("an experiment");
        let paths: Vec<String> = experiment.cells.iter().map(Cell::path).collect();
        assert_eq!(
            paths,
            [
                "tic_tac_toe/rave+mast:c=30@100/uct@100",
                "tic_tac_toe/rave+mast:c=30@1000/uct@1000",
                "tic_tac_toe/rave+mast:c=30@10ms/uct@10ms",
            ]
        );
        let budget = experiment.cells[2].sides[1].budget;
        assert_eq!(budget.to_string(), "10 milliseconds");
        let bad = Sweep { second: "best".to_string(), ..sweep };
        assert!(bad.experiment().is_err());
    }
}
