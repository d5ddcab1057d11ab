//! `ludens show`: any stage of the work on a sheet, as text.

use std::io::Write;

use anyhow::Result;
use clap::ValueEnum;
use propnet::gdl::{Rules, print_atom, print_literal, print_rules};
use serde::Serialize;

use super::exit::Status;
use super::{input, output};

/// Show what the engine makes of a sheet, stage by stage
///
/// Example: ludens show games/tic_tac_toe.kif rules
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game; `-` for standard input
    sheet: String,
    /// The stage to show
    #[arg(value_enum, default_value_t)]
    stage: Stage,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// The stages that can be shown.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Stage {
    /// The rules as they were read
    #[default]
    Rules,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let rules = input::load_sheet(&args.sheet)?;
    match (args.stage, args.json) {
        (Stage::Rules, false) => out.write_all(print_rules(&rules).as_bytes())?,
        (Stage::Rules, true) => output::json(out, &rule_items(&rules))?,
    }
    Ok(Status::Good)
}

/// A rule, for scripts.
#[derive(Serialize)]
struct RuleItem {
    line: usize,
    column: usize,
    head: String,
    body: Vec<String>,
}

fn rule_items(rules: &Rules) -> Vec<RuleItem> {
    let item = |rule: &propnet::gdl::Rule| {
        let place = rules.source.place(rule.span.start);
        let body = rule.body.iter().map(|literal| print_literal(literal, &rules.symbols));
        RuleItem {
            line: place.line,
            column: place.column,
            head: print_atom(&rule.head, &rules.symbols),
            body: body.collect(),
        }
    };
    rules.rules.iter().map(item).collect()
}
