//! `ludens show SHEET cutoffs`: what samples say about a game, and when playouts are therefore cut.

use std::io::Write;

use anyhow::{Context, Result};
use ludens::analysis::sample_cutoffs;
use ludens::pipeline::{PipelineOptions, circuit_within};
use ludens::search::{Cutoff, CutoffKind};
use serde::Serialize;

use super::exit::ExitStatus;
use super::{input, output};

/// The simulations that are observed.
#[derive(Clone, Copy)]
pub(crate) struct CutoffSamples {
    pub(crate) number: u64,
    pub(crate) seed: u64,
}

/// The results. Scripts read this, so its keys must not change.
#[derive(Serialize)]
struct CutoffDocument {
    game: String,
    seed: u64,
    #[serde(flatten)]
    cutoff: Cutoff,
}

/// Writes when a search cuts the playouts of a sheet.
pub(crate) fn cutoffs(
    sheet: &str,
    options: &PipelineOptions,
    samples: CutoffSamples,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let rules = input::load_sheet(sheet)?;
    let circuit = circuit_within(&rules, options);
    let circuit = circuit.with_context(|| format!("{sheet} has no circuit"))?;
    let cutoff = sample_cutoffs(&circuit, options, samples.number, samples.seed)?;
    if json {
        let game = input::game_name(&rules.source);
        output::json(out, &CutoffDocument { game, seed: samples.seed, cutoff })?;
    } else {
        write(out, &cutoff)?;
    }
    Ok(ExitStatus::Good)
}

fn write(out: &mut dyn Write, cutoff: &Cutoff) -> Result<()> {
    let figures = &cutoff.figures;
    let moves = |at: Option<u64>| at.map_or("none".to_string(), |at| format!("after {at} moves"));
    writeln!(out, "samples            {}", figures.samples)?;
    writeln!(out, "stability          {:.1}", figures.stability)?;
    writeln!(out, "first goal change  {}", moves(figures.first_goal_change))?;
    writeln!(out, "first end          {}", moves(figures.first_terminal))?;
    writeln!(out, "last end           {}", moves(figures.last_terminal))?;
    let decision = match cutoff.kind {
        CutoffKind::GoalStability => "by goal stability, scored by goals",
        CutoffKind::TerminalInterval => "by terminal interval, scored as draws",
        CutoffKind::Inactive => "none",
    };
    writeln!(out, "cutoff             {decision}")?;
    match (&cutoff.reason, cutoff.cut_at) {
        (Some(reason), _) => writeln!(out, "reason             {reason}")?,
        (None, at) => writeln!(out, "cut                {} outside the tree", moves(at))?,
    }
    Ok(())
}
