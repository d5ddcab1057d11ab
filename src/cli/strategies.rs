//! `ludens strategies`: the strategies, their parts and parameters.

use std::io::Write;

use anyhow::Result;
use ludens::agent::AgentSettings;
use ludens::search::{PRESETS, Parameter, PartInfo, parameter_groups, parts};
use serde::Serialize;

use super::exit::ExitStatus;
use super::output;

/// List the strategies, the parts that they are made of, and their parameters
///
/// A strategy is chosen with --strategy NAME, a parameter set with --set NAME=VALUE; --config FILE
/// reads both from a file in TOML or JSON. Where players are listed, uct:c=60:threads=1 is the
/// strategy uct with two parameters set. Names joined by + combine strategies and parts, such as
/// uniform+mast; a part of each kind is used.
///
/// Examples: ludens strategies; ludens strategies --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let listing = Listing::new();
    if args.json {
        output::json(out, &listing)?;
    } else {
        listing.write(out)?;
    }
    Ok(ExitStatus::Good)
}

#[derive(Serialize)]
struct Listing {
    strategies: Vec<StrategyEntry>,
    parts: Vec<PartEntry>,
    parameters: Vec<ParameterEntry>,
}

#[derive(Serialize)]
struct StrategyEntry {
    name: &'static str,
    help: &'static str,
    /// The names of its parts; default parts are added.
    parts: &'static [&'static str],
}

#[derive(Serialize)]
struct PartEntry {
    kind: &'static str,
    name: &'static str,
    help: &'static str,
    /// Where it comes from, if that was published.
    #[serde(skip_serializing_if = "str::is_empty")]
    paper: &'static str,
    /// The names of its parameters.
    parameters: Vec<&'static str>,
    /// Its paper, and its parameters with their defaults, for people.
    #[serde(skip)]
    source: String,
}

#[derive(Serialize)]
struct ParameterEntry {
    /// The part that it belongs to, or what it is about.
    group: &'static str,
    name: &'static str,
    help: &'static str,
    /// Its possible values, in words.
    values: String,
    default: String,
}

impl Listing {
    fn new() -> Self {
        let strategies = PRESETS.iter().map(|preset| StrategyEntry {
            name: preset.name,
            help: preset.help,
            parts: preset.parts,
        });
        let of_search = parameter_groups().into_iter();
        let of_search =
            of_search.flat_map(|group| group.parameters.iter().map(move |one| (group.name, *one)));
        let of_agent = [AgentSettings::MARGIN, AgentSettings::EARLY].map(|one| ("agent", one));
        let parameters = of_search.chain(of_agent).map(|(group, one)| parameter(group, &one));
        Listing {
            strategies: strategies.collect(),
            parts: parts().iter().map(part).collect(),
            parameters: parameters.collect(),
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "strategies")?;
        let width = widest(self.strategies.iter().map(|entry| entry.name));
        for StrategyEntry { name, help, .. } in &self.strategies {
            writeln!(out, "  {name:width$}  {help}")?;
        }
        writeln!(out, "\nparts, to be combined with + (the first of each kind is the default)")?;
        let width = widest(self.parts.iter().map(|entry| entry.name));
        let kinds = widest(self.parts.iter().map(|entry| entry.kind));
        for PartEntry { kind, name, help, source, .. } in &self.parts {
            writeln!(out, "  {kind:kinds$}  {name:width$}  {help}")?;
            if !source.is_empty() {
                writeln!(out, "  {:kinds$}  {:width$}  {source}", "", "")?;
            }
        }
        writeln!(out, "\nparameters")?;
        let width = widest(self.parameters.iter().map(|entry| entry.name));
        let groups = widest(self.parameters.iter().map(|entry| entry.group));
        for ParameterEntry { group, name, help, values, default } in &self.parameters {
            writeln!(out, "  {group:groups$}  {name:width$}  {help}")?;
            writeln!(out, "  {:groups$}  {:width$}  {values}; {default} by default", "", "")?;
        }
        Ok(())
    }
}

fn part(part: &PartInfo) -> PartEntry {
    let settings = part.parameters.iter().map(|one| format!("{}={}", one.name, one.default_text()));
    let settings = settings.collect::<Vec<_>>().join(" ");
    let source = [part.paper, &settings].into_iter().filter(|text| !text.is_empty());
    PartEntry {
        source: source.collect::<Vec<_>>().join("; "),
        kind: part.kind,
        name: part.name,
        help: part.help,
        paper: part.paper,
        parameters: part.parameters.iter().map(|parameter| parameter.name).collect(),
    }
}

fn parameter(group: &'static str, parameter: &Parameter) -> ParameterEntry {
    ParameterEntry {
        group,
        name: parameter.name,
        help: parameter.help,
        values: parameter.form.expected(),
        default: parameter.default_text(),
    }
}

fn widest<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    names.map(str::len).max().unwrap_or(0)
}
