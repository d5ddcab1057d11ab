//! The circuit of one sheet in figures, for a reader.

use std::io::{self, Write};

use ludens::pipeline::{
    CircuitReport, GroupFigures, LoopFigures, PassFigures, SheetOutcome, StatsFigures,
};
use propnet::circuit::optimize::Size;
use propnet::circuit::{Bucket, ConeStats};

use super::output;

/// Writes all figures about a sheet.
pub(crate) fn write(out: &mut dyn Write, report: &CircuitReport) -> io::Result<()> {
    let CircuitReport { sheet, seconds, message, .. } = report;
    let (Some(before), Some(stats)) = (&report.before, &report.stats) else {
        let message = message.as_deref().unwrap_or(report.result.name());
        return match report.result {
            SheetOutcome::Unplayable => writeln!(out, "{message}\n{sheet}: cannot be played"),
            _ => writeln!(out, "{sheet}: has no circuit: {message}"),
        };
    };
    writeln!(
        out,
        "{sheet}: parsed in {:.3} s, grounded in {:.3} s, built in {:.3} s, passes {:.3} s",
        seconds.parse, seconds.ground, seconds.build, seconds.passes
    )?;
    write_passes(out, before, &report.passes)?;
    write_cones(out, stats)?;
    write_wiring(out, stats)?;
    write_ports(out, stats)?;
    write_groups(out, &stats.groups)?;
    write_loops(out, &stats.loops)
}

const PASS_WIDTHS: [usize; 8] = [10, 8, 9, 9, 7, 7, 8, 8];

/// What each pass left, and the share of the two-input gates that it saved.
fn write_passes(out: &mut dyn Write, built: &Size, passes: &[PassFigures]) -> io::Result<()> {
    writeln!(out)?;
    let names = ["pass", "seconds", "gates", "two-input", "saved", "depth", "fluents", "moves"];
    write_row(out, names.map(String::from), &PASS_WIDTHS)?;
    write_size(out, ["built", "-", "-"], built)?;
    for pass in passes {
        let saved = saved(&pass.before, &pass.after);
        write_size(out, [pass.pass, &format!("{:.3}", pass.seconds), &saved], &pass.after)?;
    }
    if let [first, .., last] = passes {
        let seconds: f64 = passes.iter().map(|pass| pass.seconds).sum();
        let saved = saved(&first.before, &last.after);
        write_size(out, ["together", &format!("{seconds:.3}"), &saved], &last.after)?;
    }
    Ok(())
}

fn write_size(out: &mut dyn Write, words: [&str; 3], size: &Size) -> io::Result<()> {
    let [name, seconds, saved] = words.map(String::from);
    let Size { gates, two_input_gates, depth, carried, moves } = size;
    let [gates, pairs, depth, carried, moves] =
        [gates, two_input_gates, depth, carried, moves].map(usize::to_string);
    write_row(out, [name, seconds, gates, pairs, saved, depth, carried, moves], &PASS_WIDTHS)
}

fn saved(before: &Size, after: &Size) -> String {
    let (before, after) = (before.two_input_gates as f64, after.two_input_gates as f64);
    format!("{:.1}%", 100.0 * (before - after) / before.max(1.0))
}

fn write_row<const N: usize>(
    out: &mut dyn Write,
    mut cells: [String; N],
    widths: &[usize; N],
) -> io::Result<()> {
    cells[0] = format!("{:<width$}", cells[0], width = widths[0]);
    output::row(out, &cells, widths)
}

fn write_cones(out: &mut dyn Write, stats: &StatsFigures) -> io::Result<()> {
    const WIDTHS: [usize; 6] = [10, 8, 9, 9, 7, 7];
    writeln!(out)?;
    let names = ["cone", "gates", "two-input", "added", "alone", "depth"];
    write_row(out, names.map(String::from), &WIDTHS)?;
    for ConeStats { cone, gates, two_input_gates, added, alone, depth } in &stats.cones {
        let numbers = [gates, two_input_gates, added, alone, depth].map(usize::to_string);
        let [gates, pairs, added, alone, depth] = numbers;
        write_row(out, [cone.name().to_string(), gates, pairs, added, alone, depth], &WIDTHS)?;
    }
    if stats.dead > 0 {
        writeln!(out, "{} of the gates are in none of them", stats.dead)?;
    }
    writeln!(out, "cones overlap: no cone above needs what is added, no other what is alone")
}

fn write_wiring(out: &mut dyn Write, stats: &StatsFigures) -> io::Result<()> {
    let classic = &stats.classic;
    writeln!(
        out,
        "\nin the classic view: {} and, {} or, {} not, {}",
        classic.and,
        classic.or,
        classic.not,
        output::count(classic.transition as u64, "transition")
    )?;
    write_histogram(out, "gates by inputs", &stats.fan_in)?;
    write_histogram(out, "gates by readers", &stats.fan_out)?;
    write_histogram(out, "fluents and moves by readers", &stats.input_fan_out)
}

fn write_histogram(out: &mut dyn Write, name: &str, buckets: &[Bucket]) -> io::Result<()> {
    let bucket = |bucket: &Bucket| match bucket {
        Bucket { from, to, count } if from == to => format!("{to}: {count}"),
        Bucket { from, to, count } => format!("{from}-{to}: {count}"),
    };
    let buckets: Vec<String> = buckets.iter().map(bucket).collect();
    writeln!(out, "{name:<30}{}", buckets.join("  "))
}

fn write_ports(out: &mut dyn Write, stats: &StatsFigures) -> io::Result<()> {
    let fluents = &stats.fluents;
    writeln!(
        out,
        "\nfluents: {} carried, {} constant, {} copies of another, {} only for show",
        fluents.carried, fluents.constant, fluents.copied, fluents.observed
    )?;
    for moves in &stats.moves {
        writeln!(
            out,
            "moves of {}: {}, {} may be legal, {} are read",
            moves.role, moves.moves, moves.possible, moves.read
        )?;
    }
    Ok(())
}

/// Groups of the same size on one line; `--json` and the text of the circuit have their members.
fn write_groups(out: &mut dyn Write, groups: &[GroupFigures]) -> io::Result<()> {
    if groups.is_empty() {
        return writeln!(out, "one-hot groups: none known");
    }
    let mut sizes: Vec<(usize, bool)> =
        groups.iter().map(|group| (group.fluents.len(), group.exactly_one)).collect();
    sizes.sort_unstable();
    let text = |same: &[(usize, bool)]| {
        let (size, exactly_one) = same[0];
        let words = if exactly_one { "exactly" } else { "at most" };
        format!("{} with {words} one of {size}", same.len())
    };
    let texts: Vec<String> = sizes.chunk_by(|a, b| a == b).map(text).collect();
    writeln!(out, "one-hot groups: {}", texts.join(", "))
}

fn write_loops(out: &mut dyn Write, loops: &[LoopFigures]) -> io::Result<()> {
    if loops.is_empty() {
        return writeln!(out, "loops: none");
    }
    for LoopFigures { members, way, times, count } in loops {
        let times = match (*way, times) {
            ("repeated", Some(times)) => {
                format!(", at most {}", output::count(*times as u64, "time"))
            }
            (_, Some(times)) => format!(", {}", output::count(*times as u64, "time")),
            (_, None) => String::new(),
        };
        let loops = output::count(*count as u64, "loop");
        writeln!(out, "{loops} of {members} sentences: {way}{times}")?;
    }
    Ok(())
}
