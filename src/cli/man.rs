//! `ludens man`: manual pages.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::Cli;
use super::exit::ExitStatus;

/// Print the manual page, or write one for each command into a folder
///
/// The folder gets ludens.1 and ludens-COMMAND.1 for each command; it is created if necessary.
///
/// Examples:
///   ludens man | man -l -
///   ludens man ~/.local/share/man/man1 && man ludens-match
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let mut program = Cli::command().disable_help_subcommand(true);
    // Commands get their full names, such as ludens-match, and the options that all have.
    program.build();
    match args.folder {
        Some(folder) => write_all(&program, &folder, out)?,
        None => Man::new(program).render(out)?,
    }
    Ok(ExitStatus::Good)
}

/// Writes the pages of the program and its commands, and prints their paths.
fn write_all(program: &Command, folder: &Path, out: &mut dyn Write) -> Result<()> {
    let place = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(place)?;
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    for command in [program].into_iter().chain(commands) {
        let source = concat!("ludens ", env!("CARGO_PKG_VERSION"));
        let page = Man::new(command.clone()).source(source);
        let file = page.generate_to(folder).with_context(place)?;
        writeln!(out, "{}", file.display())?;
    }
    Ok(())
}
