//! `ludens completions`: scripts that let a shell complete our commands.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::Cli;
use super::exit::ExitStatus;

/// Print a script that lets a shell complete commands and options
///
/// Examples:
///   ludens completions bash > ~/.local/share/bash-completion/completions/ludens
///   ludens completions zsh > ~/.zfunc/_ludens      (with ~/.zfunc in fpath, before compinit)
///   ludens completions fish > ~/.config/fish/completions/ludens.fish
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let mut script = Vec::new();
    // Into memory first: the generator panics if a writer fails, such as a closed pipe.
    generate(args.shell, &mut Cli::command(), "ludens", &mut script);
    out.write_all(&script)?;
    Ok(ExitStatus::Good)
}
