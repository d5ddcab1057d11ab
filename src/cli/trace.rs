//! `ludens trace`: one random playout as recorded data.

use std::io::Write;

use anyhow::{Result, bail};
use ludens::count::count;
use ludens::trace::record;

use super::args::StartArgs;
use super::exit::ExitStatus;

/// Play one random playout and print everything about it as JSON
///
/// The document has the states, the legal moves and the moves made at each step, the final state
/// and the goals; `ludens verify` compares it with an engine. The same seed gives the same playout.
///
/// Example: ludens trace games/tic_tac_toe.kif --seed 7 > trace.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    start: StartArgs,
    /// The seed of all random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after this many steps; the playout is then marked as capped
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = count, allow_negative_numbers = true)]
    max_steps: u64,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let start = args.start.prepare(args.seed)?;
    let trace = record(&mut *start.game(), &start.name, &start.setup, args.max_steps)?;
    serde_json::to_writer(&mut *out, &trace).map_err(std::io::Error::from)?;
    writeln!(out)?;
    match trace.error {
        Some(error) => bail!("{}: {error}", start.name),
        None => Ok(ExitStatus::Good),
    }
}
