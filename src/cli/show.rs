//! `ludens show`: any stage of the work on a sheet, as text.

use std::io::Write;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use ludens::count::count_within;
use ludens::pipeline::{Control, PipelineBounds, ground_within};
use propnet::gdl::{Rules, Source, parse, print_atom, print_literal, print_rules};
use propnet::ground::print_ground;
use serde::Serialize;

use super::args::{OptionArgs, PositionArgs};
use super::cutoffs_show::{self, CutoffSamples};
use super::exit::ExitStatus;
use super::state_show::{self, StateForm};
use super::{analysis_show, circuit_show, features_show, input, output};

/// Show what the engine makes of a sheet, stage by stage
///
/// The ground rules are a sheet of the same game. If they cannot be made within the bounds of
/// --time and --memory, the limit is reported and the command exits with 1.
///
/// The circuit is one line for each gate, named by its node, and one for each sentence that it
/// computes; `&` is and, `!` is not. With --stats it is shown in figures instead: what each pass
/// took and saved, which gates serve which question, how they are wired, fluents, moves, groups of
/// fluents of which at most one is true, and loops. A two-input gate is a gate with n inputs counted
/// as n - 1. For a folder, --stats makes a table of its sheets NAME.kif and a summary.
///
/// The cutoffs are what the first simulations of a search with the strategy uct+cutoff say about a
/// game: how its goals change before the end, where it ends, and when playouts are therefore cut.
///
/// The analysis is what the rules tell about a game. Proven from its circuit: fluents whose course no
/// move changes, fluents that keep a value once they have it, parts that do not depend on each
/// other, symmetries, how long games are, whether roles take turns, what goals add up to. Seen in
/// random games: how long they are, what roles choose from, how soon they are decided.
///
/// The features are what the playout policy FAST learns to value: the types of pieces on a board, or
/// else its cells. With --playouts, random playouts are made, and each feature is shown with the
/// value that it has for each role after them.
///
/// The state is the initial one, or the one after --moves, drawn as `ludens play` does, or with --svg as
/// a picture. Comments of a sheet may say how it is drawn: `; draw: board cell x=1 y=2 content=3`,
/// `; draw: list history`, `; draw: piece wizard W`, `; draw: blank dirt`.
///
/// Examples:
///   ludens show games/tic_tac_toe.kif rules
///   ludens show games/tic_tac_toe.kif ground > ground.kif
///   ludens show games/tic_tac_toe.kif circuit --passes none
///   ludens show games/breakthrough.kif circuit --stats --json > stats.json
///   ludens show games circuit --stats --passes fast
///   ludens show chess state --svg > chess.svg
///   ludens show tic_tac_toe state --moves '((mark 2 2) noop)'
///   ludens show checkers cutoffs --samples 1000
///   ludens show games/skirmish.kif features --playouts 1e4
///   ludens show tic_tac_toe analysis --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The rules of the game: a file, or the name of a game; `-` for standard input; with --stats also a folder
    sheet: String,
    /// The stage to show
    #[arg(value_enum, default_value_t)]
    stage: ShownStage,
    /// Show the circuit in figures
    #[arg(long)]
    stats: bool,
    /// The number of simulations that decide about cutoffs [default: 100]
    #[arg(long, value_name = "N", value_parser = count_within(1, 100_000))]
    samples: Option<u64>,
    /// The seed of simulations and random playouts [default: 0]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    /// Learn the values of the features from this many random playouts
    #[arg(long, value_name = "N")]
    #[arg(value_parser = count_within(1, u64::MAX), allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Draw the state as SVG
    #[arg(long)]
    svg: bool,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    options: OptionArgs,
}

/// The stages that can be shown.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ShownStage {
    /// The rules as they were read
    #[default]
    Rules,
    /// The rules without variables
    Ground,
    /// The network of gates
    Circuit,
    /// When a search cuts its playouts, and why
    Cutoffs,
    /// What is proven about a game, and what random games show
    Analysis,
    /// Pieces or cells of a board, by which moves can be valued
    Features,
    /// What is true at the start, or after --moves, drawn
    State,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let options = args.options.options();
    ensure!(
        !args.stats || matches!(args.stage, ShownStage::Circuit),
        "--stats is only for circuits: ludens show {} circuit --stats",
        args.sheet
    );
    ensure!(
        args.samples.is_none() || matches!(args.stage, ShownStage::Cutoffs),
        "--samples is only for cutoffs: ludens show {} cutoffs --samples 100",
        args.sheet
    );
    ensure!(
        args.seed.is_none()
            || matches!(
                args.stage,
                ShownStage::Cutoffs | ShownStage::Features | ShownStage::Analysis
            ),
        "--seed is only for cutoffs, features and analysis: ludens show {} cutoffs --seed 1",
        args.sheet
    );
    ensure!(
        args.playouts.is_none() || matches!(args.stage, ShownStage::Features),
        "--playouts is only for features: ludens show {} features --playouts N",
        args.sheet
    );
    ensure!(
        !(args.svg || args.position.is_given()) || matches!(args.stage, ShownStage::State),
        "--svg, --moves and --state are only for states: ludens show {} state",
        args.sheet
    );
    match (args.stage, args.stats) {
        (ShownStage::State, _) => {
            let Args { sheet, position, svg, json, .. } = &args;
            state_show::write(sheet, position, options, StateForm::new(*svg, *json)?, out)
        }
        (ShownStage::Rules, _) => show_rules(&args, out),
        (ShownStage::Ground, _) => show_ground(&args, &options.bounds, out),
        (ShownStage::Circuit, false) => {
            circuit_show::network(&args.sheet, &options, args.json, out)
        }
        (ShownStage::Analysis, _) => {
            let Args { sheet, seed, json, .. } = &args;
            analysis_show::write(sheet, &options, seed.unwrap_or(0), *json, out)
        }
        (ShownStage::Features, _) => {
            let Args { sheet, playouts, seed, json, .. } = &args;
            features_show::write(sheet, &options, *playouts, seed.unwrap_or(0), *json, out)
        }
        (ShownStage::Circuit, true) => circuit_show::stats(&args.sheet, &options, args.json, out),
        (ShownStage::Cutoffs, _) => {
            let samples =
                CutoffSamples { number: args.samples.unwrap_or(100), seed: args.seed.unwrap_or(0) };
            cutoffs_show::cutoffs(&args.sheet, &options, samples, args.json, out)
        }
    }
}

fn show_rules(args: &Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let rules = input::load_sheet(&args.sheet)?;
    if args.json {
        output::json(out, &rule_items(&rules))?;
    } else {
        out.write_all(print_rules(&rules).as_bytes())?;
    }
    Ok(ExitStatus::Good)
}

fn show_ground(args: &Args, bounds: &PipelineBounds, out: &mut dyn Write) -> Result<ExitStatus> {
    let rules = input::load_sheet(&args.sheet)?;
    let grounding = ground_within(&rules, bounds, Control::default());
    let grounding =
        grounding.with_context(|| format!("{} cannot be grounded", rules.source.name()))?;
    let text = print_ground(&grounding.rules);
    if args.json {
        output::json(out, &line_items(&text))?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(ExitStatus::Good)
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

/// The rules of a text with a rule on each line; their places are those in that text. The text may
/// exceed the size limit of a sheet, so each line is read by itself.
fn line_items(text: &str) -> Vec<RuleItem> {
    let lines = text.lines().enumerate();
    let items = lines.flat_map(|(at, line)| {
        let (rules, _) = parse(Source::from_text("line", line));
        rule_items(&rules).into_iter().map(move |item| RuleItem { line: at + 1, ..item })
    });
    items.collect()
}
