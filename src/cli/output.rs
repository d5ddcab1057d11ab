//! Writing results: JSON documents and tables.

use std::borrow::Cow;
use std::io::{self, Write};

use propnet::gdl::is_hidden;
use serde::Serialize;

/// Writes a value as one JSON document, indented. Hidden characters are written as escapes, so that
/// texts from outside cannot control a terminal.
pub(crate) fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    writeln!(out, "{}", escaped(&text))
}

/// A JSON text in which each hidden character of its strings is a \u escape. The serialiser escapes
/// those below the space; line breaks outside of strings stay.
fn escaped(json: &str) -> Cow<'_, str> {
    let is_raw = |c: char| c > ' ' && is_hidden(c);
    if !json.contains(is_raw) {
        return json.into();
    }
    let mut text = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_raw(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| text += &format!("\\u{unit:04x}"));
        } else {
            text.push(c);
        }
    }
    text.into()
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

/// A rate or a count with three significant digits: `5.61 M`, `20.3 k`, `7.58`.
pub(crate) fn short(number: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];
    // A number that rounds up to the next unit is written in that unit.
    let fits = |&&(unit, _): &&(f64, &str)| number.abs() >= 0.9995 * unit;
    let &(unit, name) = units.iter().find(fits).unwrap_or(&(1.0, ""));
    let scaled = number / unit;
    let decimals = match scaled.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_in_json() {
        let text = "a\u{202e}é\u{7f}\u{e0001}\n";
        let mut out = Vec::new();
        json(&mut out, &[text]).expect("text");
        let out = String::from_utf8(out).expect("text");
        assert_eq!(out, "[\n  \"a\\u202eé\\u007f\\udb40\\udc01\\n\"\n]\n");
        assert_eq!(serde_json::from_str::<[String; 1]>(&out).expect("JSON"), [text]);
    }

    #[test]
    fn numbers_are_shortened_to_three_digits() {
        let cases = [
            (0.0, "0.00"),
            (0.123, "0.12"),
            (7.581, "7.58"),
            (64.08, "64.1"),
            (999.9, "1.00 k"),
            (20_345.0, "20.3 k"),
            (999_960.0, "1.00 M"),
            (380e6, "380 M"),
            (2.5e9, "2.50 G"),
        ];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }
}
