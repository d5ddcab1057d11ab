//! `ludens show SHEET features`: the board, its pieces, how moves name cells, and learned values.

use std::io::Write;

use anyhow::{Context, Result};
use ludens::features::{CoordinateLeaves, EpisodePlan, FeatureKind, Features, learn_by_play};
use ludens::pipeline::{Compile, LaneProgram, PipelineOptions, circuit_within};
use propnet::names::Names;
use serde::Serialize;

use super::exit::ExitStatus;
use super::{input, output};

/// The joint moves after which a playout ends even if the game is not over.
const LONGEST: u64 = 1000;

/// Writes the features of a sheet, and the values learned from some playouts.
pub(crate) fn write(
    sheet: &str,
    options: &PipelineOptions,
    playouts: Option<u64>,
    seed: u64,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let rules = input::load_sheet(sheet)?;
    let circuit = circuit_within(&rules, options);
    let circuit = circuit.with_context(|| format!("{sheet} has no circuit"))?;
    let step = EpisodePlan::step_options(LONGEST);
    let program = LaneProgram::new(&circuit, options.lanes, &step, Compile::First)?;
    let names = &program.program.names;
    let report = match Features::find_by_play(&program, seed)? {
        Err(reason) => FeatureReport { reason: Some(reason.to_string()), ..Default::default() },
        Ok(features) => {
            let mut report = FeatureReport::of(&features, names);
            if let Some(count) = playouts {
                report.learned = Some(learn(&program, &features, count, seed)?);
            }
            report
        }
    };
    if json {
        output::json(out, &report)?;
    } else {
        report.write(out)?;
    }
    Ok(ExitStatus::Good)
}

fn learn(program: &LaneProgram, features: &Features, count: u64, seed: u64) -> Result<Learned> {
    let names = &program.program.names;
    let plan = EpisodePlan { first: 0, count, seed, limit: LONGEST };
    let learner = learn_by_play(program, features, &plan)?;
    let values = (0..features.list.len()).map(|at| FeatureValues {
        feature: features.text(at, names),
        values: learner.values().iter().map(|theta| theta[at]).collect(),
    });
    let values = values.collect();
    Ok(Learned { playouts: count, learned_from: learner.episodes(), seed, values })
}

/// What was found and learned, for scripts.
#[derive(Default, Serialize)]
struct FeatureReport {
    /// `pieces`, `cells`, or nothing.
    kind: Option<&'static str>,
    /// Why there are none.
    reason: Option<String>,
    roles: Vec<String>,
    features: usize,
    board: Option<BoardItem>,
    moves: Vec<MoveItem>,
    learned: Option<Learned>,
}

#[derive(Serialize)]
struct BoardItem {
    relations: Vec<String>,
    cells: Vec<String>,
    contents: Vec<ContentItem>,
}

#[derive(Serialize)]
struct ContentItem {
    content: String,
    /// The role whose piece it is.
    owner: Option<String>,
}

/// Moves of one shape.
#[derive(Serialize)]
struct MoveItem {
    /// One of them.
    example: String,
    /// The arguments, counted from 1, that name the cell that a piece leaves.
    from: Option<[usize; 2]>,
    /// Those that name the cell that a piece appears on.
    to: Option<[usize; 2]>,
}

#[derive(Serialize)]
struct Learned {
    playouts: u64,
    /// Playouts that ended with a goal for each role.
    learned_from: u64,
    seed: u64,
    values: Vec<FeatureValues>,
}

#[derive(Serialize)]
struct FeatureValues {
    feature: String,
    /// By role.
    values: Vec<f64>,
}

impl FeatureReport {
    fn of(features: &Features, names: &Names) -> Self {
        let board = &features.board;
        let contents = features.owners.iter().enumerate().map(|(at, owner)| ContentItem {
            content: board.content_text(at, names),
            owner: owner.map(|owner| names.roles()[owner].clone()),
        });
        let leaves = |leaves: Option<CoordinateLeaves>| leaves.map(|(one, two)| [one + 1, two + 1]);
        let moves = features.shapes.iter().map(|shape| MoveItem {
            example: names.text_of_move(shape.role, shape.index),
            from: leaves(shape.reading.from),
            to: leaves(shape.reading.to),
        });
        FeatureReport {
            kind: Some(match features.kind {
                FeatureKind::Pieces => "pieces",
                FeatureKind::Cells => "cells",
            }),
            reason: None,
            roles: names.roles().to_vec(),
            features: features.list.len(),
            board: Some(BoardItem {
                relations: board.relations(names).into_iter().collect(),
                cells: (0..board.cells.len()).map(|at| board.cell_text(at, names)).collect(),
                contents: contents.collect(),
            }),
            moves: moves.collect(),
            learned: None,
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let (Some(kind), Some(board)) = (self.kind, &self.board) else {
            writeln!(out, "no features: {}", self.reason.as_deref().unwrap_or_default())?;
            return Ok(());
        };
        writeln!(out, "features  {} {kind}", self.features)?;
        writeln!(out, "board     {}, {} cells", board.relations.join(" "), board.cells.len())?;
        for role in self.roles.iter().map(Some).chain([None]) {
            let own = board.contents.iter().filter(|content| content.owner.as_ref() == role);
            let own: Vec<&str> = own.map(|content| content.content.as_str()).collect();
            let role = role.map_or("nobody", String::as_str);
            if !own.is_empty() {
                writeln!(out, "pieces    {role}: {}", own.join(", "))?;
            }
        }
        for shape in &self.moves {
            let text = |name: &str, args: Option<[usize; 2]>| {
                args.map(|[one, two]| format!("{name} arguments {one} and {two}"))
            };
            let cells: Vec<String> =
                [text("from", shape.from), text("to", shape.to)].into_iter().flatten().collect();
            let cells = if cells.is_empty() { "no cell".to_string() } else { cells.join(", ") };
            writeln!(out, "moves     {}: {cells}", shape.example)?;
        }
        self.learned.as_ref().map_or(Ok(()), |learned| learned.write(&self.roles, out))
    }
}

impl Learned {
    fn write(&self, roles: &[String], out: &mut dyn Write) -> Result<()> {
        let Learned { playouts, learned_from, .. } = self;
        writeln!(out, "learned   from {learned_from} of {playouts} playouts that follow them")?;
        let feature = |one: &FeatureValues| one.feature.chars().count();
        let width = self.values.iter().map(feature).max().unwrap_or(0).max("feature".len());
        let column = roles.iter().map(|role| role.chars().count()).max().unwrap_or(0).max(8);
        write!(out, "\n{:width$}", "feature")?;
        roles.iter().try_for_each(|role| write!(out, "  {role:>column$}"))?;
        writeln!(out)?;
        for one in &self.values {
            write!(out, "{:width$}", one.feature)?;
            one.values.iter().try_for_each(|value| write!(out, "  {value:>column$.2}"))?;
            writeln!(out)?;
        }
        Ok(())
    }
}
