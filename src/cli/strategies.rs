//! `ludens strategies`: how moves can be chosen, and what can be set about it.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use ludens::search::{PARAMETERS, Parameter, Settings, Strategy};
use ludens::strategy::values;
use serde::Serialize;

use super::exit::Status;
use super::output;

/// List the strategies and their parameters
///
/// A strategy is chosen with --strategy NAME, a parameter set with --set NAME=VALUE; --config FILE
/// reads both from a file in TOML or JSON. Where players are listed, uct:c=60:threads=1 is the
/// strategy uct with two parameters set.
///
/// Examples: ludens strategies; ludens strategies --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let listing = Listing::new();
    if args.json {
        output::json(out, &listing)?;
    } else {
        listing.write(out)?;
    }
    Ok(Status::Good)
}

#[derive(Serialize)]
struct Listing {
    strategies: Vec<StrategyEntry>,
    parameters: Vec<ParameterEntry>,
}

#[derive(Serialize)]
struct StrategyEntry {
    name: &'static str,
    help: &'static str,
    /// The usual values of its parameters.
    defaults: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct ParameterEntry {
    name: &'static str,
    help: &'static str,
    /// What it may be, in words.
    values: String,
    /// The usual value with the usual strategy.
    default: String,
}

impl Listing {
    fn new() -> Self {
        let strategies = Strategy::ALL.iter().map(|&strategy| StrategyEntry {
            name: strategy.name(),
            help: strategy.help(),
            defaults: Settings::new(strategy).list().into_iter().collect(),
        });
        let parameter = |parameter: &Parameter| ParameterEntry {
            name: parameter.name,
            help: parameter.help,
            values: values(parameter.name),
            default: (parameter.show)(&Settings::default()),
        };
        Listing {
            strategies: strategies.collect(),
            parameters: PARAMETERS.iter().map(parameter).collect(),
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "strategies")?;
        let width = widest(self.strategies.iter().map(|entry| entry.name));
        for StrategyEntry { name, help, .. } in &self.strategies {
            writeln!(out, "  {name:width$}  {help}")?;
        }
        writeln!(out, "\nparameters")?;
        let width = widest(self.parameters.iter().map(|entry| entry.name));
        for ParameterEntry { name, help, values, default } in &self.parameters {
            writeln!(out, "  {name:width$}  {help}")?;
            writeln!(out, "  {:width$}  {values}; {default} by default", "")?;
            for (strategy, other) in self.exceptions(name, default) {
                writeln!(out, "  {:width$}  {other} by default with {strategy}", "")?;
            }
        }
        Ok(())
    }

    /// The strategies with another usual value. The strategy itself is what they differ in.
    fn exceptions(&self, name: &str, default: &str) -> Vec<(&str, &str)> {
        let usual = self.strategies.iter().filter_map(|entry| {
            let value = entry.defaults.get(name)?;
            Some((entry.name, value.as_str()))
        });
        usual.filter(|(_, value)| name != "strategy" && *value != default).collect()
    }
}

fn widest<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    names.map(str::len).max().unwrap_or(0)
}
