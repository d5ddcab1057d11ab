//! Progress on standard error, which is hidden if that is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over a known number of sheets.
pub(crate) fn sheets(number: usize) -> ProgressBar {
    let bar = ProgressBar::new(number as u64);
    // The template is fixed; should it ever be wrong, the plain bar is good enough.
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} sheets, {eta} left {msg}")
    {
        bar.set_style(style);
    }
    bar
}

/// A bar over a number of matches.
pub(crate) fn matches(number: u64) -> ProgressBar {
    let bar = ProgressBar::new(number);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} matches, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// A bar over a number of playouts.
pub(crate) fn playouts(number: u64) -> ProgressBar {
    let bar = ProgressBar::new(number);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} playouts, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// A line of text that changes.
pub(crate) fn message() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    bar
}
