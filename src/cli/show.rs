//! `ludens show`: any stage of the work on a sheet, as text.

use std::io::Write;

use anyhow::{Context, Result};
use clap::ValueEnum;
use ludens::ground::ground_within;
use propnet::gdl::{Rules, Source, parse, print_atom, print_literal, print_rules};
use propnet::ground::print_ground;
use serde::Serialize;

use super::args::GroundArgs;
use super::exit::Status;
use super::{input, output};

/// Show what the engine makes of a sheet, stage by stage
///
/// The ground rules are a sheet themselves, and the same game. Where they cannot be had within the
/// bounds of --time and --memory, the limit is reported and the command exits with 1.
///
/// Examples:
///   ludens show games/tic_tac_toe.kif rules
///   ludens show games/tic_tac_toe.kif ground > ground.kif
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
    #[command(flatten)]
    ground: GroundArgs,
}

/// The stages that can be shown.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Stage {
    /// The rules as they were read
    #[default]
    Rules,
    /// The rules without variables
    Ground,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let rules = input::load_sheet(&args.sheet)?;
    match (args.stage, args.json) {
        (Stage::Rules, false) => out.write_all(print_rules(&rules).as_bytes())?,
        (Stage::Rules, true) => output::json(out, &rule_items(&rules))?,
        (Stage::Ground, json) => {
            let name = rules.source.name();
            let grounding = ground_within(&rules, &args.ground.bounds());
            let grounding = grounding.with_context(|| format!("{name} cannot be grounded"))?;
            let text = print_ground(&grounding.rules);
            if json {
                output::json(out, &line_items(&text))?;
            } else {
                out.write_all(text.as_bytes())?;
            }
        }
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

/// The rules of a text with a rule on each line; their places are those in that text. It may be
/// longer than a sheet may be, so each line is read by itself.
fn line_items(text: &str) -> Vec<RuleItem> {
    let lines = text.lines().enumerate();
    let items = lines.flat_map(|(at, line)| {
        let (rules, _) = parse(Source::from_text("line", line));
        rule_items(&rules).into_iter().map(move |item| RuleItem { line: at + 1, ..item })
    });
    items.collect()
}
