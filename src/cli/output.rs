//! Writing results: JSON documents and tables.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a value as one JSON document, indented.
pub(crate) fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes a row of right-aligned cells, each at least as wide as given, and flushes: a row is
/// shown as soon as it is known.
pub(crate) fn row(out: &mut dyn Write, cells: &[String], widths: &[usize]) -> io::Result<()> {
    let cells = cells.iter().zip(widths);
    let line: Vec<String> = cells.map(|(cell, width)| format!("{cell:>width$}")).collect();
    writeln!(out, "{}", line.join("  "))?;
    out.flush()
}

/// `1 error`, `2 errors`.
pub(crate) fn count(number: impl Into<u64>, noun: &str) -> String {
    let number = number.into();
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Bytes in MB of 2^20, with one decimal.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}
