//! `ludens show SHEET analysis`: what is proven about a game, and what random games show.

use std::io::{self, Write};

use anyhow::{Context, Result};
use ludens::analysis::{GameAnalysis, Observed, PartsItem, Proven, SymmetriesItem, analyse};
use ludens::pipeline::{Control, PipelineOptions, Stages};
use serde::Serialize;

use super::exit::ExitStatus;
use super::{input, output};

/// The results. Scripts read this, so its keys must not change.
#[derive(Serialize)]
struct AnalysisDocument {
    game: String,
    seed: u64,
    #[serde(flatten)]
    analysis: GameAnalysis,
}

/// Writes the analysis of a sheet.
pub(crate) fn write(
    sheet: &str,
    options: &PipelineOptions,
    seed: u64,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let rules = input::load_sheet(sheet)?;
    let game = input::game_name(&rules.source);
    let analysis = analyse(&Stages::new(rules), options, seed, Control::default());
    let analysis = analysis.with_context(|| format!("{sheet} cannot be analysed"))?;
    if json {
        output::json(out, &AnalysisDocument { game, seed, analysis })?;
    } else {
        proven(out, &analysis.proven)?;
        writeln!(out)?;
        observed(out, &analysis.observed)?;
    }
    Ok(ExitStatus::Good)
}

/// Names that are listed in a line.
const SHOWN: usize = 6;

fn line(out: &mut dyn Write, what: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{what:<18} {text}")
}

/// The first of some names.
fn some(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let names: Vec<String> = names.take(SHOWN).collect();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(" ") + &rest
}

fn proven(out: &mut dyn Write, proven: &Proven) -> Result<()> {
    writeln!(out, "Proven")?;
    match &proven.fixed_course {
        None => line(out, "fixed course", "none")?,
        Some(fixed) => {
            line(out, "fixed course", &some(fixed.fluents.iter().cloned()))?;
            let after = match fixed.returns_to {
                None => "then the game is over".to_string(),
                Some(step) => format!("then again from step {step} on"),
            };
            line(out, "", &format!("{} steps, {after}", fixed.steps))?;
        }
    }
    for value in [true, false] {
        let kept = proven.latches.iter().filter(|latch| latch.value == value);
        let kept: Vec<String> = kept.map(|latch| latch.fluent.clone()).collect();
        if !kept.is_empty() {
            let what = if value { "stay true" } else { "stay false" };
            line(out, what, &format!("{}: {}", kept.len(), some(kept.into_iter())))?;
        }
    }
    let goals = match (proven.rules_out_goals, proven.decides_early) {
        (_, true) => "latches rule them out, and can decide a game before its end",
        (true, false) => "latches rule some of them out",
        (false, false) => "latches rule out none",
    };
    line(out, "goals", goals)?;
    parts(out, &proven.parts)?;
    symmetries(out, &proven.symmetries)?;
    let length = match (proven.least_moves, proven.most_moves) {
        (least, Some(most)) if least == most => format!("always {most} moves"),
        (0, None) => "no bound".to_string(),
        (least, None) => format!("at least {least} moves"),
        (0, Some(most)) => format!("at most {most} moves"),
        (least, Some(most)) => format!("from {least} to {most} moves"),
    };
    line(out, "length", &length)?;
    let choice = if proven.one_chooses { "one role at a time" } else { "no proof" };
    line(out, "choice", choice)?;
    let sum = proven.goal_sum.map_or("no proof".to_string(), |sum| format!("always {sum}"));
    line(out, "sum of goals", &sum)?;
    Ok(())
}

fn parts(out: &mut dyn Write, parts: &PartsItem) -> Result<()> {
    if parts.count == 1 {
        line(out, "parts", "one: all hangs together")?;
        return Ok(());
    }
    line(out, "parts", &parts.count.to_string())?;
    for part in &parts.parts {
        let (fluents, moves) = (&part.fluents, &part.moves);
        line(out, "", &format!("{} fluents: {}", fluents.len(), some(fluents.iter().cloned())))?;
        line(out, "", &format!("{} moves: {}", moves.len(), some(moves.iter().cloned())))?;
    }
    for role in &parts.goals {
        let known = if role.is_proven { "proven" } else { "observed" };
        line(out, "", &format!("goals of {}: {} ({known})", role.role, role.goals))?;
    }
    Ok(())
}

fn symmetries(out: &mut dyn Write, symmetries: &SymmetriesItem) -> Result<()> {
    if symmetries.count == 1 {
        let text = if symmetries.is_complete { "none" } else { "none found" };
        line(out, "symmetries", text)?;
        return Ok(());
    }
    let least = if symmetries.is_complete { "" } else { "at least " };
    let kept = match symmetries.keep_the_start {
        Some(kept) => format!("{kept} keep the start"),
        None => "too many to list".to_string(),
    };
    line(out, "symmetries", &format!("{least}{}, {kept}", symmetries.count))?;
    for generator in &symmetries.generators {
        let pairs = generator.iter().map(|[one, other]| format!("{one} -> {other}"));
        line(out, "", &pairs.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn observed(out: &mut dyn Write, observed: &Observed) -> Result<()> {
    writeln!(out, "Observed")?;
    let cut = match observed.cut {
        0 => String::new(),
        cut => format!(", {cut} cut"),
    };
    line(out, "random games", &format!("{}{cut}", observed.games))?;
    if let Some(lengths) = &observed.lengths {
        let text =
            format!("from {} to {} moves, mean {:.1}", lengths.least, lengths.most, lengths.mean);
        line(out, "length", &text)?;
    }
    if let Some(moves) = observed.decided_after {
        line(out, "decided", &format!("after {moves:.1} moves in the mean"))?;
    }
    line(out, "several choose", &format!("{:.1} % of states", 100.0 * observed.simultaneous))?;
    for choices in &observed.choices {
        let from = choices.mean.map_or("nothing to choose".to_string(), |mean| {
            let share = 100.0 * choices.share;
            format!(
                "chooses in {share:.1} % of states, from {mean:.1} moves, {} at most",
                choices.most
            )
        });
        line(out, &choices.role, &from)?;
    }
    if let Some(cutoff) = &observed.cutoff {
        line(
            out,
            "stability",
            &format!("{:.1} (variance of goal changes)", cutoff.figures.stability),
        )?;
    }
    Ok(())
}
