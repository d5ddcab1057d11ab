//! `ludens solve` for one role: the best line, and whether it is proven.

use std::io::{self, Write};

use anyhow::Result;
use ludens::puzzle::{METHODS, Puzzle, PuzzleOptions, PuzzleReport, solve};
use propnet::gdl::Rules;
use serde::Serialize;

use super::exit::ExitStatus;
use super::output;

/// How the result is printed.
#[derive(Clone, Copy)]
pub(crate) struct PuzzlePrint<'p> {
    pub(crate) name: &'p str,
    pub(crate) figures: bool,
    pub(crate) json: bool,
}

/// Searches by all methods, and prints the best line.
pub(crate) fn run(
    rules: &Rules,
    puzzle: &Puzzle,
    options: &PuzzleOptions,
    may_go_on: &(dyn Fn() -> bool + Sync),
    print: PuzzlePrint<'_>,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let report = solve(rules, puzzle, options, may_go_on)?;
    if print.json {
        output::json(out, &Named { game: print.name, report: &report })?;
    } else {
        write(print.name, &report, print.figures, out)?;
    }
    Ok(ExitStatus::bad_if(report.score.is_none()))
}

/// The report, for scripts.
#[derive(Serialize)]
struct Named<'r> {
    game: &'r str,
    #[serde(flatten)]
    report: &'r PuzzleReport,
}

fn write(name: &str, report: &PuzzleReport, figures: bool, out: &mut dyn Write) -> io::Result<()> {
    match (report.score, report.proven_by) {
        (Some(score), Some(by)) => {
            writeln!(out, "{name}: {score}, proven to be the highest score by {by}")?;
        }
        (Some(score), None) => {
            writeln!(out, "{name}: {score}, not proven: at most {}", report.bound)?;
        }
        (None, _) => writeln!(out, "{name}: no line was found that ends with a score")?,
    }
    if let (Some(by), Some(after)) = (report.found_by, report.found_after) {
        let moves = output::count(report.moves.len() as u64, "move");
        writeln!(out, "{moves}, found by {by} after {:.3} s", after.as_secs_f64())?;
    }
    for (number, text) in (1..).zip(&report.moves) {
        writeln!(out, "{number:>4}  {text}")?;
    }
    if figures {
        let horizon = report.horizon.map_or("any number".to_string(), |most| most.to_string());
        writeln!(out, "states of {} bits; a line has at most {horizon} moves", report.state_bits)?;
        writeln!(out, "searched for {:.3} s:", report.time.as_secs_f64())?;
        for (method, figures) in METHODS.iter().filter_map(|method| {
            let mut of = report.methods.iter();
            Some((method, of.find(|figures| figures.name == method.name)?))
        }) {
            let share = figures.work as f64 / 1e9;
            writeln!(out, "  {:<14} {share:>8.3} s  {}", method.name, method.about)?;
        }
    }
    Ok(())
}
