//! `ludens show SHEET circuit`: the network as text or JSON, or figures about one or many.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use ludens::pipeline::PipelineOptions;
use ludens::pipeline::{CircuitReport, CircuitSummary, StatsFigures, circuit_within, measure};
use propnet::circuit::print_circuit;
use serde::Serialize;

use super::circuit_json::NetworkItems;
use super::exit::ExitStatus;
use super::{circuit_report, circuit_table, input, output, progress};

/// Writes the network of a sheet.
pub(crate) fn network(
    sheet: &str,
    options: &PipelineOptions,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    ensure!(!Path::new(sheet).is_dir(), "{sheet} is a folder; --stats covers all its sheets");
    let rules = input::load_sheet(sheet)?;
    let circuit = circuit_within(&rules, options);
    let circuit = circuit.with_context(|| format!("{sheet} has no circuit"))?;
    if json {
        output::json(out, &NetworkItems::of(&circuit))?;
    } else {
        out.write_all(print_circuit(&circuit).as_bytes())?;
    }
    Ok(ExitStatus::Good)
}

/// Writes figures about the circuit of a sheet, or those of all sheets in a folder.
pub(crate) fn stats(
    sheet: &str,
    options: &PipelineOptions,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    if Path::new(sheet).is_dir() {
        return survey(sheet, options, json, out);
    }
    let (mut report, circuit) = measure(input::read_sheet(sheet)?, options);
    report.stats = circuit.as_ref().map(StatsFigures::of);
    if json {
        output::json(out, &report)?;
    } else {
        circuit_report::write(out, &report)?;
    }
    Ok(ExitStatus::bad_if(circuit.is_none()))
}

/// Everything about many sheets, for scripts.
#[derive(Serialize)]
struct CircuitShowDocument<'a> {
    passes: String,
    sheets: &'a [CircuitReport],
    summary: &'a CircuitSummary,
}

fn survey(
    folder: &str,
    options: &PipelineOptions,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    let sheets = input::sheets_in(folder)?;
    let names: Vec<String> = sheets.iter().map(input::game_name).collect();
    let bar = progress::sheets(sheets.len());
    let table = circuit_table::CircuitTable::new(&names);
    let mut reports = Vec::new();
    if !json {
        bar.suspend(|| table.header(out))?;
    }
    // One after the other, so that their times can be compared.
    for (sheet, name) in sheets.into_iter().zip(&names) {
        bar.set_message(name.clone());
        let report = measure(sheet, options).0;
        if !json {
            bar.suspend(|| table.row(out, name, &report))?;
        }
        reports.push(report);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let summary = CircuitSummary::of(&reports);
    if json {
        let passes = options.passes_text();
        output::json(out, &CircuitShowDocument { passes, sheets: &reports, summary: &summary })?;
    } else {
        circuit_table::write_summary(out, &reports, &summary)?;
    }
    Ok(ExitStatus::bad_if(summary.circuits < summary.sheets))
}
