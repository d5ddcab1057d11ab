//! Colours for findings, where they are wanted.

use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use propnet::gdl::{Ink, Severity};

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Turns a piece of a finding into the text that is printed.
pub(crate) type Paint = fn(Ink, &str) -> String;

impl Color {
    /// How standard output is painted.
    pub(crate) fn paint(self) -> Paint {
        let wanted = match self {
            Color::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        };
        if wanted { coloured } else { plain }
    }
}

fn plain(_: Ink, text: &str) -> String {
    text.to_string()
}

fn coloured(ink: Ink, text: &str) -> String {
    let style = match ink {
        Ink::Severity(Severity::Error) => AnsiColor::BrightRed.on_default().bold(),
        Ink::Severity(Severity::Warning) => AnsiColor::Yellow.on_default().bold(),
        Ink::Message => Style::new().bold(),
        Ink::Frame | Ink::Related => AnsiColor::BrightBlue.on_default().bold(),
        Ink::Plain => return text.to_string(),
    };
    format!("{style}{text}{style:#}")
}
